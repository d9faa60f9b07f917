"""What a norm or a rate mostly was: going back to it is no change for the worse."""

from __future__ import annotations

from collections import deque

import numpy as np

from tui.decode.batch import Floats
from tui.ordered import median

EVERY, COUNT = 16, 64
"""Rows between two levels that are remembered, and how many: 8,192 values."""


class Usual:
    """Levels at a distance of sixteen rows, over thousands of values."""

    def __init__(self) -> None:
        self._past: deque[tuple[int, float]] = deque(maxlen=2 * COUNT)

    def clear(self) -> None:
        """Forget them."""
        self._past.clear()

    def extend(self, levels: Floats, first_row: int) -> None:
        """Take in the levels of rows numbered from `first_row`."""
        for at in range(-first_row % EVERY, len(levels), EVERY):
            self._past.append((first_row + at, float(levels[at])))

    def level(self, row: int) -> float:
        """The usual level as of a row, the first third of the past apart; minus infinity where none is known."""
        past = [level for number, level in self._past if number < row and level == level]
        past = past[len(past) // 3 :][-COUNT:]
        return median(past) if past else -np.inf
