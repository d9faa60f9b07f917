"""Pages of metrics."""

from hypothesis import given
from hypothesis import strategies as st

from tui.screens.paging import Page, turn_to


def test_pages_begin_where_the_ones_before_end() -> None:
    assert [turn_to(number, 30, 5, 12).start for number in range(3)] == [0, 5, 17]
    assert turn_to(9, 30, 5, 12) == Page(3, 29, 4)
    assert turn_to(2, 17, 5, 12) == Page(1, 5, 2)


def test_only_the_later_ones_say_so() -> None:
    assert turn_to(0, 30, 5, 12).label == ""
    assert turn_to(1, 30, 5, 12).label == "page 2 of 4"


@given(st.integers(-2, 99), st.integers(0, 1000), st.integers(1, 20), st.integers(1, 20))
def test_every_metric_is_on_one_page(number: int, metrics: int, first: int, later: int) -> None:
    page = turn_to(number, metrics, first, later)
    sizes = [first, *[later] * (page.count - 1)]
    assert sum(sizes) >= metrics
    assert page.start == sum(sizes[: page.number])
    assert page.start < max(metrics, 1)
