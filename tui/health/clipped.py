"""Gradient norms that are logged after clipping: an explosion can't be seen in them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from tui.health.alerts import Severity
from tui.health.findings import Explanation, Finding, OpenIncidents
from tui.health.octets import WIDTH
from tui.health.track import Track
from tui.health.wording import number

ROWS, SHARE = 12, 0.5
"""Rows (96 values) of which such a share equals the highest of them."""

CLEAR_SHARE = 0.1
"""Below it the norms are no longer clipped."""

_EVERY = 8  # rows between two looks
_SAME = 1e-9  # relative difference of values that are the same


class ClippedGradient:
    """Remarks (info) that half of the last norms equal their own maximum, the clipping threshold."""

    has_baseline = True

    def __init__(self, track: Track) -> None:
        self._track = track
        self._open: Finding | None = None
        self._serial = 0
        self._share = 0.0

    def restart(self, still_open: OpenIncidents, *, resumes: bool) -> None:
        """Nothing is learned, so nothing is forgotten."""
        if self._open is not None and self._open.incident not in still_open:
            self._open = None

    def feed(self) -> Iterator[Finding]:
        """Look at every eighth row."""
        octets = self._track.octets
        for count in range(octets.count - octets.fresh, octets.count):
            if count >= ROWS and count % _EVERY == 0:
                yield from self._look(count - octets.first)

    def explain(self) -> Explanation:
        """The share of norms at their maximum."""
        is_armed = self._track.octets.count > ROWS
        reason = None if is_armed else f"{self._track.octets.total} of {(ROWS + 1) * WIDTH} values"
        return Explanation(
            "clipped_gradient", self._track.name, is_armed, reason, {"share": self._share, "threshold": SHARE}
        )

    def _look(self, row: int) -> Iterator[Finding]:
        octets = self._track.octets
        values = octets.values[row - ROWS + 1 : row + 1]
        top = float(values.max())
        self._share = float(np.count_nonzero(values >= top - _SAME)) / values.size
        entry, step = int(octets.entries[row, -1]), float(octets.steps[row, -1])
        if self._open is not None and self._share < CLEAR_SHARE:
            yield replace(self._open, entry=entry, step=step, is_over=True)
            self._open = None
        elif self._open is None and self._share >= SHARE:
            self._serial += 1
            limit = self._track.shown(top)
            self._open = Finding(
                incident=("clipped_gradient", self._track.name, self._serial), kind="clipped_gradient",
                severity=Severity.INFO, entry=entry, step=step,
                onset_entry=int(octets.entries[row - ROWS + 1, 0]), onset_step=float(octets.steps[row - ROWS + 1, 0]),
                message=(
                    f"{self._track.name} is {number(limit)} in most entries: it is logged after clipping, "
                    "and an explosion can't be seen in it"
                ),
                evidence={"limit": limit, "share": self._share, "threshold": SHARE},
            )  # fmt: skip
            yield self._open
