"""The curve."""

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.widgets.drawing.text import assert_fits, styles_of, text_of
from widgets.drawing.axes import Mark, y_limits
from widgets.drawing.curve import Curve, draw_curve

NUMBER = st.floats(allow_nan=True, allow_infinity=True, width=64)
STEPS = np.arange(1000.0)
FALLING = 3 * np.exp(-STEPS / 200) + 0.9


def curve(y: list[float] | np.ndarray, **changes: object) -> Curve:
    values = np.asarray(y, np.float64)
    return Curve("loss", np.arange(float(len(values))), values, **changes)  # type: ignore[arg-type]


def test_the_title_has_the_last_value() -> None:
    assert text_of(draw_curve(curve(FALLING), 60, 12)).startswith("loss 0.920 ─")


def test_the_note_names_the_smoothing_and_its_last_value() -> None:
    lines = draw_curve(curve(FALLING, span=100), 60, 12)
    assert "raw · EMA 100  0.927" in text_of(lines[:1])
    assert styles_of(lines[:1], "raw") == {"raw"}


def test_raw_and_smoothed_differ_in_style() -> None:
    noisy = FALLING + np.random.default_rng(0).normal(size=1000) * 0.2
    styles = {style for line in draw_curve(curve(noisy, span=100), 60, 12)[1:-2] for _, style in line}
    assert {"raw", "smooth"} <= styles


def test_the_axes_have_few_round_ticks() -> None:
    text = text_of(draw_curve(Curve("loss", STEPS * 21.784, FALLING), 60, 12))
    assert text.split("\n")[-1].split() == ["0", "5k", "10k", "15k", "20k"]
    assert [line[:3].strip() for line in text.split("\n") if line[3:4] == "┤"] == ["4", "3", "2", "1"]


def test_an_alert_is_marked_where_it_began() -> None:
    lines = draw_curve(curve(FALLING, marks=(Mark(500.0, "warning"),), level="warning"), 64, 12)
    rail = text_of(lines[-2:-1])
    assert rail.index("▲") == 4 + 30
    assert text_of(lines).startswith("▲ loss")
    assert styles_of(lines[-2:-1], "▲") == {"warning"}


def test_a_restart_is_a_dotted_line() -> None:
    text = text_of(draw_curve(curve(FALLING, marks=(Mark(500.0, "restart"),)), 64, 12))
    assert text.count("┊") >= 5


def test_a_nan_is_marked_on_the_axis_and_leaves_a_gap() -> None:
    y = FALLING.copy()
    y[400:600] = np.nan
    lines = draw_curve(curve(y), 64, 12)
    rail = text_of(lines[-2:-1])
    assert rail.count("×") >= 10
    assert styles_of(lines[-2:-1], "×") == {"critical"}
    middle = 4 + 30
    assert all(text_of([line]).ljust(64)[middle] == " " for line in lines[1:-2])


def test_a_last_value_that_is_nan_is_said_so() -> None:
    lines = draw_curve(curve([1.0, 2.0, float("nan")]), 40, 8)
    assert text_of(lines).startswith("loss NaN")
    assert styles_of(lines, "NaN") == {"critical"}


def test_a_run_of_nothing_but_nan_says_so() -> None:
    assert "every value so far is NaN or infinite" in text_of(draw_curve(curve([float("nan")] * 5), 60, 8))


def test_no_points_say_so() -> None:
    assert "no value yet" in text_of(draw_curve(curve([]), 40, 8))


def test_a_single_point_can_be_seen() -> None:
    assert "•" in text_of(draw_curve(curve([0.5]), 40, 8))


def test_a_constant_is_a_straight_line_in_the_middle() -> None:
    rows = text_of(draw_curve(curve([0.3] * 50), 40, 9)).split("\n")[1:-2]
    drawn = [row for row in rows if any(0x2800 < ord(char) < 0x2900 for char in row)]
    assert len(drawn) == 1
    assert "0.3" in "".join(rows)


def test_a_lone_outlier_is_cut_and_marked_and_does_not_press_the_rest_flat() -> None:
    y = FALLING.copy()
    y[700] = 1e6
    lines = draw_curve(curve(y), 60, 12)
    assert "▴" in text_of(lines[1:2])
    assert y_limits(y)[1] < 10


def test_values_that_are_never_negative_have_no_axis_below_zero() -> None:
    assert y_limits(np.array([0.001, 1.0]))[0] == 0.0
    assert y_limits(np.array([-0.001, 1.0]))[0] < -0.001


def test_a_token_axis_keeps_its_ticks() -> None:
    text = text_of(draw_curve(Curve("loss", STEPS * 1e10, FALLING), 60, 12))
    assert "2T" in text.split("\n")[-1]


def test_markup_in_a_name_stays_text() -> None:
    x = np.arange(3.0)
    assert text_of(draw_curve(Curve("[red]a\x1b[0m", x, x), 60, 8)).startswith("[red]a·[0m 2.00")


@settings(max_examples=80, deadline=None)
@example([(0.0, float("inf")), (0.0, 1.6e308)], 12, 5, 20)
@example([(0.0, 0.0), (9.99999999e307, 0.0)], 12, 5, 0)
@given(
    st.lists(st.tuples(NUMBER, NUMBER), max_size=40),
    st.integers(1, 90),
    st.integers(1, 20),
    st.sampled_from([0, 20, 500]),
)
def test_no_values_and_no_size_break_it(
    points: list[tuple[float, float]], cells: int, rows: int, span: int
) -> None:
    x, y = np.array([x for x, _ in points], np.float64), np.array([y for _, y in points], np.float64)
    assert_fits(draw_curve(Curve("loss", x, y, span, (Mark(3.0, "critical"),)), cells, rows), cells, rows)
