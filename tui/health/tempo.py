"""The pace of a run whose log tells the time and no rate: steps per second, as one more metric."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tui.decode.batch import Column, Floats, Indices, Span
from tui.roles import (
    ELAPSED_NAMES,
    FIRST_STAMP_S,
    STAMP_NAMES,
    Role,
    guess_role,
    is_evaluation,
    normalize_name,
)

TEMPO = "steps_per_s"
"""The name of the metric."""

_CLOCKS = tuple(name for name in (*ELAPSED_NAMES, *STAMP_NAMES) if name != "t")  # that may be anything
_STAMPS = {*STAMP_NAMES} - {"time", *ELAPSED_NAMES}
_NOWHERE = np.empty(0, np.int64)


class Tempo:
    """Derives the pace from a field that is a clock: one that never goes back within an attempt.

    Only beside a training loss: episodes of an agent, and evaluations, take the time that they take.
    An entry has a pace where the clock has moved on since the last that had one, so that whole seconds do. Pauses
    for evaluations are not taken out: it takes five slow entries in a row to raise anything. A rate that is logged
    is better, and ends this one.
    """

    def __init__(self, roles: Mapping[str, Role], clock: str | None = None) -> None:
        self._roles = roles
        self._clock = clock
        self._known: set[str] = set()
        self._is_off = self._has_loss = False
        self._last: tuple[float, float] | None = None  # step and time of the last entry with a pace

    def restart(self) -> None:
        """A new attempt may begin with any time."""
        self._last = None

    def add(self, span: Span) -> Span:
        """The entries with their pace, where they have one."""
        if self._is_off:
            return span
        start, stop = self._look_out(span)
        column = span.columns.get(self._clock or "")
        at, paces = _NOWHERE, np.empty(0)
        if column is not None and start < stop:
            at, paces = self._measure(*self._usable(span, column.slice(start, stop), start))
        self._is_off |= stop < len(span)
        return Span(span.steps, {**span.columns, TEMPO: Column(at, paces)}) if len(at) else span

    def measure_again(self, span: Span) -> Span:
        """The same for entries that have been seen before, by themselves; what is known stays as it is."""
        return span if self._is_off or self._clock is None else Tempo(self._roles, self._clock).add(span)

    def _look_out(self, span: Span) -> tuple[int, int]:
        """Look at fields that are new; from which entry on there is a loss, and from which a rate.

        The first clock is chosen.
        """
        news = [name for name in span.columns if name not in self._known]
        self._known.update(news)
        firsts = {name: int(span.columns[name].at[0]) for name in news if len(span.columns[name].at)}
        clocks = [
            (at, _CLOCKS.index(normalize_name(name)), name) for name, at in firsts.items() if _is_clock(name)
        ]
        if clocks and self._clock is None:
            self._clock = min(clocks)[2]
        roles = {name: self._roles.get(name) or guess_role(name) for name in firsts}
        rates = [at for name, at in firsts.items() if roles[name] is Role.THROUGHPUT]
        losses = [at for name, at in firsts.items() if roles[name] is Role.LOSS and not is_evaluation(name)]
        start = 0 if self._has_loss else min(losses, default=len(span))
        self._has_loss |= bool(losses)
        return start, min(rates, default=len(span))

    def _usable(self, span: Span, column: Column, start: int) -> tuple[Indices, Floats, Floats]:
        """Positions, steps and times of the entries that have the clock, from a position on, as long as it is one."""
        at, times = column.at + start, column.values
        before = -np.inf if self._last is None else self._last[1]
        with np.errstate(invalid="ignore"):
            is_bad = ~np.isfinite(times) | (times < np.concatenate(([before], times[:-1]))[: len(times)])
            if normalize_name(self._clock or "") in _STAMPS:
                is_bad |= times < FIRST_STAMP_S
        if is_bad.any():
            self._is_off = True
            at, times = at[: is_bad.argmax()], times[: is_bad.argmax()]
        return at, span.steps[at], times

    def _measure(self, at: Indices, steps: Floats, times: Floats) -> tuple[Indices, Floats]:
        """The positions of entries with a pace, and their paces."""
        known = self._last is not None
        if self._last is not None:
            steps, times = np.concatenate(([self._last[0]], steps)), np.concatenate(([self._last[1]], times))
        if not len(times):
            return _NOWHERE, times
        moved = np.flatnonzero(np.concatenate(([True], times[1:] > times[:-1])))
        steps, times = steps[moved], times[moved]
        self._last = (float(steps[-1]), float(times[-1]))
        ahead, took = np.diff(steps), np.diff(times)
        is_pace = ahead > 0
        where = moved[1:][is_pace] - known
        return at[where], ahead[is_pace] / took[is_pace]


def _is_clock(name: str) -> bool:
    return normalize_name(name) in _CLOCKS
