"""Round ticks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgets.ticks import round_ticks


@pytest.mark.parametrize(
    ("low", "high", "most", "ticks"),
    [
        (0.0, 21784.0, 5, [0.0, 5000.0, 10000.0, 15000.0, 20000.0]),
        (0.86, 3.8, 4, [1.0, 2.0, 3.0]),
        (0.035, 0.26, 3, [0.1, 0.2]),
        (-1.0, 1.0, 3, [-1.0, 0.0, 1.0]),
        (3.0, 3.0, 4, [3.0]),
        (0.0, 1e13, 3, [0.0, 5e12, 1e13]),
    ],
)
def test_ticks_are_round_and_few(low: float, high: float, most: int, ticks: list[float]) -> None:
    assert round_ticks(low, high, most) == pytest.approx(ticks)


@given(st.floats(-1e15, 1e15), st.floats(1e-9, 1e15), st.integers(1, 10))
def test_there_are_never_more_than_asked_nor_outside(low: float, extent: float, most: int) -> None:
    ticks = round_ticks(low, low + extent, most)
    assert len(ticks) <= most
    assert ticks == sorted(ticks)


def test_a_range_that_is_none_has_no_ticks() -> None:
    assert round_ticks(float("nan"), 1.0, 3) == []
    assert round_ticks(2.0, 1.0, 3) == []
