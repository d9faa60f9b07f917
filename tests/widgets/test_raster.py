"""Bands of dots."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from widgets.raster import BLANK, draw_bands, to_codes, to_text


def dots_of(codes: np.ndarray) -> set[tuple[int, int]]:
    """The dots that are set, as column from the left and row from the bottom."""
    bits = {0: (0, 3), 1: (0, 2), 2: (0, 1), 3: (1, 3), 4: (1, 2), 5: (1, 1), 6: (0, 0), 7: (1, 0)}
    rows, columns = codes.shape
    return {
        (2 * column + bits[bit][0], 4 * (rows - 1 - row) + bits[bit][1])
        for row in range(rows)
        for column in range(columns)
        if codes[row, column] != BLANK
        for bit in range(8)
        if (int(codes[row, column]) - 0x2800) >> bit & 1
    }


@given(st.lists(st.tuples(st.integers(0, 15), st.integers(0, 15)), min_size=20, max_size=20))
def test_every_column_has_its_band_and_neighbours_touch(ends: list[tuple[int, int]]) -> None:
    low = np.array([min(pair) for pair in ends])
    high = np.array([max(pair) for pair in ends])
    drawn = dots_of(draw_bands(np.arange(20), low, high, (10, 4)))
    for column in range(20):
        mine = {row for at, row in drawn if at == column}
        assert set(range(low[column], high[column] + 1)) <= mine
        assert mine == set(range(min(mine), max(mine) + 1))
        if column:
            before = {row for at, row in drawn if at == column - 1}
            assert min(abs(row - other) for row in mine for other in before) <= 1


def test_columns_without_a_band_are_bridged_by_a_straight_line() -> None:
    drawn = dots_of(draw_bands(np.array([0, 6]), np.array([0, 6]), np.array([0, 6]), (4, 2)))
    assert drawn == {(column, column) for column in range(7)}


def test_a_gap_is_left_open() -> None:
    drawn = dots_of(draw_bands(np.array([0, 2, 6]), np.zeros(3, int), np.zeros(3, int), (4, 1), [2]))
    assert {column for column, _ in drawn} == {0, 1, 2, 6}


def test_nothing_gives_a_blank_canvas() -> None:
    none = np.zeros(0, np.int64)
    assert (draw_bands(none, none, none, (3, 2)) == BLANK).all()
    assert draw_bands(none, none, none, (0, 2)).shape == (2, 0)


def test_text_and_code_points_are_one_another() -> None:
    assert to_text(to_codes(["⡇ a", "•×─"], 3)) == "⡇ a•×─"
