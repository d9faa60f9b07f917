"""A loss that is printed the same twenty times in a row, or a loss or norm that is exactly zero five times."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from tui.health.alerts import Severity
from tui.health.findings import Explanation, Finding, OpenIncidents
from tui.health.track import Track
from tui.health.wording import number, step_text
from tui.roles import Role

SAME, ZEROS = 20, 5
"""Equal values in a row, and zeros in a row, that raise a warning."""

USUAL_SHARE = 0.05
"""A log in which so many neighbours were equal before (few digits, many zeros) is not judged by it."""

ARMED = 50
"""Values before the run, by which that is known."""


class Frozen:
    """Runs of equal values of the main loss: what a detached graph or a failed mixed-precision step leaves.

    A loss may well be rounded to few digits, or zero in most entries of a fine-tune, so a log in which equal
    neighbours are nothing new is left alone. A norm of zero throughout was not reported; one that becomes zero
    is a collapse, and critical.
    """

    has_baseline = False

    def __init__(self, track: Track) -> None:
        self._track = track
        self._serial = 0
        self._open: Finding | None = None
        self._count = 0
        self._equal = 0
        self._run = 0
        self._value = np.nan
        self._onset = (0, 0.0)

    def restart(self, still_open: OpenIncidents, *, resumes: bool) -> None:
        """Forget the run; how often neighbours are equal stays known."""
        if self._open is not None and self._open.incident not in still_open:
            self._open = None
        self._run, self._value = 0, np.nan

    def feed(self) -> Iterator[Finding]:
        """Judge the portion as it was logged; values unlike their neighbours are passed by together."""
        entries, steps, values = self._track.raw
        is_equal = values == np.concatenate(([self._value], values[:-1]))
        at = 0
        for equal in (*np.flatnonzero(is_equal).tolist(), len(values)):
            while at < equal and self._open is not None:
                yield from self._judge(int(entries[at]), float(steps[at]), float(values[at]))
                at += 1
            if at < equal:
                self._count += equal - at
                self._begin_run(int(entries[equal - 1]), float(steps[equal - 1]), float(values[equal - 1]))
            if equal < len(values):
                yield from self._judge(int(entries[equal]), float(steps[equal]), float(values[equal]))
            at = equal + 1

    def is_quiet(self, before: float, value: float) -> bool:
        """Nothing is under way, and the value is another one."""
        return self._open is None and value != before

    def explain(self) -> Explanation:
        """How long the present run is, and how usual equal neighbours are."""
        is_armed = self._count >= ARMED
        numbers = {
            "run": float(self._run),
            "equal_share": self._equal / max(self._count, 1),
            "threshold": float(SAME),
        }
        return Explanation(
            "frozen",
            self._track.name,
            is_armed,
            None if is_armed else f"{self._count} of {ARMED} values",
            numbers,
        )

    def _begin_run(self, entry: int, step: float, value: float) -> None:
        self._run, self._value, self._onset = 1, value, (entry, step)

    def _judge(self, entry: int, step: float, value: float) -> Iterator[Finding]:
        self._count += 1
        if value != self._value:
            if self._open is not None:
                message = f"{self._track.name} moves again: {number(value)} at step {step_text(step)}"
                yield replace(self._open, entry=entry, step=step, message=message, is_over=True)
                self._open = None
            self._begin_run(entry, step, value)
            return
        self._run += 1
        self._equal += 1
        if self._run == (ZEROS if value == 0 else SAME) and self._is_unusual(value):
            yield from self._raise(entry, step, value)

    def _is_unusual(self, value: float) -> bool:
        before = self._count - self._run
        is_watched = self._track.is_loss or (self._track.role is Role.GRAD_NORM and value == 0)
        return is_watched and before >= ARMED and self._equal - self._run + 1 < USUAL_SHARE * before

    def _raise(self, entry: int, step: float, value: float) -> Iterator[Finding]:
        self._serial += 1
        is_norm = self._track.role is Role.GRAD_NORM
        kind = "gradient_collapse" if is_norm else "zero_loss" if value == 0 else "frozen"
        onset_entry, onset_step = self._onset
        self._open = Finding(
            incident=("frozen", self._track.name, self._serial),
            kind=kind,
            severity=Severity.CRITICAL if is_norm else Severity.WARNING,
            entry=entry,
            step=step,
            onset_entry=onset_entry,
            onset_step=onset_step,
            message=(
                f"{self._track.name} is exactly {number(value)} in each of {self._run} entries "
                f"since step {step_text(onset_step)}"
            ),
            evidence={"value": value, "entries": float(self._run), "threshold": float(self._run)},
        )
        yield self._open
