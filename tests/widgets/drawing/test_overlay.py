import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.widgets.drawing.series import sample
from widgets.cells import Line, line_width
from widgets.drawing.overlay import MOST_SERIES, Overlay, Series, colour_series, draw_overlay
from widgets.drawing.sidebyside import Contestant, Milestone, SideBySide, draw_side_by_side

X = np.arange(1.0, 501.0)


def series(number: int, height: float, name: str = "") -> Series:
    return Series(number, name or f"run-{number}", number, sample(X, height + 1 / X))


def text(lines: list[Line]) -> list[str]:
    return ["".join(part for part, _ in line).rstrip() for line in lines]


def test_each_curve_ends_in_its_number_and_has_its_own_style() -> None:
    overlay = Overlay("loss", tuple(series(number, float(number)) for number in (1, 2, 3)))
    lines = draw_overlay(overlay, 80, 24)
    ends = [line[-1][-1] for line in text(lines) if line and line[-1] in "123"]
    assert ends == ["3", "2", "1"]
    styles = {style for line in lines for part, style in line if part.strip()}
    assert {"series-1", "series-2", "series-3"} <= styles


def test_a_curve_is_told_by_its_number_also_where_all_look_alike() -> None:
    """Three times on its way, so that no colour is needed."""
    drawn = text(draw_overlay(Overlay("loss", (series(1, 1.0), series(2, 9.0))), 80, 24))
    chart = drawn[2:]
    assert sum(line.count("2") for line in chart[:-2]) >= 3


def test_the_legend_has_the_last_values() -> None:
    lines = text(draw_overlay(Overlay("loss", (series(1, 1.0, "short"), series(2, 2.0, "longer"))), 80, 24))
    assert lines[1].split() == ["1", "short", "1.00", "2", "longer", "2.00"]


def test_of_an_empty_run_it_says_so() -> None:
    lines = text(draw_overlay(Overlay("loss", (Series(1, "none", 1, note="has none"),)), 60, 20))
    assert "has none" in lines[1]
    assert "no value yet" in lines[2]


def test_a_colour_stays_with_its_name_whatever_stands_beside_it() -> None:
    alone = {name: colour_series([name])[0] for name in ("drafter", "baseline", "seed-2")}
    assert colour_series(["drafter"]) == [alone["drafter"]]
    both = colour_series(["x", "drafter"])
    assert len(set(both)) == 2


@given(st.lists(st.text(max_size=12), min_size=1, max_size=MOST_SERIES, unique=True))
def test_no_two_runs_share_a_colour_and_their_order_does_not_matter(names: list[str]) -> None:
    colours = colour_series(names)
    assert len(set(colours)) == len(names)
    assert set(colours) <= set(range(1, MOST_SERIES + 1))
    assert colour_series(names[::-1]) == colours[::-1]


def test_side_by_side_has_the_difference_to_the_first() -> None:
    table = SideBySide(
        (Contestant(1, "series-1"), Contestant(2, "series-2")),
        (Milestone("100", (2.0, 1.5)), Milestone("200", (1.0, None)), Milestone("last 50", (1.0, 1.25))),
        direction=-1,
    )
    lines = draw_side_by_side(table, 44, 10)
    assert [line.split() for line in text(lines)[1:]] == [
        ["step", "1", "2", "−1"],
        ["100", "2.00", "1.50", "−0.50"],
        ["200", "1.00", "—"],
        ["last", "50", "1.00", "1.25", "+0.25"],
    ]
    assert [style for line in lines for part, style in line if part.strip() in ("−0.50", "+0.25")] == [
        "better",
        "worse",
    ]


def test_runs_without_room_are_counted() -> None:
    runs = tuple(Contestant(number, f"series-{number}") for number in range(1, 9))
    table = SideBySide(runs, (Milestone("100", tuple(float(number) for number in range(8))),))
    assert "3 more where it is wider" in text(draw_side_by_side(table, 69, 10))[0]


values = st.none() | st.floats()


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.floats(), max_size=30), max_size=MOST_SERIES),
    st.integers(1, 160),
    st.integers(1, 50),
    st.booleans(),
    st.sampled_from([0, 20]),
)
def test_whatever_was_logged_it_fits(
    logs: list[list[float]], cells: int, height: int, is_log: bool, span: int
) -> None:
    found = tuple(
        Series(at, f"run {at}", at, sample(np.arange(float(len(log))), np.array(log, dtype=float), span))
        for at, log in enumerate(logs, 1)
    )
    lines = draw_overlay(Overlay("loss", found, span=span, is_log_y=is_log), cells, height)
    assert len(lines) <= height
    assert all(line_width(line) <= cells for line in lines)


@given(
    st.integers(1, 8).flatmap(
        lambda runs: st.lists(st.tuples(*[values] * runs), min_size=1, max_size=5).map(
            lambda rows: (runs, rows)
        )
    ),
    st.integers(1, 120),
    st.integers(1, 30),
)
def test_a_table_fits_too(
    given_rows: tuple[int, list[tuple[float | None, ...]]], cells: int, height: int
) -> None:
    runs, rows = given_rows
    table = SideBySide(
        tuple(Contestant(at, f"series-{at}") for at in range(1, runs + 1)),
        tuple(Milestone(str(at), row) for at, row in enumerate(rows)),
    )
    lines = draw_side_by_side(table, cells, height)
    assert len(lines) <= height
    assert all(line_width(line) <= cells for line in lines)
