"""An excursion of a metric for the worse: how it is judged as it goes on, named, and put into words."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from tui.health.alerts import Severity
from tui.health.track import Track
from tui.health.wording import number, percent, signed, step_text
from tui.roles import Role

RECOVERED_SIGMAS, RECOVERED_SHARE = 0.75, 1 / 3
"""Below this many sigma above its old level a metric is back, and below this share of what it was raised with."""

LASTING_AGE, HEALING_AGE = 300, 1200
"""Values after which an excursion is lasting, and as long as it may take where it is healing."""

LOST_AGE = 96
"""Values after which a loss that is more than half-way back to its start, and is not healing, has diverged."""


class Baseline(Struct, frozen=True):
    """What a change is measured against: level and sigma in y, and the noise's variance inflation."""

    level: float
    sigma: float
    kappa: float


class Course(Struct, frozen=True):
    """How a metric moved before an excursion: its level at the onset, and what each value added, 0 or less, in y."""

    level: float
    pace: float

    def at(self, age: int) -> float:
        """The level that many values after the onset."""
        return self.level + self.pace * age


class Phase(StrEnum):
    """How far an excursion has come."""

    BEGUN = "begun"
    LASTING = "lasting"
    DIVERGED = "diverged"
    RECOVERED = "recovered"


class Excursion(Struct):
    """One excursion, in y, where up is worse.

    `baseline` is frozen as it was before it; `recent` is the median of the last 16 values, `peak` the worst seen.
    `statistic` and `threshold` are those it was raised with, in sigma and in the metric's own sense; `age` is in
    values since the onset. `course` is where the metric would be had it gone on as before, None while unknown.
    `initial` is where the run began, None while unknown. `crept` says that no sudden shift began it,
    `has_diverged` stays true when it is over in the end. `is_past` says that another baseline has begun since.
    `last_entry` is the latest at which it was seen to go on. `norm` is the gradient norm that it rises with, if any,
    `back_sigmas` how far above where it belongs it counts as back.
    """

    onset_entry: int
    onset_step: float
    baseline: Baseline
    recent: float
    peak: float
    statistic: float = 0.0
    threshold: float = 0.0
    age: int = 0
    phase: Phase = Phase.BEGUN
    severity: Severity = Severity.WARNING
    serial: int = 0
    crept: bool = False
    has_diverged: bool = False
    initial: float | None = None
    is_past: bool = False
    course: Course | None = None
    last_entry: int = 0
    norm: str | None = None
    back_sigmas: float = RECOVERED_SIGMAS

    @property
    def shift(self) -> float:
        """How far the metric now is above its old level, in sigma."""
        return (self.recent - self.baseline.level) / self.baseline.sigma

    @property
    def is_back(self) -> bool:
        """Whether the metric is as good as before, or while it may be a spike, as it would be by now without it.

        Else a cliff has healed as soon as learning has made up for it, where a spike goes as suddenly as it came.
        """
        expected = self.baseline.level
        if self.course is not None and self.age < LASTING_AGE and not self.is_past:
            expected = min(expected, self.course.at(self.age))
        return self.recent - expected < self.back_sigmas * self.baseline.sigma

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to be watched."""
        return self.phase is Phase.RECOVERED

    @property
    def is_healing(self) -> bool:
        """Whether it has come back by more than half of the way from its peak."""
        return self.recent - self.baseline.level < 0.5 * (self.peak - self.baseline.level)

    @property
    def share_lost(self) -> float:
        """The share of all that the metric had gained that is lost now; 0 where it had gained next to nothing."""
        gained = 0.0 if self.initial is None else self.initial - self.baseline.level
        return (self.recent - self.baseline.level) / gained if gained > 4 * self.baseline.sigma else 0.0

    def diverge(self, *, is_loss: bool) -> None:
        """It is a divergence now: critical where the main loss is more than half-way back to its start."""
        self.phase = Phase.DIVERGED
        self.has_diverged = True
        severity = Severity.CRITICAL if is_loss and self.share_lost > 0.5 else Severity.WARNING
        self.severity = max(self.severity, severity, key=lambda each: each.rank)
        self.peak = max(self.peak, self.recent)

    def worsen(self, *, is_loss: bool) -> bool:
        """Whether a lasting excursion has just become critical; it is a divergence then."""
        if self.is_past or self.severity is Severity.CRITICAL or not is_loss or self.share_lost <= 0.5:
            return False
        self.diverge(is_loss=True)
        return True


def advance(excursion: Excursion, *, is_loss: bool, can_diverge: bool) -> bool:
    """Let an excursion under way enter the phase that its shift and age call for; whether that is a new one."""
    age = excursion.age
    if excursion.is_back:
        excursion.phase = Phase.RECOVERED
    elif can_diverge and age >= LOST_AGE and excursion.share_lost > 0.5 and not excursion.is_healing:
        excursion.diverge(is_loss=is_loss)
    elif age >= (HEALING_AGE if excursion.is_healing else LASTING_AGE):
        excursion.phase = Phase.LASTING
    else:
        return False
    return True


def name_kind(excursion: Excursion, role: Role) -> str:
    """The alert kind of an excursion in its present phase."""
    if role is Role.GRAD_NORM:
        return "gradient_explosion"
    if role is Role.THROUGHPUT:
        return "slowdown"
    if excursion.is_over and excursion.age < LASTING_AGE and not excursion.crept:
        return "spike"
    if excursion.has_diverged:
        return "divergence"
    return "cliff"


def describe(excursion: Excursion, track: Track) -> str:
    """One sentence: what moved, from where to where, since when, and how it stands."""
    moved = f"{track.name} {_change(excursion, track)} since step {step_text(excursion.onset_step)}"
    match excursion.phase:
        case Phase.BEGUN:
            return f"{moved}, and it stays there"
        case Phase.LASTING:
            return f"{moved}, and has not come back for {excursion.age:,} entries"
        case Phase.DIVERGED:
            lost, beside = excursion.share_lost, f", as {excursion.norm} rose" if excursion.norm else ""
            share = f": {number(100 * lost, 2)} % of all it had gained is lost" if lost > 0 else ""
            return f"{moved}{beside}{share}"
        case Phase.RECOVERED:
            return _describe_recovery(excursion, track)


def measure(excursion: Excursion, track: Track) -> dict[str, float | str]:
    """The numbers behind it, thresholds included; levels in the metric's own units, sigma in those of y."""
    return {
        "level": track.shown(excursion.baseline.level),
        "recent": track.shown(excursion.recent),
        "peak": track.shown(excursion.peak),
        "shift_sigmas": excursion.shift * track.sign,
        "sigma": excursion.baseline.sigma,
        "inflation": excursion.baseline.kappa,
        "statistic": excursion.statistic,
        "threshold": excursion.threshold,
        "entries": float(excursion.age),
        "phase": excursion.phase.value,
    }


def _change(excursion: Excursion, track: Track) -> str:
    level, recent = track.shown(excursion.baseline.level), track.shown(excursion.recent)
    sigmas = f"{signed(excursion.shift * track.sign, 2)} σ"
    if track.role is Role.GRAD_NORM:
        return f"{number(level)} → {number(recent)} (×{number(recent / level)}, {sigmas})"
    relative = f", {percent((recent - level) / abs(level))}" if level else ""
    return f"{number(level)} → {number(recent)} ({sigmas}{relative})"


def _describe_recovery(excursion: Excursion, track: Track) -> str:
    recent, level = number(track.shown(excursion.recent)), number(track.shown(excursion.baseline.level))
    onset, peak = step_text(excursion.onset_step), number(track.shown(excursion.peak))
    return f"{track.name} is back at {recent}; from step {onset} on it had left {level}, as far as {peak}"
