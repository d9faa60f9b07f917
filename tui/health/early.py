"""A loss that breaks before there is a baseline: short and costly runs can't wait for a hundred entries."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tui.health.alerts import Severity
from tui.health.findings import Explanation, Finding, OpenIncidents
from tui.health.scale import ARMED_ROWS
from tui.health.track import Track
from tui.health.wording import number, step_text
from tui.ordered import median

FIRST_ROW = 4
"""Rows (32 values) before the first that is judged."""

SPREADS, SHARE = 4.0, 0.5
"""How far a row must rise: over the spread of the rows before, and of all that was learned until then."""

LEARNED_SHARE = 0.6
"""The loss must have fallen below this share of its first value: what explodes at the very start heals by itself."""

ROWS = 2
"""Rows (16 values) in a row that must have risen, or must be back."""


class _Break(Struct, frozen=True):
    finding: Finding
    bound: float


class EarlyBreak:
    """Watches the main loss from its 33rd to its 104th value, with wide margins."""

    has_baseline = True

    def __init__(self, track: Track) -> None:
        self._track = track
        self._serial = 0
        self._open: _Break | None = None
        self._medians: list[float] = []
        self._count = 0

    def restart(self, still_open: OpenIncidents, *, resumes: bool) -> None:
        """Start afresh; a loss that is as good as it was ends what is open."""
        if self._open is not None and self._open.finding.incident not in still_open:
            self._open = None
        self._medians.clear()
        self._count = 0

    def feed(self) -> Iterator[Finding]:
        """Judge the fresh rows among the first thirteen, and later ones only while something is open."""
        octets = self._track.octets
        start = octets.count - octets.fresh
        for count in range(start, octets.count):
            if count > ARMED_ROWS and self._open is None:
                return
            row = count - octets.first
            if self._open is not None:
                yield from self._recheck(row, self._open)
            elif self._track.is_loss and self._track.has_direction:
                yield from self._judge(row)

    def explain(self) -> Explanation:
        """Whether it is still at work."""
        is_armed = FIRST_ROW <= len(self._medians) <= ARMED_ROWS
        return Explanation(
            "early_break", self._track.name, is_armed, None if is_armed else "not at this length", {}
        )

    def _judge(self, row: int) -> Iterator[Finding]:
        median, known = float(self._track.octets.medians[row]), self._medians
        level, bound = self._measure(known) if len(known) >= FIRST_ROW else (median, np.inf)
        self._count = self._count + 1 if median > bound else 0
        if self._count >= ROWS:
            self._count = 0
            self._open = _Break(self._raise(row, level, bound), (level + bound) / 2)
            yield self._open.finding
        elif median < (level + bound) / 2:  # what may be the break already is no part of what was before
            known.append(median)

    def _raise(self, row: int, level: float, bound: float) -> Finding:
        self._serial += 1
        octets, first = self._track.octets, row - ROWS + 1
        median, initial, onset = float(octets.medians[row]), self._medians[0], float(octets.steps[first, 0])
        return Finding(
            incident=("early_break", self._track.name, self._serial),
            kind="divergence",
            severity=Severity.WARNING,
            entry=int(octets.entries[row, -1]),
            step=float(octets.steps[row, -1]),
            onset_entry=int(octets.entries[first, 0]),
            onset_step=onset,
            message=(
                f"{self._track.name} {number(level)} → {number(median)} since step {step_text(onset)}; "
                f"it had begun at {number(initial)}"
            ),
            evidence={"level": level, "recent": median, "initial": initial, "threshold": bound},
        )

    @staticmethod
    def _measure(medians: list[float]) -> tuple[float, float]:
        """The level, and the y that a row must exceed: infinite where too little was learned to be lost."""
        recent = sorted(medians[-FIRST_ROW:])
        level, spread = median(recent), recent[-2] - recent[0]  # one bad row is no spread
        learned = medians[0] - level
        if medians[0] <= 0 or level > LEARNED_SHARE * medians[0]:
            return level, np.inf
        return level, level + max(SPREADS * spread, SHARE * learned)

    def _recheck(self, row: int, broken: _Break) -> Iterator[Finding]:
        octets = self._track.octets
        self._count = self._count + 1 if octets.medians[row] < broken.bound else 0
        if self._count >= ROWS:
            entry, step = int(octets.entries[row, -1]), float(octets.steps[row, -1])
            message = f"{self._track.name} is back at {number(float(octets.medians[row]))}; {broken.finding.message}"
            self._open, self._count = None, 0
            yield replace(broken.finding, kind="spike", entry=entry, step=step, message=message, is_over=True)
