"""Cliffs, spikes that heal and divergence: what a metric's excursions for the worse come to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from tui.health.accord import Accord
from tui.health.backoff import BackOff
from tui.health.creep import Creep
from tui.health.excursion import Excursion, Phase, advance, describe, measure, name_kind
from tui.health.findings import Explanation, Finding, Incident, OpenIncidents
from tui.health.octets import WIDTH
from tui.health.onset import begin_creep, begin_joint, begin_shift
from tui.health.shift import locate_onset
from tui.health.sight import NOTHING, Sight, explain, look
from tui.health.track import LEVEL_ROWS, Track
from tui.health.usual import Usual
from tui.ordered import median
from tui.roles import Role

REACH = 100
"""Entries within which excursions of several metrics, the loss apart, are one incident."""

LEAST_SIGMAS = 1.0
"""By how much an excursion must have moved a metric: with less it would soon count as healed, as it does below 0.75."""

_SETTLED_AGE = 2 * WIDTH  # values after an onset before the last 16 say anything about it
_INITIAL_ROWS = 3


class Instability:
    """Watches one metric for the worse: `Shift` for sudden changes, the drawdown for those that creep.

    An excursion is a cliff (warning), a divergence where it does not come back and much is lost, and a spike
    when it has healed. Lasting ones are watched until the metric is as good as before; while they go on rising they
    are the same incident. A loss that rises after its gradient norm needs less proof (`Accord`).
    """

    has_baseline = True

    def __init__(self, track: Track) -> None:
        self._track = track
        self._creep = Creep(track.relative_gate)
        self._accord = Accord(track)
        self._active: Excursion | None = None
        self._watches: list[Excursion] = []
        self._serial = 0
        self._backoff = BackOff()
        self._blind_until = 0
        self._usual = Usual()
        self._last = NOTHING

    def restart(self, still_open: OpenIncidents, *, resumes: bool) -> None:
        """Start the baseline afresh; what is still open is over once the new level is as good as the old."""
        open_before = [*self._watches, *([self._active] if self._active else [])]
        self._watches = [excursion for excursion in open_before if self._incident(excursion) in still_open]
        for watch in self._watches:
            watch.is_past = True
        if not resumes:
            self._creep.initial = None
        self._active = None
        self._creep.reset()
        self._accord.clear()
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
            self._creep.initial = median(octets.medians[:_INITIAL_ROWS])
        is_beyond = track.shifts.scores > 1
        self._usual.extend(track.levels, self._first_fresh)
        at = 0
        while at < fresh:
            if self._is_calm(at):
                at += self._cruise(at, is_beyond)
            if at < fresh:
                yield from self._judge(look(track, at))
                at += 1
        self._last = look(track, -1)

    def explain(self) -> Explanation:
        """What was seen at the last row."""
        return explain(self._track, self._last, self._backoff.factor)

    # While all is well

    @property
    def _is_directed(self) -> bool:
        return self._track.log_gate is None

    def _is_calm(self, at: int) -> bool:
        is_open = self._active is not None or bool(self._watches)
        is_heard = self._backoff.factor == 1 and self._first_fresh + at >= self._blind_until
        return is_heard and not is_open and self._rise_from(at) > 0

    @property
    def _first_fresh(self) -> int:
        return self._track.octets.count - self._track.octets.fresh

    def _cruise(self, at: int, is_beyond: npt.NDArray[np.bool_]) -> int:
        """Pass by the rows in which nothing happens; returns how many."""
        track, row = self._track, self._first_fresh + at
        levels = track.levels[at:]
        calm = self._creep.find_breach(levels, track.sigmas[at:]) if self._is_directed else len(levels)
        calm = min(calm, self._rise_from(at))
        beyond = is_beyond[at : at + calm]
        passed = int(beyond.argmax()) if beyond.any() else calm
        self._creep.follow(levels[:passed], track.octets, row - track.octets.first)
        return passed

    def _rise_from(self, at: int) -> int:
        """How many fresh rows of the loss pass before one at which a gradient norm has risen; all for others."""
        octets, track = self._track.octets, self._track
        fresh = octets.entries[len(octets.medians) - octets.fresh + at :, -1]
        return track.rises.find(fresh) if track.is_loss else len(fresh)

    # Row by row

    def _judge(self, row: Sight) -> Iterator[Finding]:
        """Judge one row."""
        number = self._track.octets.first + row.at
        self._backoff.pass_by(number)
        if self._watches and row.before.sigma > 0:
            yield from self._recheck(row)
        if self._active is not None:
            yield from self._follow(row.at, self._active)
            return
        if number < self._blind_until or not row.before.sigma > 0:
            return
        if row.score > self._backoff.factor:
            yield from self._begin(row)
        if self._active is None and self._is_directed:
            yield from self._check_creep(row)
        if self._active is None and self._track.is_loss:
            yield from self._check_accord(row)

    def _begin(self, row: Sight) -> Iterator[Finding]:
        """Raise an excursion if the shift is large enough to matter, and not just the end of a better time."""
        octets, level = self._track.octets, row.before.level
        first = locate_onset(octets, row.at, level)
        recent = median(octets.values[: row.at + 1].ravel()[first:])
        least = max(self._track.gate(level), LEAST_SIGMAS * row.before.sigma)
        if recent - level < least or self._is_return(octets.first + row.at, recent):
            return
        lasting = self._lasting
        if lasting is not None and octets.entries.ravel()[first] <= lasting.last_entry + REACH:
            yield from self._go_on(lasting, row, recent)
            return
        self._active = self._adopt(begin_shift(self._track, row, first, self._backoff.factor))
        yield self._finding(self._active, row.at)

    @property
    def _lasting(self) -> Excursion | None:
        """The latest excursion from the present baseline that is watched."""
        return next((watch for watch in reversed(self._watches) if not watch.is_past), None)

    def _adopt(self, excursion: Excursion) -> Excursion:
        """Give an excursion its number, and what is known of the run."""
        self._serial += 1
        excursion.serial, excursion.initial = self._serial, self._creep.initial
        return excursion

    def _go_on(self, watch: Excursion, row: Sight, recent: float) -> Iterator[Finding]:
        """A lasting excursion has moved further: it diverges."""
        watch.last_entry = self._entry(row.at)
        if self._is_directed and not watch.has_diverged:
            watch.recent = recent
            yield self._diverge(watch, row.at)

    def _is_return(self, number: int, recent: float) -> bool:
        """Whether a norm or a rate only goes back to what it mostly was."""
        gate = self._track.log_gate
        return gate is not None and recent < self._usual.level(number) + gate / 2

    def _follow(self, row: int, excursion: Excursion) -> Iterator[Finding]:
        """See what has become of the excursion under way."""
        octets = self._track.octets
        excursion.age += WIDTH
        if excursion.age < _SETTLED_AGE:
            return
        excursion.recent = median(octets.values[max(row - 1, 0) : row + 1])
        excursion.peak = max(excursion.peak, float(octets.medians[row]))
        if not advance(excursion, is_loss=self._track.is_loss, can_diverge=self._is_directed):
            return
        yield self._finding(excursion, row)
        if excursion.phase is not Phase.BEGUN:
            self._close(octets.first + row, excursion)

    def _close(self, row: int, excursion: Excursion) -> None:
        """End the excursion; look away until the level knows nothing of it, and watch one that lasts."""
        excursion.last_entry = self._entry(row - self._track.octets.first)
        if excursion.is_over:
            self._blind_until = row + 1 + LEVEL_ROWS
            self._backoff.note_healed(row)
        else:
            self._watches.append(excursion)
            self._creep.reset()
        self._active = None

    def _check_creep(self, row: Sight) -> Iterator[Finding]:
        """Raise a divergence, or the severity of a lasting cliff, where the level has crept up too far."""
        creep, before = self._creep, row.before
        creep.follow(np.array([row.level]), self._track.octets, row.at)
        best = creep.best
        bound = np.inf if best is None else creep.bound(best.level, before.sigma, before.kappa)
        if best is None or row.level - best.level <= bound:
            return
        excursion = self._lasting or self._watch(begin_creep(self._track, row, best, bound))
        excursion.recent = row.level
        creep.reset()
        yield self._diverge(excursion, row.at)

    def _watch(self, excursion: Excursion) -> Excursion:
        self._watches.append(self._adopt(excursion))
        return excursion

    def _diverge(self, excursion: Excursion, row: int) -> Finding:
        excursion.last_entry = self._entry(row)
        excursion.diverge(is_loss=self._track.is_loss)
        return self._finding(excursion, row)

    def _check_accord(self, row: Sight) -> Iterator[Finding]:
        """Raise a divergence where the loss has risen with its gradient norm, and nothing was said of it yet."""
        joint = self._accord.look(row)
        if joint is not None and self._lasting is None:
            yield self._diverge(self._watch(begin_joint(self._track, joint)), row.at)

    def _recheck(self, row: Sight) -> Iterator[Finding]:
        """See whether a lasting excursion is over, or has become worse while nothing else is under way."""
        for watch in tuple(self._watches):
            watch.recent, watch.age = row.level, watch.age + WIDTH
            if watch.is_back:
                watch.phase = Phase.RECOVERED
                self._watches.remove(watch)
            elif self._active is not None or not watch.worsen(is_loss=self._track.is_loss):
                continue
            yield self._finding(watch, row.at)

    # What it says

    def _incident(self, excursion: Excursion) -> Incident:
        return ("instability", self._track.name, excursion.serial)

    def _entry(self, row: int) -> int:
        return int(self._track.octets.entries[row, -1])

    def _finding(self, excursion: Excursion, row: int) -> Finding:
        octets, track = self._track.octets, self._track
        finding = Finding(
            incident=self._incident(excursion),
            kind=name_kind(excursion, track.role),
            severity=excursion.severity,
            entry=self._entry(row),
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
        if track.role is Role.GRAD_NORM:
            track.rises.take(finding)
        return finding
