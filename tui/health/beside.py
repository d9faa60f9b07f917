"""The training loss of one stream, as it stood at any entry of another: evaluations are often rows of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from tui.decode.batch import Indices

if TYPE_CHECKING:
    from tui.health.track import Track

ROWS = 16
"""Rows (128 values) of the training loss before an evaluation that are set beside it."""


class Level(Struct, frozen=True):
    """The training loss as it stood, NaN where it was not known; levels of two baselines do not compare."""

    loss: float
    baseline: int = 0


UNKNOWN = Level(np.nan)


class TrainingLoss:
    """The rows of a stream's training loss as medians, each at the entry that completed it.

    What is kept grows until `trim`.

    Attributes:
        name: The metric's; None while there is none.
    """

    def __init__(self) -> None:
        self.name: str | None = None
        self._baseline = 0
        self._entries: list[int] = []
        self._levels: list[Level] = []

    def extend(self, track: Track) -> None:
        """Take in the fresh rows of the metric that is the training loss now."""
        if track.name != self.name:
            self.name = track.name
            self.begin(self._last)
        octets = track.octets
        if octets.fresh:  # rows that are judged again, where fields have changed, count from there on
            self._entries += np.maximum(octets.entries[-octets.fresh :, -1], self._last).tolist()
            self._levels += [
                Level(median, self._baseline) for median in octets.medians[-octets.fresh :].tolist()
            ]

    def begin(self, entry: int) -> None:
        """The baseline begins afresh behind this entry."""
        self._baseline += 1
        self._entries.append(max(entry, self._last))
        self._levels.append(Level(np.nan, self._baseline))

    def level(self, entry: int) -> Level:
        """The mean of the last 16 row medians up to an entry."""
        stop = int(np.searchsorted(self._entries, entry, side="right"))
        rows = self._levels[max(stop - ROWS, 0) : stop]
        if not rows:
            return UNKNOWN
        baseline = rows[-1].baseline
        losses = [row.loss for row in rows if row.baseline == baseline and row.loss == row.loss]
        return Level(sum(losses) / len(losses) if losses else np.nan, baseline)

    def trim(self) -> None:
        """Forget what only entries long past could ask for."""
        del self._entries[:-ROWS], self._levels[:-ROWS]

    @property
    def _last(self) -> int:
        return self._entries[-1] if self._entries else -1


class Beside(Struct, eq=False):
    """The training loss of another stream, by the entries of this one.

    `before` (n,) says how many entries of the other stream came before each entry of this one, from `first` on.
    """

    training: TrainingLoss
    first: int = 0
    before: Indices | None = None

    def level(self, entry: int) -> Level:
        """The training loss as it stood at an entry of this stream."""
        return (
            UNKNOWN if self.before is None else self.training.level(int(self.before[entry - self.first]) - 1)
        )


class Order(Struct, frozen=True, eq=False):
    """Where in a batch the entries of the stream that trains lie, `places` (n,), and how many came before it."""

    count: int
    places: Indices

    def before(self, at: Indices) -> Indices:
        """How many of its entries came before each of these positions in the batch (n,)."""
        return self.count + np.searchsorted(self.places, at)
