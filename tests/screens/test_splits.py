"""Borders between panels: where they stand, and how far they go."""

from hypothesis import given
from hypothesis import strategies as st

from tui.screens.arrange import Content, arrange
from tui.screens.splits import Splits, border_at

SIZES = st.tuples(st.integers(1, 300), st.integers(1, 100))
SHARES = st.dictionaries(
    st.sampled_from(["side", "table", "log", "metrics", "curves"]), st.floats(0.001, 0.999), max_size=5
)
CONTENT = {"metrics": 11, "table_cells": 120, "table_rows": 16}


def test_a_border_that_nobody_moved_is_where_it_usually_is() -> None:
    assert Splits({}).down("table", (0, 0, 80, 30), 20) == 20


def test_a_moved_border_keeps_its_share_and_leaves_each_part_its_least() -> None:
    room = (10, 5, 100, 40)
    assert Splits({"table": 0.25}).down("table", room, 20) == 10
    assert Splits({"table": 0.01}).down("table", room, 20, (6, 3)) == 6
    assert Splits({"table": 0.99}).down("table", room, 20, (6, 3)) == 37


def test_a_border_is_found_by_its_cells_and_no_others() -> None:
    splits = Splits({})
    splits.across("side", (0, 2, 100, 20), 60)
    splits.down("table", (62, 2, 38, 20), 12)
    assert (side := border_at(splits.borders, 61, 10)) is not None
    assert side.name == "side"
    assert (table := border_at(splits.borders, 70, 14)) is not None
    assert table.name == "table"
    assert border_at(splits.borders, 59, 10) is None
    assert border_at(splits.borders, 70, 15) is None
    assert border_at(splits.borders, 61, 1) is None


def test_moving_the_side_makes_the_table_wider() -> None:
    usual = arrange(120, 40, Content(**CONTENT))  # type: ignore[arg-type]
    wider = arrange(120, 40, Content(**CONTENT, splits={"side": 0.4}))  # type: ignore[arg-type]
    assert wider.boxes["table"].width == 120 - 48 - 2
    assert wider.boxes["table"].width > usual.boxes["table"].width


@given(SIZES, SHARES, st.none() | st.booleans())
def test_wherever_borders_are_moved_panels_fill_the_screen_and_never_overlap(
    size: tuple[int, int], shares: dict[str, float], shows_log: bool | None
) -> None:
    width, height = size
    content = Content(metrics=11, table_cells=120, table_rows=16, shows_log=shows_log, splits=shares)
    arrangement = arrange(width, height, content)
    taken: set[tuple[int, int]] = set()
    for box in arrangement.boxes.values():
        cells = {(x, y) for x in range(box.x, box.x + box.width) for y in range(box.y, box.y + box.height)}
        assert not cells & taken
        assert all(x < width and y < height for x, y in cells)
        taken |= cells


@given(SIZES, SHARES, st.integers(-20, 320))
def test_a_border_put_somewhere_stands_there_afterwards(
    size: tuple[int, int], shares: dict[str, float], at: int
) -> None:
    content = Content(metrics=11, table_cells=120, table_rows=16, splits=shares)
    for border in arrange(*size, content).borders:
        share = border.share_at(at)
        moved = arrange(
            *size, Content(metrics=11, table_cells=120, table_rows=16, splits=shares | {border.name: share})
        )
        again = next((each for each in moved.borders if each.name == border.name), None)
        if again is not None and (again.start, again.whole) == (border.start, border.whole):
            assert again.size == round(share * border.whole)
