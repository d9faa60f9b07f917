"""How far a metric's level wanders about by itself: a slow drift of the data is no change of health."""

from __future__ import annotations

import numpy as np

from tui.decode.batch import Floats
from tui.health.octets import Octets

WANDER_ROWS = 12
"""Rows (96 values) between the levels and what is compared with them: as long as a change may take to confirm."""

GROUP = 8
"""Rows between two updates."""

MEMORY_GROUPS = 32
"""Groups (2,048 values) over which the wander is remembered; a plain mean before there are as many."""

WINSOR = 2.0
"""The most sigma that one step of the level counts, so that a spike does not numb the detector afterwards."""

WHITE = 0.43
"""The wander from which on a threshold is raised, in sigma; that of white noise is 0.5."""

MOST_INFLATION = 19.0
"""That of a mean over AR(1) noise with a coefficient of 0.9."""


class Wander:
    """Follows how far 16-value medians lie from where two earlier levels point to, in sigma.

    Its square, over that of white noise, is how much larger the variance of a mean is, which plateaus and joins
    are judged by. Short windows can't estimate it: a drift with a time of 300 entries has only a few
    independent swings in a thousand. Two levels are needed so that progress is no wander.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget it."""
        self._groups = 0
        self._square = 0.0
        self._open: Floats = np.empty(0)

    def extend(self, octets: Octets, expected: Floats, sigmas: Floats) -> Floats:
        """The variance inflation (fresh,) as of each fresh row, from the rows before it; at least 1.

        `expected` are the levels that the straight line through those 12 and 24 rows before leads to.
        """
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            steps = (self._pairs(octets) - expected) / sigmas
        steps = np.concatenate((self._open, np.minimum(np.maximum(steps, -WINSOR), WINSOR)))
        held = len(self._open)
        whole = len(steps) // GROUP * GROUP
        self._open = steps[whole:]
        groups = steps[:whole].reshape(-1, GROUP)
        squares = (groups * groups).sum(axis=1) / GROUP
        kappas = [self.inflation, *(self._take(square) for square in squares.tolist())]
        return np.repeat(kappas, GROUP)[held : held + octets.fresh]

    @property
    def inflation(self) -> float:
        """The variance inflation after the last group."""
        return min(max(self._square / WHITE**2, 1.0), MOST_INFLATION)

    @staticmethod
    def _pairs(octets: Octets) -> Floats:
        """The mean of each fresh row's median and that of the row before."""
        medians = octets.medians[-(octets.fresh + 1) :]
        pairs = (medians[1:] + medians[:-1]) / 2
        return pairs if len(pairs) == octets.fresh else np.concatenate(([np.nan], pairs))

    def _take(self, square: float) -> float:
        """Take in a group, unless it has rows without a sigma; the inflation after it."""
        if square == square:
            self._groups += 1
            self._square += (square - self._square) / min(self._groups, MEMORY_GROUPS)
        return self.inflation
