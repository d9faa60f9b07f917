"""Overfitting: an evaluation has become worse than its best by more than its own noise, three times in a row."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from statistics import median

import numpy as np

from tui.decode.batch import Floats
from tui.health.alerts import Severity
from tui.health.findings import Explanation, Finding, OpenIncidents
from tui.health.track import LARGEST, Track
from tui.health.wording import number, percent, step_text

ARMED = 7
"""Evaluations before anything is said."""

PATIENCE = 3
"""Evaluations since the best one, all of them worse than it."""

ERRORS, SHARE = 4.0, 0.005
"""The loss of ground, over the noise of an evaluation, and as a share of the best."""

_NOISE_WINDOW, _NOISE_LAGS = 32, (1, 3)  # evaluations; the longer lag sees noise that outlives one of them
_FEWEST_BENDS = 4


class Overfit:
    """Drawdown of the median of three evaluations from its best, against the evaluations' own noise.

    The noise is taken from second differences, which no trend reaches: of neighbours, and of every third, for
    evaluations of a model that wanders are alike from one to the next. A gap between training and evaluation
    is no evidence: it depends on dropout, smoothing and data.
    """

    has_baseline = True

    def __init__(self, track: Track) -> None:
        self._track = track
        self._serial = 0
        self._open: Finding | None = None
        self._begin()

    def _begin(self) -> None:
        self._recent: deque[float] = deque(maxlen=_NOISE_WINDOW)
        self._count = 0
        self._best = np.inf
        self._best_at = (0, 0, 0.0)  # its number among the evaluations, its entry and step

    def restart(self, still_open: OpenIncidents, *, resumes: bool) -> None:
        """Start afresh; what is open is over with a value as good as the best before."""
        if self._open is not None and self._open.incident not in still_open:
            self._open = None
        best = self._best
        self._begin()
        if self._open is not None:
            self._best = best

    def feed(self) -> Iterator[Finding]:
        """Judge each evaluation."""
        for entry, step, value in zip(*(part.tolist() for part in self._track.raw), strict=True):
            if np.isfinite(value):
                yield from self._judge(entry, step, self._track.sign * min(max(value, -LARGEST), LARGEST))

    def explain(self) -> Explanation:
        """The best evaluation and the latest, as medians of three."""
        is_armed = self._count >= ARMED
        numbers = (
            {
                "best": self._track.shown(self._best),
                "best_step": self._best_at[2],
                "recent": self._track.shown(median(list(self._recent)[-PATIENCE:])),
                "threshold": max(ERRORS * self._noise(), SHARE * abs(self._best)),
            }
            if is_armed
            else {}
        )
        reason = None if is_armed else f"{self._count} of {ARMED} evaluations"
        return Explanation("overfit", self._track.name, is_armed, reason, numbers)

    def _judge(self, entry: int, step: float, y: float) -> Iterator[Finding]:
        self._recent.append(y)
        self._count += 1
        if self._count < PATIENCE:
            return
        last = list(self._recent)[-PATIENCE:]
        now = median(last)
        if now <= self._best:
            self._best, self._best_at = now, (self._count, entry, step)
            if self._open is not None:
                message = f"{self._track.name} is at its best again: {number(self._track.shown(now))}"
                yield replace(self._open, entry=entry, step=step, message=message, is_over=True)
                self._open = None
        elif self._open is None and self._count >= ARMED and self._is_worse(last, now):
            self._open = self._raise(entry, step, now)
            yield self._open

    def _is_worse(self, last: list[float], now: float) -> bool:
        if self._count - self._best_at[0] < PATIENCE or min(last) <= self._best:
            return False
        return now - self._best > max(ERRORS * self._noise(), SHARE * abs(self._best))

    def _noise(self) -> float:
        """The sigma of one evaluation, the larger one of both lags."""
        recent = np.array(self._recent)
        return max(_sigma_at(recent, lag) for lag in _NOISE_LAGS)

    def _raise(self, entry: int, step: float, now: float) -> Finding:
        self._serial += 1
        track, best = self._track, self._best
        worse = percent((track.shown(now) - track.shown(best)) / abs(best)) if best else ""
        return Finding(
            incident=("overfit", track.name, self._serial),
            kind="overfit",
            severity=Severity.WARNING,
            entry=entry,
            step=step,
            onset_entry=self._best_at[1],
            onset_step=self._best_at[2],
            message=(
                f"{track.name} {number(track.shown(now))} is worse than its best, {number(track.shown(best))} "
                f"at step {step_text(self._best_at[2])}, by {worse}; that checkpoint is the best one"
            ),
            evidence={
                "best": track.shown(best), "best_step": self._best_at[2], "recent": track.shown(now),
                "noise": self._noise(), "threshold": max(ERRORS * self._noise(), SHARE * abs(best)),
            },
        )  # fmt: skip


def _sigma_at(values: Floats, lag: int) -> float:
    """The sigma of values (n,) by second differences at a lag, which have six times its variance; 0 of too few."""
    bends = values[2 * lag :] - 2 * values[lag:-lag] + values[: -2 * lag]
    if len(bends) < _FEWEST_BENDS:
        return 0.0
    return 1.4826 * float(np.median(np.abs(bends - np.median(bends)))) / float(np.sqrt(6))
