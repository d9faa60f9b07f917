"""Plateau and slow decline: a metric that cannot have improved by a third of what its own pace predicts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tui.health.alerts import Severity, Trend
from tui.health.findings import Explanation, Finding, Incident, OpenIncidents
from tui.health.octets import WIDTH
from tui.health.pace import (
    FEWEST_BLOCKS,
    History,
    Improvement,
    guess_improvement,
    measure_improvement,
    measure_pace,
)
from tui.health.schedule import Phase
from tui.health.stagnation import CLEAR_SHARE, describe, is_decline, is_plateau, measure
from tui.health.track import Track
from tui.health.trends import measure_trend
from tui.health.wording import step_text, whole_step

WINDOWS = (0.20, 0.35, 0.50)
"""Windows that are judged, as shares of the time since the start."""

PERSISTENCE = 1.05
"""Growth of the time over which the condition must hold."""

ARMED_VALUES, ARMED_BLOCKS, ARMED_WARMUPS = 400, 24, 1.5
"""Values, blocks after the warm-up, and warm-ups that must have gone by."""

FEWEST_VALUES = 300
"""Values in a window: a drift of the data over as many would pass for a plateau in a shorter one. And a window is no
shorter than if the baseline had never begun afresh: drifts of 2,000 entries passed for a decline after 4 of 200 changes
of regime."""

_EVERY, _EVERY_CALM = 1.025, 1.05  # growth of the time between two evaluations; the latter while all is well
_END_SHARE = 0.9  # of the planned steps: beyond, a flat metric is no surprise
_LEAST_TIME = 1e-9  # steps since the start: in a log whose steps don't move there is no pace
_CLEAR_COUNT = 2  # evaluations in a row that show it to be over


class _State(Struct):
    """What is known of one kind of incident: since when its condition holds, and the one that is firing."""

    kind: str
    serial: int = 0
    holds_since: float | None = None
    open: Finding | None = None
    per_efold: float = 0.0
    passed: int = 0


class Plateau:
    """Tests for equivalence, not for the absence of significance (two one-sided tests, Schuirmann 1987).

    On every window the improvement is a Theil–Sen slope over blocks; the expected one comes from the metric's
    own pace per e-fold of time before the window, since on a power law improvement goes with the logarithm of
    time. Where the expected improvement is within the noise nothing is said.
    """

    has_baseline = True

    def __init__(self, track: Track) -> None:
        self._track = track
        self._plateau = _State("plateau")
        self._decline = _State("decline")
        self._before = 0  # values in the baselines before this one
        self._begin()

    def _begin(self) -> None:
        self._origin: float | None = None
        self._next = 0.0
        self._is_calm = True
        self._reason = ""
        self._last: Improvement | None = None
        self._phase = Phase(None)
        self._at = (0, 0.0)
        self._row = 0

    def restart(self, still_open: OpenIncidents, *, resumes: bool) -> None:
        """Start afresh; what is still open is over when the new attempt improves again."""
        self._before += self._track.octets.total
        self._begin()
        for state in (self._plateau, self._decline):
            state.holds_since = None
            state.passed = 0
            if state.open is not None and state.open.incident not in still_open:
                state.open = None

    def feed(self) -> Iterator[Finding]:
        """Judge the metric wherever enough blocks have closed since the last time."""
        octets = self._track.octets
        if self._origin is None and octets.count:
            self._origin = float(octets.steps[0, 0])
        for row in self._track.blocks.extend(octets):
            assert self._origin is not None
            self._row = row
            self._at = (int(octets.entries[row, -1]), float(octets.steps[row, -1]))
            time = self._at[1] - self._origin
            values = (octets.first + row + 1) * WIDTH
            level = self._track.levels[row - len(octets.values)]
            if values >= ARMED_VALUES and time >= max(self._next, _LEAST_TIME) and level == level:
                yield from self._judge(time)
                self._next = time * (_EVERY_CALM if self._is_calm else _EVERY)

    def trend(self) -> Trend | None:
        """How the metric moves over the last quarter of its time, None while it has too few blocks."""
        history = self._blocks_since(self._phase.warm_end)
        return measure_trend(history, self._origin or 0.0, self._track.sign)

    def explain(self) -> Explanation:
        """The last window that was measured, or why none was."""
        last = self._last
        numbers = {} if last is None else measure(self._track, last, self._origin_step(0.0))
        values = self._track.octets.total
        reason = self._reason if values >= ARMED_VALUES else f"{values} of {ARMED_VALUES} values"
        return Explanation("plateau", self._track.name, not reason, reason or None, numbers)

    # Judging

    def _judge(self, time: float) -> Iterator[Finding]:
        self._phase = self._track.schedule.phase(self._at[0])
        history = self._history(time)
        if history is None:
            return
        shown = [found for window in WINDOWS if (found := self._measure(history, time, window))]
        flat = [found for found in shown if is_plateau(found)]
        gained = history.values[0] - min(history.values)
        falling = [found for found in shown if is_decline(found, gained)]
        self._is_calm = not shown and self._plateau.open is None and self._decline.open is None
        yield from self._settle(self._plateau, time, flat, history)
        yield from self._settle(self._decline, time, falling, history)

    def _history(self, time: float) -> History | None:
        """The blocks after the warm-up, None (with the reason) where they are too few."""
        assert self._origin is not None
        warm_end = self._phase.warm_end
        self._reason = ""
        if warm_end is None:
            self._reason = "the warm-up is not over"
        elif time <= ARMED_WARMUPS * (warm_end - self._origin):
            self._reason = f"the warm-up ended at step {step_text(warm_end)}, too short a time ago"
        else:
            history = self._blocks_since(warm_end)
            if len(history.times) >= ARMED_BLOCKS:
                return history
            self._reason = f"{len(history.times)} of {ARMED_BLOCKS} blocks after the warm-up"
        return None

    def _blocks_since(self, step: float | None) -> History:
        """The blocks beyond a step; all of them without one."""
        late = 0 if step is None else bisect_left(self._track.blocks.steps, step)
        origin = self._origin or 0.0
        return History.of(
            [each - origin for each in self._track.blocks.steps[late:]], self._track.blocks.values[late:]
        )

    def _measure(self, history: History, time: float, window: float) -> Improvement | None:
        """The improvement over a window; None where a cheap look shows that nothing is wrong or to be seen."""
        start = (1 - window) * time
        blocks = history.count(start)
        if blocks < FEWEST_BLOCKS or blocks * self._track.blocks.rows * WIDTH < self._fewest_values():
            return None
        pace = measure_pace(history, start, time)
        guess = guess_improvement(history, start, time)
        if pace is None or guess is None:
            return None
        expected = pace * float(np.log(time / start))
        if guess > 0 and guess > 0.6 * expected:
            return None
        noise = self._track.mean_error(self._row, self._track.blocks.rows * WIDTH)
        self._last = measure_improvement(history, start, time, pace, noise)
        return self._last

    def _fewest_values(self) -> float:
        """Values that a window must hold."""
        if not self._before:
            return FEWEST_VALUES
        seen = (self._track.octets.first + self._row + 1) * WIDTH
        return max(FEWEST_VALUES, WINDOWS[0] * (self._before + seen))

    def _settle(
        self, state: _State, time: float, shown: list[Improvement], history: History
    ) -> Iterator[Finding]:
        """Raise what has held for long enough, clear what is over."""
        if state.open is not None:
            if self._is_over(state, time, history):
                yield self._clear(state, time)
            return
        if not shown:
            state.holds_since = None
            return
        if state.holds_since is None:
            state.holds_since = time
        if time >= PERSISTENCE * state.holds_since:
            yield self._raise(state, max(shown, key=lambda found: found.power))

    def _is_over(self, state: _State, time: float, history: History) -> bool:
        """Whether the shortest window has twice in a row improved by half of the pace before the plateau."""
        start = (1 - WINDOWS[0]) * time
        if history.count(start) < FEWEST_BLOCKS:
            return False
        now = measure_improvement(history, start, time, state.per_efold)
        share = CLEAR_SHARE * max(now.expected, 0.0) if state.kind == "plateau" else 0.0
        has_improved = now.low > 0 and now.seen > share
        state.passed = state.passed + 1 if has_improved else 0
        return state.passed >= _CLEAR_COUNT

    # What it says

    def _raise(self, state: _State, found: Improvement) -> Finding:
        state.serial += 1
        state.per_efold, state.passed, state.holds_since = found.per_efold, 0, None
        entry, step = self._at
        state.open = Finding(
            self._incident(state), state.kind, self._weigh(state, step, found), entry, step,
            onset_entry=entry, onset_step=whole_step(self._origin_step(found.start)),
            message=describe(self._track, state.kind, found, self._origin_step(0.0)),
            evidence=measure(self._track, found, self._origin_step(0.0)),
            power=found.power, group=state.kind, reach=np.inf,
        )  # fmt: skip
        return state.open

    def _clear(self, state: _State, time: float) -> Finding:
        assert state.open is not None
        was, state.open = state.open, None
        entry, step = self._at
        message = f"{self._track.name} improves again, at step {step_text(step)}; {was.message}"
        return replace(was, entry=entry, step=step, message=message, is_over=True)

    def _weigh(self, state: _State, step: float, found: Improvement) -> Severity:
        """Info at the end of the schedule, where a flat metric is no surprise; else a warning."""
        total = self._track.schedule.total_steps
        is_cold = self._phase.hot_until < self._origin_step(found.start)
        is_end = is_cold or (total is not None and step > _END_SHARE * total)
        return Severity.INFO if is_end and state.kind == "plateau" else Severity.WARNING

    def _incident(self, state: _State) -> Incident:
        return (state.kind, self._track.name, state.serial)

    def _origin_step(self, time: float) -> float:
        assert self._origin is not None
        return self._origin + time
