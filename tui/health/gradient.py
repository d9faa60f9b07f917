"""Gradient-norm collapse: the norm has fallen below a third of what this run had after its warm-up, and stays."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tui.decode.batch import Floats
from tui.health.alerts import Severity
from tui.health.blocks import Blocks
from tui.health.findings import Explanation, Finding, OpenIncidents
from tui.health.octets import HISTORY, WIDTH
from tui.health.track import Track
from tui.health.wording import number, step_text, whole_step

WARNING_RATIO, CRITICAL_RATIO = 1 / 3, 1 / 10
"""Of the reference. Healthy norms fall by about half after the warm-up."""

CLEAR_FACTOR = 1.6
"""Above so many times the warning ratio it is over."""

REFERENCE_SHARE = 0.95
"""Quantile of the block medians that is the reference: lower ones miss a slow power law altogether."""

AFTER_WARMUP, ARMED_WARMUP, ARMED_BLOCKS = 1.1, 1.25, 6
"""Warm-ups after which blocks count, and the rule is armed; and the fewest blocks."""

CURRENT_ROWS, CHECKS = 3, 2
"""Rows (24 values) that the present norm is taken over, and checks in a row, one a row, that must show the fall."""


class Reference(Struct, frozen=True):
    """The norm that this run had, as a logarithm, and the step from which on it was measured."""

    level: float
    since_step: float
    blocks: int


class GradientCollapse:
    """Compares the median of the last 24 norms with the 95th percentile of the run's blocks after warm-up.

    An absolute limit can't do that: a norm that falls from 0.47 to 0.06 is far above any. Without a logged
    learning rate the warm-up's end is a guess, and only blocks of the last two thirds of the steps count, for
    the first norms may be ten times higher.
    """

    has_baseline = True

    def __init__(self, track: Track) -> None:
        self._track = track
        self._serial = 0
        self._open: Finding | None = None
        self._held: Reference | None = None
        self._begin()

    def _begin(self) -> None:
        self._blocks = Blocks(64)
        self._reference: Reference | None = None
        self._origin: float | None = None
        self._below = 0
        self._current = np.nan
        self._reason = "no values yet"

    def restart(self, still_open: OpenIncidents, *, resumes: bool) -> None:
        """Start afresh; what is still open is measured against the reference it was raised by."""
        if self._open is not None and self._open.incident not in still_open:
            self._open = self._held = None
        self._begin()

    def feed(self) -> Iterator[Finding]:
        """Judge every fresh row, and take the reference anew as often as a block of rows is complete."""
        octets = self._track.octets
        if not octets.fresh:
            return
        if self._origin is None:
            self._origin = float(octets.steps[0, 0])
        row = len(octets.medians) - octets.fresh
        for closing in self._blocks.extend(octets):
            yield from self._judge(row, closing + 1)
            self._refer(closing)
            row = closing + 1
        yield from self._judge(row, len(octets.medians))

    def explain(self) -> Explanation:
        """The present norm, the reference, and the norm that would be a warning."""
        reference = self._held or self._reference
        if reference is None:
            return Explanation("gradient_collapse", self._track.name, False, self._reason, {})
        numbers = {
            "grad_norm": float(np.exp(self._current)),
            "reference": float(np.exp(reference.level)),
            "ratio": float(np.exp(self._current - reference.level)),
            "threshold": WARNING_RATIO,
            "blocks": float(reference.blocks),
        }
        return Explanation("gradient_collapse", self._track.name, True, None, numbers)

    def _refer(self, row: int) -> None:
        """Take the reference from the blocks after the warm-up, as of a row."""
        octets = self._track.octets
        assert self._origin is not None
        step, phase = float(octets.steps[row, -1]), self._track.schedule.phase(int(octets.entries[row, -1]))
        warm_end = phase.warm_end
        if warm_end is None or step - self._origin <= ARMED_WARMUP * (warm_end - self._origin):
            self._reference, self._reason = None, "the warm-up is not over"
            return
        since = self._origin + AFTER_WARMUP * (warm_end - self._origin)
        if phase.lr_share is None:
            since = max(since, self._origin + (step - self._origin) / 3)
        steps, levels = self._blocks.since(since)
        self._reason = f"{len(levels)} of {ARMED_BLOCKS} blocks after the warm-up"
        if len(levels) >= ARMED_BLOCKS:
            level = float(np.sort(levels)[int(REFERENCE_SHARE * (len(levels) - 1))])
            self._reference = Reference(level, float(steps[0]), len(levels))

    def _judge(self, start: int, stop: int) -> Iterator[Finding]:
        """Judge the rows at these positions against the reference."""
        reference = self._held or self._reference
        start = max(start, CURRENT_ROWS - 1)
        if reference is None or start >= stop:
            return
        levels = median_of_three(self._track.octets.medians[start - 2 : stop])
        self._current = float(levels[-1])
        lowest = float(levels.min())
        if self._open is None and lowest - reference.level >= np.log(WARNING_RATIO):
            self._below = 0
            return
        for row, level in enumerate(levels.tolist(), start):
            self._current = level
            yield from self._compare(row, level - reference.level, self._held or reference)

    def _compare(self, row: int, fall: float, reference: Reference) -> Iterator[Finding]:
        """Follow the fall (a logarithm, negative) as of one row."""
        if self._open is not None:
            yield from self._follow(row, fall, reference)
            return
        self._below = self._below + 1 if fall < np.log(WARNING_RATIO) else 0
        if self._below >= CHECKS:
            self._serial += 1
            self._held = reference
            self._open = self._raise(row, fall, reference)
            yield self._open

    def _follow(self, row: int, fall: float, reference: Reference) -> Iterator[Finding]:
        """See whether an open collapse is over, or has become critical."""
        assert self._open is not None
        if fall > np.log(CLEAR_FACTOR * WARNING_RATIO):
            name, onset = self._track.name, step_text(self._open.onset_step)
            message = f"{name} is back at {number(float(np.exp(self._current)))}; it had collapsed since step {onset}"
            yield replace(self._update(row, fall, reference), message=message, is_over=True)
            self._open = self._held = None
            self._below = 0
        elif fall < np.log(CRITICAL_RATIO) and self._open.severity is not Severity.CRITICAL:
            self._below += 1
            if self._below >= CHECKS:
                self._open = self._update(row, fall, reference)
                yield self._open
        else:
            self._below = 0

    # What it says

    def _raise(self, row: int, fall: float, reference: Reference) -> Finding:
        octets = self._track.octets
        entry, step = self._locate_onset(row, reference.level + float(np.log(WARNING_RATIO)) / 2)
        return Finding(
            incident=("gradient_collapse", self._track.name, self._serial),
            kind="gradient_collapse",
            severity=_weigh(fall),
            entry=int(octets.entries[row, -1]),
            step=float(octets.steps[row, -1]),
            onset_entry=entry,
            onset_step=step,
            message=self._describe(row, fall, reference),
            evidence=self._measure(fall, reference),
            group=collapse_group(self._track.name),
            reach=np.inf,
        )

    def _update(self, row: int, fall: float, reference: Reference) -> Finding:
        assert self._open is not None
        octets = self._track.octets
        return replace(
            self._open,
            severity=_weigh(fall),
            entry=int(octets.entries[row, -1]),
            step=float(octets.steps[row, -1]),
            message=self._describe(row, fall, reference),
            evidence=self._measure(fall, reference),
        )

    def _locate_onset(self, row: int, bound: float) -> tuple[int, float]:
        """Entry and step after which the norm stayed below a bound, by rows as far as they are kept, else by blocks."""
        octets = self._track.octets
        kept = max(row - HISTORY, 0)
        high = np.flatnonzero(octets.medians[kept : row + 1] >= bound)
        if len(high):
            first = min(kept + int(high[-1]) + 1, row)
            return int(octets.entries[first, 0]), float(octets.steps[first, 0])
        steps = [
            step
            for step, level in zip(self._blocks.steps, self._blocks.values, strict=True)
            if level >= bound
        ]
        return int(octets.entries[kept, 0]), whole_step(steps[-1]) if steps else float(octets.steps[kept, 0])

    def _describe(self, row: int, fall: float, reference: Reference) -> str:
        now, before = number(float(np.exp(self._current))), number(float(np.exp(reference.level)))
        share = self._track.schedule.phase(int(self._track.octets.entries[row, -1])).lr_share
        rate = "" if share is None else f"; lr at {100 * share:.0f} % of its peak"
        return (
            f"{self._track.name} {now} (median of {CURRENT_ROWS * WIDTH}) is {number(float(np.exp(fall)), 2)} of "
            f"{before}, what it was after the warm-up (since step {step_text(reference.since_step)}){rate}"
        )

    def _measure(self, fall: float, reference: Reference) -> dict[str, float | str]:
        return {
            "grad_norm": float(np.exp(self._current)),
            "reference": float(np.exp(reference.level)),
            "reference_since_step": reference.since_step,
            "ratio": float(np.exp(fall)),
            "threshold": CRITICAL_RATIO if _weigh(fall) is Severity.CRITICAL else WARNING_RATIO,
        }


def _weigh(fall: float) -> Severity:
    return Severity.CRITICAL if fall < np.log(CRITICAL_RATIO) else Severity.WARNING


def collapse_group(metric: str) -> str:
    """The group in which all that is found of one norm's collapse is one record."""
    return f"gradient_collapse of {metric}"


def median_of_three(values: Floats) -> Floats:
    """The median of each value and the two before it: (n,) gives (n - 2,)."""
    a, b, c = values[:-2], values[1:-1], values[2:]
    return np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c))
