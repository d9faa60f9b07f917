"""Overfitting: an evaluation gets worse than its best, or no better than it while training goes on improving."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from tui.decode.batch import Floats
from tui.health.alerts import Severity
from tui.health.beside import ROWS, UNKNOWN, Level
from tui.health.findings import Explanation, Finding, OpenIncidents
from tui.health.track import LARGEST, Track
from tui.health.wording import number, percent, step_text
from tui.ordered import median
from tui.roles import Role

ARMED = 7
"""Evaluations before anything is said."""

PATIENCE = 3
"""Evaluations since the best one, all of them worse than it."""

ERRORS, SHARE = 4.0, 0.005
"""The loss of ground, over the noise of an evaluation, and as a share of the best."""

LEFT_BEHIND = 5
"""Evaluations in a row that are no better than the best, where it is for training to show what that means."""

PROGRESS, PROGRESS_ERRORS = 0.01, 5.0
"""Share of itself by which the training loss must have fallen since, by so many times its own noise, and by `ERRORS`
times that of an evaluation. With 4 of its own, data that drift looked like progress in 2 of 150 healthy runs."""

_NOISE_WINDOW, _NOISE_LAGS = 32, (1, 3)  # evaluations; the longer lag sees noise that outlives one of them
_FEWEST_BENDS = 4


class Overfit:
    """Drawdown of the median of three evaluations from its best, against the evaluations' own noise.

    An evaluation that is no better than its best need not be so much worse where the training loss has gone on
    falling: had it followed, it would be better by far. How large the gap between both is says nothing: that
    depends on dropout, smoothing and data.

    The noise is taken from second differences, which no trend reaches: of neighbours, and of every third, for
    evaluations of a model that wanders are alike from one to the next.
    """

    has_baseline = True

    def __init__(self, track: Track) -> None:
        self._track = track
        self._serial = 0
        self._open: Finding | None = None
        self._begin()

    def _begin(self) -> None:
        self._recent: deque[float] = deque(maxlen=_NOISE_WINDOW)
        self._training: deque[float] = deque(maxlen=_NOISE_WINDOW)
        self._count = 0
        self._shown = np.nan  # the latest evaluation as it was logged
        self._best = np.inf
        self._best_at = (0, 0, 0.0)  # its number among the evaluations, its entry and step
        self._training_baseline = 0
        self._training_then = np.nan  # the training loss at the best evaluation

    def restart(self, still_open: OpenIncidents, *, resumes: bool) -> None:
        """Start afresh; what is open is over with a value as good as the best before."""
        if self._open is not None and self._open.incident not in still_open:
            self._open = None
        best = self._best
        self._begin()
        if self._open is not None:
            self._best = best

    def feed(self) -> Iterator[Finding]:
        """Judge each evaluation; some loggers repeat the latest in every entry until there is another."""
        for entry, step, value in zip(*(part.tolist() for part in self._track.raw), strict=True):
            if np.isfinite(value) and value != self._shown:
                self._shown = value
                self._set_beside(self._training_level(entry))
                yield from self._judge(entry, step, self._track.sign * min(max(value, -LARGEST), LARGEST))

    def is_quiet(self, before: float, value: float) -> bool:
        """Every evaluation counts."""
        return False

    def explain(self) -> Explanation:
        """The best evaluation and the latest, as medians of three."""
        is_armed = self._count >= ARMED
        numbers = (
            {
                "best": self._track.shown(self._best),
                "best_step": self._best_at[2],
                "recent": self._track.shown(median(list(self._recent)[-PATIENCE:])),
                "threshold": max(ERRORS * _noise(self._recent), SHARE * abs(self._best)),
            }
            if is_armed
            else {}
        )
        reason = None if is_armed else f"{self._count} of {ARMED} evaluations"
        return Explanation("overfit", self._track.name, is_armed, reason, numbers)

    def _training_level(self, entry: int) -> Level:
        """The training loss up to an entry: this stream's, whose baseline is this one's, or another's."""
        training, beside = self._track.training, self._track.beside
        if self._track.role is not Role.LOSS:
            return UNKNOWN
        if training is None:
            return beside.level(entry) if beside else UNKNOWN
        octets = training.octets
        stop = int(np.searchsorted(octets.entries[:, -1], entry, side="right"))
        rows = octets.medians[max(stop - ROWS, 0) : stop].tolist()
        return Level(sum(rows) / len(rows)) if rows else UNKNOWN

    def _set_beside(self, level: Level) -> None:
        """Take in the training loss at an evaluation; what it was in another baseline says nothing any more."""
        if level.baseline != self._training_baseline:
            self._training_baseline, self._training_then = level.baseline, np.nan
            self._training.clear()
        self._training.append(level.loss)

    def _judge(self, entry: int, step: float, y: float) -> Iterator[Finding]:
        self._recent.append(y)
        self._count += 1
        if self._count < PATIENCE:
            return
        last = list(self._recent)[-PATIENCE:]
        now = median(last)
        if now <= self._best:
            self._best, self._best_at = now, (self._count, entry, step)
            self._training_then = self._training_now()
            if self._open is not None:
                message = f"{self._track.name} is at its best again: {number(self._track.shown(now))}"
                yield replace(self._open, entry=entry, step=step, message=message, is_over=True)
                self._open = None
        elif self._open is None and self._count >= ARMED and self._is_past_best(PATIENCE):
            progress = self._progress() if self._is_past_best(LEFT_BEHIND) else 0.0
            if self._is_worse(now) or progress > 0:
                self._open = self._raise(entry, step, now, progress)
                yield self._open

    def _is_past_best(self, count: int) -> bool:
        """Whether the last so many evaluations came after the best one, and are all worse."""
        return self._count - self._best_at[0] >= count and min(list(self._recent)[-count:]) > self._best

    def _is_worse(self, now: float) -> bool:
        return now - self._best > max(ERRORS * _noise(self._recent), SHARE * abs(self._best))

    def _training_now(self) -> float:
        return median(list(self._training)[-PATIENCE:])

    def _progress(self) -> float:
        """The share by which the training loss has fallen since the best evaluation; 0 where it may be chance."""
        then, best = self._training_then, self._best
        if not (then > 0 and best > 0):
            return 0.0
        fallen = (then - self._training_now()) / then
        chance = (PROGRESS_ERRORS * _noise(self._training) / then, ERRORS * _noise(self._recent) / best)
        return fallen if all(fallen > each for each in (*chance, PROGRESS)) else 0.0

    def _raise(self, entry: int, step: float, now: float, progress: float) -> Finding:
        self._serial += 1
        track, best, noise = self._track, self._best, _noise(self._recent)
        return Finding(
            incident=("overfit", track.name, self._serial),
            kind="overfit",
            severity=Severity.WARNING,
            entry=entry,
            step=step,
            onset_entry=self._best_at[1],
            onset_step=self._best_at[2],
            message=self._describe(now, progress),
            evidence={
                "best": track.shown(best), "best_step": self._best_at[2], "recent": track.shown(now),
                "noise": noise, "threshold": max(ERRORS * noise, SHARE * abs(best)), "training_progress": progress,
            },
        )  # fmt: skip

    def _describe(self, now: float, progress: float) -> str:
        track, recent, best = self._track, self._track.shown(now), self._track.shown(self._best)
        worse = f", by {percent((recent - best) / abs(best))}" if best else ""
        told = (
            f"{track.name} {number(recent)} is worse than its best, {number(best)} at step "
            f"{step_text(self._best_at[2])}{worse}; that checkpoint is the best one"
        )
        beside = track.training or (track.beside.training if track.beside else None)
        if beside is None or not progress:
            return told
        return f"{told}; {beside.name} has fallen by {number(100 * progress, 2)} % since"


def _noise(values: deque[float]) -> float:
    """The sigma of one of these values, the larger one of both lags; 0 of too few, NaN where one is missing."""
    recent = np.array(values)
    return max(_sigma_at(recent, lag) for lag in _NOISE_LAGS)


def _sigma_at(values: Floats, lag: int) -> float:
    """The sigma of values (n,) by second differences at a lag, which have six times its variance; 0 of too few."""
    bends = values[2 * lag :] - 2 * values[lag:-lag] + values[: -2 * lag]
    if len(bends) < _FEWEST_BENDS:
        return 0.0
    return 1.4826 * median(np.abs(bends - median(bends))) / float(np.sqrt(6))
