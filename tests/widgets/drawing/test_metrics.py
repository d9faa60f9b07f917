"""One line a metric."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.widgets.drawing.text import assert_exact, assert_fits, styles_of, text_of
from widgets.cells import line_width
from widgets.drawing.metrics import Metric, draw_metrics, draw_sparkline, metric_rows

RISING = np.linspace(0.0, 1.0, 500)


def metric(
    name: str = "loss", last: float | None = 0.931, change: float | None = -0.0123, **more: object
) -> Metric:
    return Metric(name, RISING, last, change, **more)  # type: ignore[arg-type]


def test_a_line_has_name_last_value_change_and_shape() -> None:
    words = text_of(draw_metrics([metric()], 40, 1)).split()
    assert words[:3] == ["loss", "0.931", "−0.0123"]
    assert words[3] == draw_sparkline(RISING, 20)[0][0].strip()


def test_numbers_stand_under_each_other() -> None:
    lines = draw_metrics([metric(), metric("grad_norm", 0.0595, 0.0018)], 40, 2)
    first, second = text_of(lines).split("\n")
    assert first.index("0.931") + 5 == second.index("0.0595") + 6


def test_a_rate_is_compact_and_a_learning_rate_has_an_exponent() -> None:
    text = text_of(
        draw_metrics([metric("tok", 26011.0, 6.5, is_rate=True), metric("lr", 5e-4, -8e-7)], 40, 2)
    )
    assert "26.0k" in text
    assert "5.0e-4 −8.0e-7" in text


def test_thirty_columns_cut_no_number() -> None:
    text = text_of(draw_metrics([metric("ddtree_streak8", 0.05958, 0.00123)], 30, 1))
    assert "0.0596 +0.0012" in text


def test_two_stand_side_by_side_where_there_is_room() -> None:
    lines = draw_metrics([metric(f"m{index}") for index in range(4)], 80, 3, title="metrics")
    rows = text_of(lines).split("\n")
    assert rows[0].startswith("metrics ─")
    assert rows[1].split()[0] == "m0"
    assert "m2" in rows[1]
    assert metric_rows(4, 80) == 2


def test_what_does_not_fit_is_counted() -> None:
    assert "6 more" in text_of(draw_metrics([metric()] * 10, 80, 3, title="metrics"))


def test_the_metric_of_a_firing_alert_stands_out() -> None:
    assert styles_of(draw_metrics([metric(level="warning")], 40, 1), "loss") == {"warning"}
    assert styles_of(draw_metrics([metric(level="info")], 40, 1), "loss") == {"plain"}


def test_a_level_is_a_mark_too() -> None:
    assert "loss ▲  0.931" in text_of(draw_metrics([metric(level="warning")], 40, 1))
    assert "loss ✖  0.931" in text_of(draw_metrics([metric(level="critical")], 40, 1))


def test_a_mark_touches_no_number_however_narrow_it_is() -> None:
    narrow = metric("grad_norm", level="warning", last=0.07)
    assert "grad_norm▲ 0.0700" in text_of(draw_metrics([narrow], 30, 1))


def test_nothing_moves_when_a_number_takes_more_cells() -> None:
    short, long = (text_of(draw_metrics([metric(last=last)], 40, 1)) for last in (1.5, 0.0123))
    assert short[-20:] == long[-20:]


def test_nan_is_named() -> None:
    lines = draw_metrics([metric(last=float("nan"))], 40, 1)
    assert styles_of(lines, "NaN") == {"critical"}


def test_a_rising_series_rises() -> None:
    assert text_of([draw_sparkline(np.arange(8.0), 4)]) == "⣀⠤⠒⠉"


def test_a_hole_is_a_cross() -> None:
    values = np.ones(100)
    values[40:60] = np.nan
    line = draw_sparkline(values, 10)
    assert text_of([line])[4:6] == "××"
    assert styles_of([line], "×") == {"critical"}


def test_nothing_but_nan_is_nothing_but_crosses() -> None:
    assert text_of([draw_sparkline(np.full(9, np.nan), 5)]) == "×××××"


@pytest.mark.parametrize("values", [np.zeros(0), np.array([1.0]), np.array([np.inf, 1.0]), np.full(7, -2.0)])
def test_short_and_constant_series_are_drawn(values: np.ndarray) -> None:
    assert line_width(draw_sparkline(values, 6)) == 6


@given(
    st.lists(st.floats(allow_nan=True, allow_infinity=True), max_size=60),
    st.integers(1, 300),
    st.integers(1, 300),
)
def test_no_series_and_no_size_break_it(values: list[float], cells: int, rows: int) -> None:
    series = np.array(values, np.float64)
    last = values[-1] if values else None
    lines = draw_metrics(
        [Metric("a", series, last, last), Metric("b" * 40, series)], cells, rows, title="metrics"
    )
    assert_fits(lines, cells, rows)
    assert_exact(lines, cells)
