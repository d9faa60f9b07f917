"""Gradient norms below a floor that the user has set: a collapse, also where the run has shown nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from tui.health.alerts import Severity
from tui.health.findings import Explanation, Finding, OpenIncidents
from tui.health.gradient import CHECKS, CLEAR_FACTOR, CURRENT_ROWS, collapse_group, median_of_three
from tui.health.octets import WIDTH
from tui.health.track import Track
from tui.health.wording import number


class GradientFloor:
    """Compares the median of the last 24 norms with a fixed one; joins the record of a relative collapse."""

    has_baseline = False

    def __init__(self, track: Track) -> None:
        assert track.settings.floor is not None
        self._track = track
        self._floor = track.settings.floor
        self._serial = 0
        self._below = 0
        self._open: Finding | None = None
        self._current = np.nan

    def restart(self, still_open: OpenIncidents, *, resumes: bool) -> None:
        """A floor holds for every attempt; what is open is over when the norm is above it again."""
        self._below = 0
        if self._open is not None and self._open.incident not in still_open:
            self._open = None

    def feed(self) -> Iterator[Finding]:
        """Judge every fresh row."""
        octets = self._track.octets
        start = max(len(octets.medians) - octets.fresh, CURRENT_ROWS - 1)
        if start >= len(octets.medians):
            return
        levels = np.exp(median_of_three(octets.medians[start - CURRENT_ROWS + 1 :]))
        for row, level in enumerate(levels.tolist(), start):
            self._current = level
            yield from self._judge(row)

    def explain(self) -> Explanation:
        """The present norm and the floor."""
        values = self._track.octets.total
        is_armed = values >= CURRENT_ROWS * WIDTH
        numbers = {"grad_norm": self._current, "floor": self._floor} if is_armed else {}
        reason = None if is_armed else f"{values} of {CURRENT_ROWS * WIDTH} values"
        return Explanation("gradient_floor", self._track.name, is_armed, reason, numbers)

    def _judge(self, row: int) -> Iterator[Finding]:
        octets, name = self._track.octets, self._track.name
        entry, step = int(octets.entries[row, -1]), float(octets.steps[row, -1])
        if self._open is not None:
            if self._current > CLEAR_FACTOR * self._floor:
                message = (
                    f"{name} is back at {number(self._current)}, above its floor of {number(self._floor)}"
                )
                yield replace(self._open, entry=entry, step=step, message=message, is_over=True)
                self._open = None
            return
        self._below = self._below + 1 if self._current < self._floor else 0
        if self._below >= CHECKS:
            self._serial, self._below = self._serial + 1, 0
            first = row - CHECKS + 1
            self._open = Finding(
                incident=("gradient_floor", name, self._serial),
                kind="gradient_collapse",
                severity=Severity.WARNING,
                entry=entry,
                step=step,
                onset_entry=int(octets.entries[first, 0]),
                onset_step=float(octets.steps[first, 0]),
                message=(
                    f"{name} {number(self._current)} (median of {CURRENT_ROWS * WIDTH}) is below the floor of "
                    f"{number(self._floor)} that the configuration sets"
                ),
                evidence={"grad_norm": self._current, "threshold": self._floor},
                group=collapse_group(name),
                reach=np.inf,
            )
            yield self._open
