"""Braille rows."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from widgets.braille import braille_row, levels


@given(st.lists(st.none() | st.integers(0, 3), max_size=40))
def test_every_value_has_its_dot(heights: list[int | None]) -> None:
    row = braille_row(heights)
    dots = ((0x40, 0x04, 0x02, 0x01), (0x80, 0x20, 0x10, 0x08))
    assert len(row) == -(-len(heights) // 2)
    for column, height in enumerate(heights):
        bits = 0 if row[column // 2] == " " else ord(row[column // 2]) - 0x2800
        drawn = [level for level in range(4) if bits & dots[column % 2][level]]
        assert (height in drawn) if height is not None else not drawn


def test_neighbours_are_joined() -> None:
    assert braille_row([0, 3]) == "⡸"


def test_a_gap_is_not_bridged() -> None:
    assert braille_row([0, None, 3, 3]) == "⡀⠉"


def test_beyond_the_range_is_clipped() -> None:
    assert levels(np.array([-9.0, 0.0, 1.0, 9.0, np.nan]), 0.0, 1.0) == [0, 0, 3, 3, None]


def test_a_constant_runs_through_the_middle() -> None:
    assert levels(np.array([2.0, 2.0]), 2.0, 2.0) == [1, 1]
