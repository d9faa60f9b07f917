"""What a run's alerts come to: false warnings, and when its incident was first warned of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from msgspec.structs import replace

from tests.bench.runs import Run, Truth
from tui.decode.batch import Column, Span
from tui.health.alerts import Alert, AlertChange, ChangeKind, Severity
from tui.health.engine import Engine
from tui.health.watch import RunHealth
from tui.store.pieces import Accepted
from tui.store.run import StreamPiece

CHUNK = 700
"""Entries in a chunk: what the feed hands on at a time while it reads a long log."""

EARLY = 20
"""Entries before the onset in which an alarm still counts as one for the incident."""

_REMARKS = ("restart", "discontinuity")  # seen even where they are only remarked on
_SHIFTS = ("cliff", "divergence", "spike")
KINDS = {
    "plateau": ("plateau", "decline"),
    "early_plateau": ("plateau", "decline"),
    "decline": ("decline", "plateau", "divergence"),
    "slow_collapse": ("gradient_collapse",),
    "sudden_collapse": ("gradient_collapse",),
    "explosion": ("gradient_explosion",),
    "cliff": _SHIFTS,
    "accuracy_cliff": _SHIFTS,
    "spike": _SHIFTS,
    "divergence": (*_SHIFTS, "decline"),
    "nan": ("nonfinite",),
    "slowdown": ("slowdown",),
    "restart": ("restart",),
    "discontinuity": ("discontinuity",),
    "overfit": ("overfit",),
}
"""The kinds that see an incident; a change of regime is healthy, and must raise nothing."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run's alerts came to: warnings that were false, notices, and the warning that was due.

    `entries` are those in which a warning is false. `last` is how the alert that was due stood in the end.
    """

    family: str
    seed: int
    truth: Truth | None
    entries: int
    false: tuple[AlertChange, ...]
    notices: int = 0
    seen: AlertChange | None = None
    last: Alert | None = None

    @property
    def delay(self) -> int | None:
        """Entries from the onset to the warning."""
        return None if self.seen is None or self.truth is None else max(self.seen.entry - self.truth.first, 0)

    @property
    def is_judged_right(self) -> bool:
        """Whether a spike ended as one that has healed, and a cliff as none, though learning may make up for it."""
        has_healed = self.last is not None and self.last.kind == "spike" and not self.last.is_firing
        return has_healed == (self.truth is not None and self.truth.incident == "spike")


def judge(span: Span, restart_at: int | None = None, total_steps: float | None = None) -> list[AlertChange]:
    """All changes that a run's entries bring about, as the feed would see them."""
    engine = Engine(total_steps=total_steps)
    changes: list[AlertChange] = []
    for start, stop in pairwise(sorted({*range(0, len(span), CHUNK), restart_at or 0, len(span)})):
        if start == restart_at:
            changes += engine.restart(float(span.steps[start]))
        changes += engine.extend(span.slice(start, stop))
    return changes


def judge_apart(span: Span) -> list[AlertChange]:
    """The same with each evaluation in a row of its own, behind the entry that it was made at."""
    every, evaluated = np.arange(len(span)), span.columns["val_loss"].at
    training = {name: column for name, column in span.columns.items() if name != "val_loss"}
    validation = Span(
        span.steps[evaluated],
        {"val_loss": Column(np.arange(len(evaluated)), span.columns["val_loss"].values)},
    )
    health, changes = RunHealth({}), []
    for start in range(0, len(span), CHUNK):
        stop = min(start + CHUNK, len(span))
        low, high = np.searchsorted(evaluated, (start, stop))
        pieces = [
            StreamPiece(0, Accepted(Span(span.steps, training).slice(start, stop), 2 * every[: stop - start]))
        ]
        if high > low:
            at = 2 * (evaluated[low:high] - start) + 1
            pieces.append(StreamPiece(1, Accepted(validation.slice(int(low), int(high)), at)))
        changes += [replace(found.change, entry=start + found.at // 2) for found in health.judge(pieces)]
    return changes


def score(run: Run, *, apart: bool = False) -> Outcome:
    """Tell false warnings from the one that was due; what comes after an incident began is never false."""
    truth = run.truth
    changes = judge_apart(run.span) if apart else judge(run.span, run.restart_at, run.total_steps)
    firsts = first_warnings(changes)
    if truth is None or truth.incident == "regime":
        notices = sum(change.what is ChangeKind.RAISED for change in changes) - len(firsts)
        return Outcome(run.family, run.seed, truth, len(run.span), firsts, notices)
    false = tuple(change for change in firsts if change.entry < truth.first - EARLY)
    candidates = firsts if truth.incident not in _REMARKS else tuple(changes)
    kinds = KINDS[truth.incident]
    due = (each for each in candidates if each.alert.kind in kinds and each.entry >= truth.first - EARLY)
    seen = next(due, None)
    last = {change.alert.number: change.alert for change in changes}
    ended = last[seen.alert.number] if seen else None
    return Outcome(run.family, run.seed, truth, max(truth.first - EARLY, 0), false, 0, seen, ended)


def first_warnings(changes: Iterable[AlertChange]) -> tuple[AlertChange, ...]:
    """For each alert the change by which it first became a warning."""
    firsts: dict[int, AlertChange] = {}
    for change in changes:
        if change.alert.severity is not Severity.INFO:
            firsts.setdefault(change.alert.number, change)
    return tuple(firsts.values())
