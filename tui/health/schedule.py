"""Where the warm-up ended and how the learning rate stands, as of any entry of the latest portion."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from tui.decode.batch import Floats, Indices

SETTLED_ENTRIES = 20
"""Entries without a new maximum of the learning rate after which the warm-up is over."""

GUESSED_ENTRY = 300
"""Without a logged learning rate the warm-up is taken to end at this entry: a guess, like every such number."""

_QUANTUM = 5e-4  # relative step of the learning rate that counts as a rise
_HIGHEST = 1e100  # a rate beyond is a number gone wrong
_HOT = 0.05  # share of its peak above which the learning rate still teaches


class Phase(Struct, frozen=True):
    """The schedule as of one entry.

    `warm_end` is the step at which the warm-up ended, None while it lasts. `hot_until` is the last step with
    a learning rate above 5 % of its peak (infinite where none is logged). `lr_share` is the rate over its
    peak.
    """

    warm_end: float | None
    hot_until: float = np.inf
    lr_share: float | None = None


class Schedule:
    """The run's steps and learning rate, remembered for the latest portion and summed up for what came before."""

    def __init__(self, total_steps: float | None = None) -> None:
        self.total_steps = total_steps
        self.clear()

    def clear(self) -> None:
        """Start afresh, as a new attempt does."""
        self._seen = 0
        self._guess: tuple[int, float] | None = None
        self._at: Indices = np.empty(0, np.int64)
        self._quanta: Indices = np.empty(0, np.int64)
        self._lr: Floats = np.empty(0)
        self._lr_steps: Floats = np.empty(0)
        self._peak_at: Indices = np.empty(0, np.int64)
        self._peak_steps: Floats = np.empty(0)
        self._hot_steps: Floats = np.empty(0)

    def extend(self, first_entry: int, steps: Floats) -> None:
        """Take in that a portion of entries begins at index `first_entry`, with these steps (n,)."""
        if self._guess is None and self._seen + len(steps) > GUESSED_ENTRY:
            offset = GUESSED_ENTRY - self._seen
            self._guess = (first_entry + offset, float(steps[offset]))
        self._seen += len(steps)

    def extend_lr(self, entries: Indices, steps: Floats, lr: Floats) -> None:
        """Add the portion's learning rates (k,) with their entries and steps; what is no rate is skipped."""
        usable = (lr > 0) & (lr < _HIGHEST)
        entries, steps, lr = entries[usable], steps[usable], lr[usable]
        if not len(lr):
            return
        if len(lr) == 1 and len(self._lr):
            self._push_lr(int(entries[0]), float(steps[0]), float(lr[0]))
            return
        self._at = np.concatenate((self._at[-1:], entries))
        self._lr = np.concatenate((self._lr[-1:], lr))
        self._lr_steps = np.concatenate((self._lr_steps[-1:], steps))
        self._follow_peak()
        self._follow_heat()

    def _push_lr(self, entry: int, step: float, lr: float) -> None:
        """Add one rate: the same as for many, at a fraction of what numpy costs for one."""
        before, quantum = int(self._quanta[-1]), int(np.floor(np.log(lr) / _QUANTUM))
        is_peak = quantum > before
        highest = quantum if is_peak else before
        is_hot = lr > _HOT * np.exp(_QUANTUM * highest)
        hot_before, peak_step = float(self._hot_steps[-1]), float(self._peak_steps[-1])
        peak_entry = int(self._peak_at[-1])
        self._at = np.array((int(self._at[-1]), entry))
        self._lr = np.array((float(self._lr[-1]), lr))
        self._lr_steps = np.array((float(self._lr_steps[-1]), step))
        self._quanta = np.array((before, highest))
        self._peak_at = np.array((peak_entry, entry if is_peak else peak_entry))
        self._peak_steps = np.array((peak_step, step if is_peak else peak_step))
        self._hot_steps = np.array((hot_before, step if is_hot else hot_before))

    def phase(self, entry: int) -> Phase:
        """The schedule as of an entry of the latest portion."""
        where = int(np.searchsorted(self._at, entry, side="right")) - 1
        if where < 0:
            return Phase(self._guess[1] if self._guess and self._guess[0] <= entry else None)
        is_settled = entry - int(self._peak_at[where]) >= SETTLED_ENTRIES
        share = float(self._lr[where] / np.exp(_QUANTUM * (self._quanta[where] + 0.5)))
        return Phase(
            warm_end=float(self._peak_steps[where]) if is_settled else None,
            hot_until=float(self._hot_steps[where]),
            lr_share=min(share, 1.0),
        )

    def _follow_peak(self) -> None:
        """Running maximum of the quantised rate, with the entry and step at which it was reached."""
        quanta = np.floor(np.log(self._lr) / _QUANTUM).astype(np.int64)
        if len(self._quanta):
            quanta[0] = self._quanta[-1]
        highest = np.maximum.accumulate(quanta)
        is_new = np.concatenate(([True], highest[1:] > highest[:-1]))
        latest = np.maximum.accumulate(np.where(is_new, np.arange(len(quanta)), 0))
        at, steps = self._at.copy(), self._lr_steps.copy()
        if len(self._peak_at):
            at[0], steps[0] = self._peak_at[-1], self._peak_steps[-1]
        self._quanta, self._peak_at, self._peak_steps = highest, at[latest], steps[latest]

    def _follow_heat(self) -> None:
        """The last step at which the rate was above 5 % of its peak."""
        is_hot = self._lr > _HOT * np.exp(_QUANTUM * self._quanta)
        steps = self._lr_steps.copy()
        if len(self._hot_steps):
            steps[0], is_hot[0] = self._hot_steps[-1], True
        latest = np.maximum.accumulate(np.where(is_hot, np.arange(len(steps)), 0))
        self._hot_steps = steps[latest]
