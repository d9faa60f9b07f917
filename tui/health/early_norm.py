"""A gradient norm that breaks before there is a baseline: many times beyond all before, or down to a hundredth."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tui.health.alerts import Severity
from tui.health.findings import Explanation, Finding, OpenIncidents
from tui.health.gradient import collapse_group
from tui.health.scale import ARMED_ROWS
from tui.health.track import Track
from tui.health.wording import number, step_text
from tui.ordered import median

FIRST_ROW, ROWS = 4, 2
"""Rows (32 values) before the first that is judged, and rows in a row that must be beyond, or back."""

RISE, FALL = 5.0, 0.01
"""Times the highest row before, and of the median row before: no healthy start of a run comes near either."""

KNOWN_ROWS = 48
"""Rows that are remembered, and judged for a fall once the warm-up is over: then the run has a reference."""


class _Break(Struct, frozen=True):
    """An open incident, and the logarithm that the norm must cross for it to be over."""

    finding: Finding
    bound: float
    is_rise: bool

    def is_back(self, level: float) -> bool:
        """Whether a row lies on the good side again."""
        return level < self.bound if self.is_rise else level > self.bound


class EarlyNorm:
    """Watches the global norm from its 33rd value on: for a rise to its 104th, for a fall until the warm-up is over.

    What may be part of a break already is no part of what was before. A fall joins the record of a collapse that is
    seen against the run's own reference later.
    """

    has_baseline = True

    def __init__(self, track: Track) -> None:
        self._track = track
        self._serial = 0
        self._open: _Break | None = None
        self._known: list[float] = []
        self._count = 0
        self._is_done = False  # the rules with a baseline are at work

    def restart(self, still_open: OpenIncidents, *, resumes: bool) -> None:
        """Start afresh; a norm on the good side again ends what is open."""
        if self._open is not None and self._open.finding.incident not in still_open:
            self._open = None
        self._known.clear()
        self._count = 0
        self._is_done = False

    def feed(self) -> Iterator[Finding]:
        """Judge the fresh rows while there is no other rule to."""
        octets = self._track.octets
        for row in range(len(octets.medians) - octets.fresh, len(octets.medians)):
            if self._open is not None:
                yield from self._recheck(row, self._open)
                continue
            self._is_done = self._is_done or self._is_late(row)
            if self._is_done:
                return
            yield from self._judge(row, float(octets.medians[row]))

    def explain(self) -> Explanation:
        """Whether it is still at work, and the norms that would be a break."""
        is_armed = len(self._known) >= FIRST_ROW and not self._is_done
        numbers = {}
        if is_armed:
            numbers = {
                "highest": float(np.exp(max(self._known) + np.log(RISE))),
                "lowest": float(np.exp(median(self._known) + np.log(FALL))),
            }
        return Explanation(
            "early_norm", self._track.name, is_armed, None if is_armed else "not at this length", numbers
        )

    def _is_late(self, row: int) -> bool:
        """Whether the warm-up is over by this row, and enough is known."""
        octets = self._track.octets
        if octets.first + row <= KNOWN_ROWS:
            return False
        return self._track.schedule.phase(int(octets.entries[row, -1])).warm_end is not None

    def _judge(self, row: int, level: float) -> Iterator[Finding]:
        known = self._known
        if len(known) < FIRST_ROW:
            known.append(level)
            return
        high, low = max(known) + float(np.log(RISE)), median(known) + float(np.log(FALL))
        is_rise = level > high and self._track.octets.first + row <= ARMED_ROWS
        if not is_rise and level >= low:
            self._count = 0
            if len(known) < KNOWN_ROWS and level <= high:
                known.append(level)
            return
        self._count += 1
        if self._count >= ROWS:
            self._count = 0
            before, bound = (max(known), high) if is_rise else (median(known), low)
            self._open = _Break(
                self._raise(row, level, before, bound, is_rise=is_rise), (before + bound) / 2, is_rise
            )
            yield self._open.finding

    def _raise(self, row: int, level: float, before: float, bound: float, *, is_rise: bool) -> Finding:
        self._serial += 1
        octets, name = self._track.octets, self._track.name
        first = max(row - ROWS + 1, 0)
        now, onset = float(np.exp(level)), float(octets.steps[first, 0])
        what = "the most that it had been" if is_rise else "what it mostly was"
        return Finding(
            incident=("early_norm", name, self._serial),
            kind="gradient_explosion" if is_rise else "gradient_collapse",
            severity=Severity.WARNING if is_rise else Severity.CRITICAL,
            entry=int(octets.entries[row, -1]),
            step=float(octets.steps[row, -1]),
            onset_entry=int(octets.entries[first, 0]),
            onset_step=onset,
            message=f"{name} {number(now)} since step {step_text(onset)} is {number(float(np.exp(level - before)), 2)} "
            f"times {what}, {number(float(np.exp(before)))}",
            evidence={"grad_norm": now, "before": float(np.exp(before)), "threshold": float(np.exp(bound))},
            group=None if is_rise else collapse_group(name),
            reach=np.inf,
        )

    def _recheck(self, row: int, broken: _Break) -> Iterator[Finding]:
        octets = self._track.octets
        level = float(octets.medians[row])
        self._count = self._count + 1 if broken.is_back(level) else 0
        if self._count >= ROWS:
            entry, step = int(octets.entries[row, -1]), float(octets.steps[row, -1])
            message = (
                f"{self._track.name} is back at {number(float(np.exp(level)))}; {broken.finding.message}"
            )
            self._open, self._count = None, 0
            yield replace(broken.finding, entry=entry, step=step, message=message, is_over=True)
