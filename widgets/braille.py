"""One row of braille as a small curve: two columns of four dots in every cell."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

LEVELS = 4
_BLANK = 0x2800
_DOTS = ((0x40, 0x04, 0x02, 0x01), (0x80, 0x20, 0x10, 0x08))
"""The bit of each dot, by column from the left and by level from the bottom."""


def braille_row(levels: Sequence[int | None]) -> str:
    """The cells for dot columns at these levels (0 to 3, None for a gap), two columns a cell.

    Neighbours are joined: a column also gets the dots between its level and the one before.

    >>> braille_row([0, 0, 3, None])
    '⣀⠇'
    """
    cells = [0] * (-(-len(levels) // 2))
    before: int | None = None
    for column, level in enumerate(levels):
        if level is not None:
            for dot in _joined(before, level):
                cells[column // 2] |= _DOTS[column % 2][dot]
        before = level
    return "".join(chr(_BLANK + cell) if cell else " " for cell in cells)


def _joined(before: int | None, level: int) -> range:
    if before is None or before == level:
        return range(level, level + 1)
    return range(before + 1, level + 1) if before < level else range(level, before)


def levels(values: Floats, low: float, high: float) -> list[int | None]:
    """The level of each value between `low` and `high`; beyond is clipped, NaN is a gap, no range the middle."""
    if not high > low:
        return [None if math.isnan(value) else 1 for value in values]
    scaled = np.clip((values - low) / (high - low), 0.0, 1.0) * (LEVELS - 1)
    return [None if math.isnan(value) else round(value) for value in scaled.tolist()]
