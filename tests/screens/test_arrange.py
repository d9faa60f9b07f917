"""Where the panels stand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.screens.arrange import Arrangement, Box, Content, arrange

USUAL = Content(metrics=11, table_cells=120, table_rows=20)
CONTENT = st.builds(
    Content,
    metrics=st.integers(0, 1000),
    page=st.integers(0, 3),
    stats_rows=st.integers(0, 4),
    table_cells=st.integers(0, 400),
    table_rows=st.integers(5, 60),
    status_rows=st.integers(1, 2),
    banner_rows=st.integers(0, 5),
    notice_rows=st.integers(0, 3),
    shows_log=st.none() | st.booleans(),
    is_empty=st.booleans(),
    is_asking=st.booleans(),
)


def overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


@given(st.integers(1, 300), st.integers(1, 100), CONTENT)
def test_panels_never_overlap_nor_leave_the_screen(width: int, height: int, content: Content) -> None:
    boxes = list(arrange(width, height, content).boxes.values())
    for index, box in enumerate(boxes):
        assert box.x >= 0 <= box.y
        assert box.width > 0 < box.height
        assert box.x + box.width <= width
        assert box.y + box.height <= height
        assert not any(overlap(box, other) for other in boxes[index + 1 :])


@given(st.integers(20, 300), st.integers(8, 100), CONTENT)
def test_the_status_is_always_there(width: int, height: int, content: Content) -> None:
    assert "status" in arrange(width, height, content).boxes


def kinds(arrangement: Arrangement) -> set[str]:
    return set(arrangement.boxes)


def test_wide_has_a_large_curve_over_two_over_two_at_the_left_and_the_table_at_the_right() -> None:
    arrangement = arrange(120, 40, USUAL)
    boxes = arrangement.boxes
    assert arrangement.kind == "wide"
    curves = {f"curve{index}" for index in range(5)}
    assert kinds(arrangement) == {"status", *curves, "metrics", "table", "log", "keys"}
    assert boxes["table"].x > boxes["curve0"].x + boxes["curve0"].width
    assert boxes["curve3"].y == boxes["curve4"].y > boxes["curve1"].y == boxes["curve2"].y > boxes["curve0"].y
    assert boxes["curve0"].height > boxes["curve1"].height
    assert boxes["metrics"].height == 7  # its rule, and a line for each of the others


def test_a_larger_screen_has_more_curves() -> None:
    assert arrange(200, 60, USUAL).curves == 9


def test_a_later_page_is_a_grid_of_equal_curves() -> None:
    boxes = arrange(200, 60, Content(metrics=991, page=2, table_cells=120, table_rows=20)).boxes
    curves = [box for name, box in boxes.items() if name.startswith("curve")]
    assert len(curves) == 12
    assert max(box.height for box in curves) - min(box.height for box in curves) <= 1
    assert "metrics" not in boxes


def test_one_metric_alone_has_everything_but_the_status_and_its_numbers() -> None:
    arrangement = arrange(120, 40, Content(metrics=11, stats_rows=2))
    assert arrangement.boxes["curve0"] == Box(0, 1, 120, 36)
    assert arrangement.boxes["stats"] == Box(0, 37, 120, 2)
    assert kinds(arrangement) == {"status", "curve0", "stats", "keys"}


def test_what_is_being_typed_stands_in_the_place_of_the_keys_or_where_they_would() -> None:
    for width, height in ((120, 40), (30, 10)):
        boxes = arrange(width, height, Content(metrics=5, is_asking=True)).boxes
        assert boxes["ask"] == Box(0, height - 1, width, 1)
        assert "keys" not in boxes


def test_the_log_stands_under_a_short_table_and_else_under_all() -> None:
    assert arrange(120, 40, USUAL).boxes["log"].x == arrange(120, 40, USUAL).boxes["table"].x
    long = Content(metrics=11, table_cells=120, table_rows=36)
    assert arrange(120, 40, long).boxes["log"] == Box(0, 33, 120, 6)


def test_medium_has_two_curves_on_top_and_the_table_below() -> None:
    arrangement = arrange(80, 24, USUAL)
    boxes = arrangement.boxes
    assert arrangement.kind == "medium"
    assert kinds(arrangement) == {"status", "curve0", "curve1", "metrics", "table", "keys"}
    assert boxes["curve0"].y < boxes["metrics"].y < boxes["table"].y


def test_the_log_takes_the_tables_place_when_asked_for() -> None:
    wish = Content(metrics=11, table_cells=120, table_rows=20, shows_log=True)
    for width, height in ((80, 24), (40, 20)):
        boxes = arrange(width, height, wish).boxes
        assert "log" in boxes
        assert "table" not in boxes


@pytest.mark.parametrize(("width", "height"), [(40, 20), (44, 24), (30, 12)])
def test_narrow_has_one_line_a_metric_and_no_curve(width: int, height: int) -> None:
    content = Content(metrics=11, table_cells=120, table_rows=20, status_rows=2)
    arrangement = arrange(width, height, content)
    assert arrangement.kind == "narrow"
    assert arrangement.curves == 0
    assert {"status", "metrics", "table"} <= kinds(arrangement)
    assert arrangement.boxes["metrics"].height >= 5


def test_a_tall_narrow_pane_has_room_for_a_curve() -> None:
    assert arrange(44, 60, USUAL).curves == 1


def test_before_the_first_entry_the_room_is_empty() -> None:
    assert kinds(arrange(120, 40, Content(is_empty=True))) == {"status", "empty", "keys"}


def test_the_banner_pushes_the_panels_down() -> None:
    boxes = arrange(120, 40, Content(metrics=11, table_cells=120, table_rows=20, banner_rows=2)).boxes
    assert boxes["banner"] == Box(0, 1, 120, 2)
    assert boxes["curve0"].y == 3
