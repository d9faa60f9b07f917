"""The whole history of a metric in constant memory: a few blocks, which double their length when full."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import add

import numpy as np

from tui.decode.batch import Floats
from tui.health.octets import Octets

CAPACITY = 128
"""Blocks that are kept; after a merge there are half as many, so a run is seen at a resolution of 64 to 128."""


class Blocks:
    """Blocks of rows: the mean of their row medians, and their middle step.

    A block is robust within its rows of eight, and its mean over rows makes merging exact: a block of four
    rows is the same whether it was gathered as one or merged from four.

    Attributes:
        steps: The middle step of each closed block, in order.
        values: Its mean of row medians.
        rows: How many rows a block has now.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self.steps: list[float] = []
        self.values: list[float] = []
        self.rows = 1
        self._open_rows = 0
        self._value_sum = self._step_sum = 0.0

    def __len__(self) -> int:
        return len(self.values)

    def extend(self, octets: Octets) -> Iterator[int]:
        """Add the fresh rows; yields, as each block closes, the position in the octets of its last row.

        Between two of these the blocks stand as they were when that row came, so a caller may judge them
        there.
        """
        if not octets.fresh:
            return
        start = len(octets.medians) - octets.fresh
        middles = ((octets.steps[start:, 3] + octets.steps[start:, 4]) / 2).tolist()
        medians = octets.medians[start:].tolist()
        at = 0
        while at < octets.fresh:
            taken = min(self.rows - self._open_rows, octets.fresh - at)
            self._value_sum = reduce(
                add, medians[at : at + taken], self._value_sum
            )  # in order, in any portions
            self._step_sum = reduce(add, middles[at : at + taken], self._step_sum)
            self._open_rows += taken
            at += taken
            if self._open_rows == self.rows:
                self._close()
                yield start + at - 1

    def since(self, step: float) -> tuple[Floats, Floats]:
        """The blocks whose middle lies beyond a step: their steps and values, (k,) each."""
        steps, values = np.array(self.steps), np.array(self.values)
        late = steps > step
        return steps[late], values[late]

    def _close(self) -> None:
        self.steps.append(self._step_sum / self.rows)
        self.values.append(self._value_sum / self.rows)
        self._open_rows, self._value_sum, self._step_sum = 0, 0.0, 0.0
        if len(self.values) == self._capacity:
            self.steps = [(a + b) / 2 for a, b in zip(self.steps[::2], self.steps[1::2], strict=True)]
            self.values = [(a + b) / 2 for a, b in zip(self.values[::2], self.values[1::2], strict=True)]
            self.rows *= 2
