"""A loss that is another after a restart than it was at the same steps before."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tui.decode.batch import Floats
from tui.health.alerts import Severity
from tui.health.excursion import RECOVERED_SIGMAS
from tui.health.findings import Explanation, Finding, OpenIncidents
from tui.health.octets import HISTORY, WIDTH
from tui.health.track import Track
from tui.health.wording import number, signed, step_text
from tui.ordered import median

ROWS = 3
"""Rows (24 values) of the new attempt that are compared."""

FEWEST = 8
"""Values of the old attempt at the same steps, or its blocks are asked."""

THRESHOLD = 4.0
"""Standard errors of the difference."""

_MEDIAN_ERROR = 1.2533  # of a median over that of a mean, for normal noise
_REMARK_ROWS = 16  # for as long a better loss is remarked on


class Before(Struct, frozen=True, eq=False):
    """The old attempt as it stood: its last values with their steps, its blocks, sigma and inflation."""

    steps: Floats
    values: Floats
    block_steps: Floats
    block_values: Floats
    block_size: int
    sigma: float
    kappa: float

    def at(self, steps: Floats) -> tuple[float, int] | None:
        """The level at these steps, and how many values tell it; None where nothing does."""
        same = (self.steps >= steps[0]) & (self.steps <= steps[-1])
        if np.count_nonzero(same) >= FEWEST:
            return median(self.values[same]), int(np.count_nonzero(same))
        if len(self.block_steps) < 2 or not self.block_steps[0] <= steps[0] <= self.block_steps[-1]:
            return None
        return float(np.interp(np.mean(steps), self.block_steps, self.block_values)), self.block_size


class Discontinuity:
    """Compares the main loss after a restart with the old attempt at the same steps, in both directions.

    A worse one (warning) comes from a state that was not restored; a better one (info) may come from data
    that are seen again.
    """

    has_baseline = True

    def __init__(self, track: Track) -> None:
        self._track = track
        self._before: Before | None = None
        self._open: tuple[Finding, float, float, int] | None = None
        self._serial = 0

    def restart(self, still_open: OpenIncidents, *, resumes: bool) -> None:
        """Keep what the attempt that ends here has been like; called before its values are forgotten."""
        if self._open is not None and self._open[0].incident not in still_open:
            self._open = None
        octets, blocks = self._track.octets, self._track.blocks
        values = octets.values[-HISTORY:]
        sigma = self._track.last_sigma
        self._before = None
        if resumes and self._track.is_loss and sigma > 0:
            kappa = self._track.shift.inflation
            self._before = Before(
                octets.steps[-HISTORY:].ravel(), values.ravel(), np.array(blocks.steps), np.array(blocks.values),
                blocks.rows * WIDTH, sigma, kappa,
            )  # fmt: skip

    def feed(self) -> Iterator[Finding]:
        """Compare once there are 24 values, then see whether it is over."""
        octets = self._track.octets
        start = octets.count - octets.fresh
        for number_ in range(start, octets.count) if self._before or self._open else ():
            row = number_ - octets.first
            if self._open is not None:
                yield from self._recheck(row)
            elif number_ == ROWS - 1 and self._before is not None:
                yield from self._compare(row)
                self._before = None

    def explain(self) -> Explanation:
        """Whether a restart is being looked at."""
        return Explanation(
            "discontinuity", self._track.name, self._before is not None,
            None if self._before else "the run has not gone back", {},
        )  # fmt: skip

    def _compare(self, row: int) -> Iterator[Finding]:
        octets, before = self._track.octets, self._before
        assert before is not None
        values, steps = octets.values[: row + 1].ravel(), octets.steps[: row + 1].ravel()
        known = before.at(steps)
        if known is None:
            return
        level, count = known
        shift = median(values) - level
        error = _MEDIAN_ERROR * before.sigma * float(np.sqrt(before.kappa * (1 / len(values) + 1 / count)))
        if abs(shift) <= THRESHOLD * error:
            return
        self._serial += 1
        finding = Finding(
            incident=("discontinuity", self._track.name, self._serial),
            kind="discontinuity",
            severity=Severity.WARNING if shift > 0 else Severity.INFO,
            entry=int(octets.entries[row, -1]),
            step=float(octets.steps[row, -1]),
            onset_entry=int(octets.entries[0, 0]),
            onset_step=float(steps[0]),
            message=(
                f"{self._track.name} after the restart is {number(self._track.shown(level + shift))}, "
                f"it was {number(self._track.shown(level))} at the same steps ({signed(shift / before.sigma, 2)} σ) "
                f"since step {step_text(float(steps[0]))}"
            ),
            evidence={
                "before": self._track.shown(level), "after": self._track.shown(level + shift),
                "shift_sigmas": shift / before.sigma, "z": shift / error, "threshold": THRESHOLD,
            },
        )  # fmt: skip
        self._open = (finding, level, before.sigma, octets.first + row)
        yield finding

    def _recheck(self, row: int) -> Iterator[Finding]:
        """A worse loss is over when it is as good as before, a better one is remarked on for a while."""
        assert self._open is not None
        finding, level, sigma, since = self._open
        octets = self._track.octets
        recent = median(octets.values[max(row - 5, 0) : row + 1])
        is_back = recent < level + RECOVERED_SIGMAS * sigma
        if finding.severity is Severity.INFO:
            is_back = octets.first + row - since >= _REMARK_ROWS
        if is_back:
            self._open = None
            yield replace(
                finding, entry=int(octets.entries[row, -1]), step=float(octets.steps[row, -1]), is_over=True
            )
