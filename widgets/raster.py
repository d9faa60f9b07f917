"""Bands of dots: what lies between the least and the greatest of each column, as braille, without a curve library."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from widgets.scale import Columns

Codes = npt.NDArray[np.uint32]
"""Characters (rows, columns) as code points."""

BLANK = 0x20
DOTS_ACROSS, DOTS_DOWN = 2, 4
"""Dots of one cell."""

_BRAILLE = 0x2800
_WEIGHTS = np.array(((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80)), np.uint32)
"""The bit of each dot of a cell, by row from the top and by column from the left."""


def draw_bands(
    columns: Columns, low: Columns, high: Columns, size: tuple[int, int], gaps: Sequence[int] = ()
) -> Codes:
    """The cells for bands of dots, neighbours joined.

    Args:
        columns: The dot columns (m,) that have a band, rising.
        low: The first dot (m,) of each, counted from the bottom.
        high: The last dot (m,) of each.
        size: Width and height in cells.
        gaps: Indices (from 1) of bands before which a column is empty on purpose.
    """
    width, height = size
    if not len(columns) or width < 1 or height < 1:
        return np.full((max(height, 0), max(width, 0)), BLANK, np.uint32)
    columns, low, high = _bridged(columns, low, high, gaps)
    low, high = _joined(columns, low, high)
    dots = np.arange(height * DOTS_DOWN - 1, -1, -1)[:, None]
    grid = np.zeros((height * DOTS_DOWN, width * DOTS_ACROSS), np.bool_)
    grid[:, columns] = (dots >= low) & (dots <= high)
    return _pack(grid, width, height)


def to_codes(rows: Sequence[str], width: int) -> Codes:
    """Rows of text, each of `width` characters of one cell, as code points."""
    text = "".join(rows)
    return np.frombuffer(text.encode("utf-32-le"), np.uint32).reshape(len(rows), width)


def to_text(codes: Codes) -> str:
    """Code points as text, row after row."""
    return codes.astype("<u4").tobytes().decode("utf-32-le")


def _pack(grid: npt.NDArray[np.bool_], width: int, height: int) -> Codes:
    cells = grid.reshape(height, DOTS_DOWN, width, DOTS_ACROSS)
    bits = np.einsum("rdcx,dx->rc", cells, _WEIGHTS, dtype=np.uint32, casting="unsafe")
    return np.where(bits > 0, bits + _BRAILLE, BLANK).astype(np.uint32)


def _bridged(
    columns: Columns, low: Columns, high: Columns, gaps: Sequence[int]
) -> tuple[Columns, Columns, Columns]:
    """With bands in the columns between two that have one, from one to the other in a straight line."""
    if len(columns) == columns[-1] - columns[0] + 1:
        return columns, low, high
    across = np.arange(columns[0], columns[-1] + 1)
    low = np.rint(np.interp(across, columns, low)).astype(np.int64)
    high = np.rint(np.interp(across, columns, high)).astype(np.int64)
    is_kept = np.ones(len(across), np.bool_)
    for gap in gaps:
        is_kept[columns[gap - 1] + 1 - columns[0] : columns[gap] - columns[0]] = False
    return across[is_kept], low[is_kept], high[is_kept]


def _joined(columns: Columns, low: Columns, high: Columns) -> tuple[Columns, Columns]:
    """Bands of neighbouring columns made to touch: each reaches to the dot next to the end of the one before."""
    near = columns[1:] - columns[:-1] == 1
    joined_low, joined_high = low.copy(), high.copy()
    joined_low[1:][near] = np.minimum(low[1:], high[:-1] + 1)[near]
    joined_high[1:][near] = np.maximum(high[1:], low[:-1] - 1)[near]
    return joined_low, joined_high
