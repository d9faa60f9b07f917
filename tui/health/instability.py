"""Cliffs, spikes that heal and divergence: what a metric's excursions for the worse come to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tui.health.alerts import Severity
from tui.health.backoff import BackOff
from tui.health.creep import Best, Creep
from tui.health.cusum import SUSPICION, THRESHOLD, Baseline, Cusum, mostly_zero, row_gains
from tui.health.excursion import Excursion, Phase, advance, describe, measure, name_kind
from tui.health.findings import Explanation, Finding, Incident, OpenIncidents
from tui.health.octets import WIDTH
from tui.health.scale import ARMED_ROWS, memory_inflation
from tui.health.track import LEVEL_ROWS, Track
from tui.health.usual import Usual
from tui.roles import Role

PLAIN_SIGMAS = 4.0
"""A median shift of as many sigma, times the root of the inflation, needs no confirmation."""

REACH = 100
"""Entries within which excursions of several metrics, the loss apart, are one incident."""

RELATIVE_GATE = 0.005
"""Share of its level that a metric must move by to matter: a healthy log moved by 0.02 % at 4 sigma."""

NORM_RISE, RATE_DROP = 2.0, 0.12
"""The same for a norm, which must double, and a rate, which must drop by 12 %."""

_SETTLED_AGE = 2 * WIDTH  # values after an onset before the last 16 say anything about it
_INITIAL_ROWS = 3


class Instability:
    """Watches one metric for the worse: a CUSUM for sudden shifts, the drawdown for those that creep.

    A notice (info) is a cliff (warning) once it is confirmed, a divergence where it does not come back and
    much is lost, and a spike when it has healed. Lasting ones are watched until the metric is as good as
    before.
    """

    has_baseline = True

    def __init__(self, track: Track) -> None:
        self._track = track
        self._relative_gate = track.settings.shift or RELATIVE_GATE
        self._log_gate = _log_gate(track)
        self._cusum = Cusum()
        self._creep = Creep(self._relative_gate)
        self._active: Excursion | None = None
        self._watches: list[Excursion] = []
        self._serial = 0
        self._backoff = BackOff()
        self._blind_until = 0
        self._usual = Usual()
        self._seen = Baseline(np.nan, np.nan, 1.0)

    def restart(self, still_open: OpenIncidents, *, resumes: bool) -> None:
        """Start the baseline afresh; what is still open is over once the new level is as good as the old."""
        open_before = [*self._watches, *([self._active] if self._active else [])]
        self._watches = [excursion for excursion in open_before if self._incident(excursion) in still_open]
        for watch in self._watches:
            watch.is_past = True
        if not resumes:
            self._creep.initial = None
        self._active = None
        self._cusum.reset(0)
        self._creep.reset()
        self._backoff.begin()
        self._usual.clear()
        self._blind_until = 0

    def feed(self) -> Iterator[Finding]:
        """Judge the fresh rows: many at once while all is well, one by one where it is not."""
        octets, track = self._track.octets, self._track
        fresh = octets.fresh
        if not fresh:
            return
        if self._creep.initial is None and octets.count >= _INITIAL_ROWS:
            self._creep.initial = float(np.median(octets.medians[:_INITIAL_ROWS]))
        sigmas = np.maximum(track.sigmas, self._gate(track.levels) / 10)
        row_sums = row_gains(octets.values[-fresh:], track.levels, sigmas)
        row_sums[mostly_zero(octets.values)[-fresh:]] = -np.inf
        gains = row_sums.tolist()
        self._usual.extend(track.levels, self._first_fresh)
        at = 0
        while at < fresh:
            if self._is_calm(at):
                at += self._cruise(at, gains)
            if at < fresh:
                live = Baseline(float(track.levels[at]), float(sigmas[at]), float(track.kappas[at]))
                yield from self._judge(len(octets.values) - fresh + at, live, gains[at])
                at += 1
        self._seen = Baseline(float(track.levels[-1]), float(sigmas[-1]), float(track.kappas[-1]))

    def explain(self) -> Explanation:
        """Level, sigma, sum and threshold after the last row."""
        track, rows = self._track, self._track.octets.count
        is_armed = rows > ARMED_ROWS and self._seen.sigma > 0
        values, needed = track.octets.total, (ARMED_ROWS + 1) * WIDTH
        short = f"{values} of {needed} values" if values < needed else "no noise to measure by"
        reason = None if is_armed else short
        kappa = self._seen.kappa
        numbers = {
            "level": track.shown(self._seen.level),
            "sigma": self._seen.sigma,
            "inflation": kappa,
            "statistic": self._cusum.total,
            "threshold": THRESHOLD * kappa * self._backoff.factor,
            "entries": float(track.octets.total),
        }
        return Explanation("instability", track.name, is_armed, reason, numbers)

    # While all is well

    @property
    def _is_directed(self) -> bool:
        return self._log_gate is None

    def _gate(self, level: np.ndarray | float) -> np.ndarray | float:
        """How far a metric must move to matter."""
        return self._relative_gate * np.abs(level) if self._log_gate is None else self._log_gate

    def _is_calm(self, at: int) -> bool:
        is_open = self._active is not None or self._cusum.frozen is not None or bool(self._watches)
        return not is_open and self._backoff.factor == 1 and self._first_fresh + at >= self._blind_until

    @property
    def _first_fresh(self) -> int:
        return self._track.octets.count - self._track.octets.fresh

    def _cruise(self, at: int, gains: list[float]) -> int:
        """Pass by the rows in which nothing happens; returns how many."""
        track, row = self._track, self._first_fresh + at
        levels = track.levels[at:]
        calm = self._creep.find_breach(levels, track.sigmas[at:]) if self._is_directed else len(levels)
        passed = self._cusum.cruise(gains[at : at + calm], row)
        self._creep.follow(levels[:passed], track.octets, row - track.octets.first)
        return passed

    # Row by row

    def _judge(self, row: int, live: Baseline, gain: float) -> Iterator[Finding]:
        """Judge the row at a position in the octets."""
        number = self._track.octets.first + row
        self._backoff.pass_by(number)
        if self._watches and live.sigma > 0:
            yield from self._recheck(row, live.level)
        if self._active is not None:
            yield from self._follow(row, self._active)
            return
        if number < self._blind_until or not live.sigma > 0:
            self._cusum.reset(number + 1)
            return
        yield from self._add(row, live, gain)
        if self._active is None and self._is_directed:
            yield from self._check_creep(row, live)

    def _add(self, row: int, live: Baseline, gain: float) -> Iterator[Finding]:
        """Add a row to the sum, under suspicion against the frozen baseline."""
        octets, cusum = self._track.octets, self._cusum
        if cusum.frozen is not None:
            baseline = cusum.suspect(live)
            gain = float(
                row_gains(
                    octets.values[row : row + 1], np.array([baseline.level]), np.array([baseline.sigma])
                )[0]
            )
        elif cusum.total + gain > SUSPICION:
            baseline = cusum.suspect(self._with_inflation(row, live))
        else:
            baseline = live
        cusum.add(gain, octets.first + row)
        if cusum.frozen is not None and cusum.total > THRESHOLD * self._backoff.factor:
            yield from self._notice(row, baseline)

    def _with_inflation(self, row: int, live: Baseline) -> Baseline:
        """The baseline with the larger of the inflations by the noise's memory and by the level's wander."""
        memory = memory_inflation(self._track.octets.values[:row], live.sigma)
        return Baseline(live.level, live.sigma, max(memory, live.kappa))

    def _notice(self, row: int, baseline: Baseline) -> Iterator[Finding]:
        """Raise a notice if the sum is beyond the threshold, or the shift plain, and large enough to matter."""
        octets, cusum = self._track.octets, self._cusum
        first = cusum.locate_onset(octets, row, baseline)
        since = octets.values[: row + 1].ravel()[first:]
        shift = float(np.median(since)) - baseline.level
        plain = PLAIN_SIGMAS * float(np.sqrt(baseline.kappa)) * baseline.sigma
        threshold = THRESHOLD * baseline.kappa * self._backoff.factor
        is_beyond = cusum.total > threshold or (shift >= plain and len(since) >= _SETTLED_AGE)
        if (
            not is_beyond
            or shift < self._gate(baseline.level)
            or self._is_return(octets.first + row, baseline.level + shift)
        ):
            cusum.total = min(cusum.total, threshold)
            return
        self._serial += 1
        excursion = Excursion(
            self._serial, int(octets.entries.ravel()[first]), float(octets.steps.ravel()[first]), baseline,
            recent=baseline.level + shift, peak=float(np.max(since)), statistic=cusum.total, threshold=threshold,
            age=len(since), initial=self._creep.initial,
        )  # fmt: skip
        if shift >= plain:
            excursion.phase, excursion.severity = Phase.CONFIRMED, Severity.WARNING
        self._active = excursion
        yield self._finding(excursion, row)

    def _is_return(self, number: int, recent: float) -> bool:
        """Whether a norm or a rate only goes back to what it mostly was."""
        return self._log_gate is not None and recent < self._usual.level(number) + self._log_gate / 2

    def _follow(self, row: int, excursion: Excursion) -> Iterator[Finding]:
        """See what has become of the excursion under way."""
        octets = self._track.octets
        excursion.age += WIDTH
        if excursion.age < _SETTLED_AGE:
            return
        excursion.recent = float(np.median(octets.values[max(row - 1, 0) : row + 1]))
        excursion.peak = max(excursion.peak, float(octets.medians[row]))
        if not advance(
            excursion, plain_sigmas=PLAIN_SIGMAS, is_loss=self._track.is_loss, can_diverge=self._is_directed
        ):
            return
        yield self._finding(excursion, row)
        if excursion.phase is not Phase.CONFIRMED:
            self._close(octets.first + row, excursion)

    def _close(self, row: int, excursion: Excursion) -> None:
        """End the excursion; look away until the level knows nothing of it, and watch one that lasts."""
        if excursion.is_over:
            self._blind_until = row + 1 + LEVEL_ROWS
            if excursion.severity is Severity.INFO:
                self._backoff.note_healed(row)
        else:
            self._watches.append(excursion)
            self._creep.reset()
        self._active = None
        self._cusum.reset(row + 1)

    def _check_creep(self, row: int, live: Baseline) -> Iterator[Finding]:
        """Raise a divergence, or the severity of a lasting cliff, where the level has crept up too far."""
        octets, creep = self._track.octets, self._creep
        creep.follow(np.array([live.level]), octets, row)
        if creep.best is None or live.level - creep.best.level <= creep.bound(creep.best.level, live.sigma):
            return
        best = creep.best
        against = Baseline(best.level, live.sigma, self._with_inflation(row, live).kappa)
        if live.level - best.level <= creep.bound(best.level, live.sigma, against.kappa):
            return
        excursion = next((watch for watch in self._watches if not watch.is_past), None)
        excursion = excursion or self._begin_creep(best, against)
        excursion.recent = live.level
        excursion.diverge(is_loss=self._track.is_loss)
        creep.reset()
        yield self._finding(excursion, row)

    def _begin_creep(self, best: Best, baseline: Baseline) -> Excursion:
        self._serial += 1
        excursion = Excursion(
            self._serial, best.entry, best.step, baseline,
            recent=baseline.level, peak=baseline.level, initial=self._creep.initial, crept=True,
        )  # fmt: skip
        self._watches.append(excursion)
        return excursion

    def _recheck(self, row: int, level: float) -> Iterator[Finding]:
        """See whether a lasting excursion is over, or has become worse while nothing else is under way."""
        for watch in tuple(self._watches):
            watch.recent, watch.age = level, watch.age + WIDTH
            if watch.is_back:
                watch.phase = Phase.RECOVERED
                self._watches.remove(watch)
            elif self._active is not None or not watch.worsen(is_loss=self._track.is_loss):
                continue
            yield self._finding(watch, row)

    # What it says

    def _incident(self, excursion: Excursion) -> Incident:
        return ("instability", self._track.name, excursion.serial)

    def _finding(self, excursion: Excursion, row: int) -> Finding:
        octets, track = self._track.octets, self._track
        return Finding(
            incident=self._incident(excursion),
            kind=name_kind(excursion, track.role),
            severity=excursion.severity,
            entry=int(octets.entries[row, -1]),
            step=float(octets.steps[row, -1]),
            onset_entry=excursion.onset_entry,
            onset_step=excursion.onset_step,
            message=describe(excursion, track),
            evidence=measure(excursion, track),
            is_over=excursion.is_over,
            power=excursion.shift / float(np.sqrt(excursion.baseline.kappa)),
            group="instability" if self._is_directed and not track.is_loss else None,
            reach=REACH,
        )


def _log_gate(track: Track) -> float | None:
    """How far the logarithm of a norm or a rate must move; None for a metric that is judged by its level."""
    if track.role is Role.GRAD_NORM:
        return float(np.log(NORM_RISE))
    if track.role is Role.THROUGHPUT:
        return float(-np.log(1 - (track.settings.drop or RATE_DROP)))
    return None
