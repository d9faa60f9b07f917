"""The rank that takes longer for its steps than the others do, by so much and so long that it is no chance.

The slowness of a rank at an entry is the logarithm of its time for a step over the median of the others'. Medians over
eight entries, on a grid that begins with each attempt, are compared: four in a row must each reach the least loss of
throughput that matters, 12 %, and their mean five standard errors of such a mean, as the changes from one median to the
next tell it. Four in a row below half of that end it.
"""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from tui.config import HealthConfig
from tui.decode.batch import Floats
from tui.health.alerts import Alert, AlertChange, AlertState, ChangeKind, Severity
from tui.health.laps import BLOCK, Block, Laps, compare_ranks, summarize
from tui.health.muting import soften
from tui.health.track import RATE_DROP
from tui.health.watch import RunChange
from tui.health.wording import number, percent, step_text
from tui.ordered import median
from tui.roles import ELAPSED_NAMES, STAMP_NAMES, Role, guess_role, normalize_name
from tui.store.spread import Spread

FIRST_NUMBER = 50_001
"""These alerts are numbered from here on, beside those of the run's metrics."""

LASTING = 4
"""Blocks in a row that make a rank a straggler, or end it."""

MEMORY_BLOCKS, FEWEST_CHANGES = 32, 6
"""Over how many blocks of all ranks the noise is measured, and changes between two that there must be for it."""

SIGMAS = 5.0
"""Standard errors that the mean of four blocks must reach: with eight ranks 0.003 false alarms in 10,000 entries, were
the noise normal."""

END_SHARE = 0.5
"""Of the least slowness: below this a rank keeps up again."""

_CLOCKS = (*ELAPSED_NAMES[:-1], *STAMP_NAMES)  # `t` may be anything
_UNITS = frozenset("step steps iter iteration batch update it".split())
_WORD = re.compile(r"[a-z]+")


class Slowest(Struct, frozen=True):
    """The rank that is slowest now, where anything tells how long ranks take.

    `slower` is the share by which its steps take longer than the others'; `own` and `others` are what `metric` says
    of it and of them. `is_straggler` says that an alert on it fires.
    """

    file: str
    metric: str
    own: float
    others: float
    slower: float
    is_straggler: bool


class _Clock(Struct, frozen=True):
    """The field that tells how long a rank takes for a step; the higher `worth` the better it does."""

    name: str
    worth: int

    @property
    def is_rate(self) -> bool:
        return self.worth == 2

    @property
    def is_stamp(self) -> bool:
        return self.worth == 1


class _Record(Struct):
    """What is known of one rank: its last blocks in order, and its alert where one fires."""

    blocks: deque[Block | None] = field(default_factory=lambda: deque(maxlen=MEMORY_BLOCKS))
    firing: int | None = None

    def last(self) -> list[Block] | None:
        """Its last four blocks; None where one is missing."""
        found = [block for block in list(self.blocks)[-LASTING:] if block is not None]
        return found if len(found) == LASTING else None

    def onset(self, least: float) -> float:
        """The first step of the blocks in a row that reach the least slowness."""
        step = math.nan
        for block in reversed(self.blocks):
            if block is None or block.slowness < least:
                break
            step = block.step
        return step


class Stragglers:
    """Watches all ranks of a run; what it says is a function of what they logged, however that came.

    Args:
        roles: Roles by field name, where the guess is wrong.
        settings: What the configuration says of alerts.
        until_step: Entries beyond are not judged.
    """

    def __init__(
        self,
        roles: Mapping[str, Role] | None = None,
        settings: HealthConfig | None = None,
        until_step: float | None = None,
    ) -> None:
        self._roles = roles or {}
        self._settings = settings or HealthConfig()
        self._until_step = until_step
        self._least = -math.log(1 - (self._settings.drop or RATE_DROP))
        self._clock: _Clock | None = None
        self._attempt: int | None = None
        self._last: dict[str, tuple[float, float]] = {}  # step and stamp of each rank's last entry
        self._open = Laps.none()
        self._records: dict[str, _Record] = {}
        self._alerts: dict[int, Alert] = {}
        self._entries = 0

    @property
    def alerts(self) -> tuple[Alert, ...]:
        """All that were ever raised, in the order of their numbers."""
        return tuple(self._alerts.values())

    @property
    def slowest(self) -> Slowest | None:
        """The rank that was slowest over its last four blocks."""
        known = [(file, record, last) for file, record in self._records.items() if (last := record.last())]
        if not known or self._clock is None:
            return None
        file, record, last = max(known, key=lambda each: _mean_slowness(each[2]))
        own, others = _times(last)
        is_straggler = record.firing is not None
        return Slowest(file, self._clock.name, own, others, math.expm1(_mean_slowness(last)), is_straggler)

    def judge(self, spreads: Sequence[Spread], entries: int, names: Mapping[str, str]) -> list[RunChange]:
        """What entries of the ranks change, in order.

        Args:
            spreads: What they logged.
            entries: How many entries these are of the run.
            names: What the ranks are called, by file.
        """
        found = [change for spread in spreads for change in self._judge(spread, names)]
        self._entries += entries
        return found

    def _judge(self, spread: Spread, names: Mapping[str, str]) -> Iterator[RunChange]:
        start = 0
        for stop, clock in self._find_clocks(spread):
            yield from self._take(spread, start, stop, names)
            if clock is not None:
                self._clock = clock
                self._begin()
            start = stop

    def _find_clocks(self, spread: Spread) -> Iterator[tuple[int, _Clock | None]]:
        """Up to which entry the present field holds, and which takes its place there; at last the end."""
        firsts = []
        worth = self._clock.worth if self._clock else 0
        for name, values in spread.values.items():
            clock = self._look_at(name)
            if clock.worth > worth:
                firsts.append((int(np.isfinite(values).any(axis=0).argmax()), -clock.worth, name, clock))
        for first, _, _, clock in sorted(firsts, key=lambda each: each[:3]):
            if clock.worth > worth:
                worth = clock.worth
                yield first, clock
        yield len(spread.at), None

    def _look_at(self, name: str) -> _Clock:
        plain, role = normalize_name(name), self._roles.get(name) or guess_role(name)
        if plain in _CLOCKS:
            return _Clock(name, 1)
        if role is Role.THROUGHPUT:
            return _Clock(name, 2)
        is_of_step = bool(_UNITS & set(_WORD.findall(plain)))
        return _Clock(name, 3 if role is Role.TIME and is_of_step else 0)

    def _take(self, spread: Spread, start: int, stop: int, names: Mapping[str, str]) -> Iterator[RunChange]:
        """Judge entries, by a field that holds for all of them, attempt by attempt."""
        if self._clock is None or self._clock.name not in spread.values or start == stop:
            return
        beyond = np.inf if self._until_step is None else self._until_step
        own = start + np.flatnonzero(spread.steps[start:stop] <= beyond)
        for part in np.split(own, np.flatnonzero(np.diff(spread.attempts[own])) + 1) if len(own) else ():
            steps, at = spread.steps[part], spread.at[part]
            if spread.attempts[part[0]] != self._attempt:
                yield from self._restart(int(spread.attempts[part[0]]), float(steps[0]), int(at[0]))
            times = self._times(spread.files, steps, spread.values[self._clock.name][:, part])
            slowness = compare_ranks(times)
            is_lap = np.isfinite(slowness).any(axis=0)
            laps = Laps(steps[is_lap], at[is_lap], slowness[:, is_lap], times[:, is_lap])
            yield from self._fill_blocks(spread.files, laps, names)

    def _times(self, files: Sequence[str], steps: Floats, values: Floats) -> Floats:
        """What each rank took for a step, in the field's own unit, NaN where it is not known; of a rate its inverse."""
        assert self._clock is not None
        with np.errstate(all="ignore"):
            if self._clock.is_rate:
                values = 1 / values
            elif self._clock.is_stamp:
                values = np.stack(
                    [self._elapse(file, steps, own) for file, own in zip(files, values, strict=True)]
                )
            return np.where(np.isfinite(values) & (values > 0), values, np.nan)

    def _elapse(self, file: str, steps: Floats, stamps: Floats) -> Floats:
        """Time for a step from one entry of a rank to its next, where the second is."""
        found, known = np.full(len(steps), np.nan), np.flatnonzero(np.isfinite(stamps))
        if len(known):
            before = self._last.get(file, (np.nan, np.nan))
            ahead, took = (
                np.diff(each[known], prepend=first)
                for each, first in zip((steps, stamps), before, strict=True)
            )
            found[known] = np.where(ahead > 0, took / ahead, np.nan)
            self._last[file] = (float(steps[known[-1]]), float(stamps[known[-1]]))
        return found

    def _fill_blocks(self, files: Sequence[str], laps: Laps, names: Mapping[str, str]) -> Iterator[RunChange]:
        """Eight entries make a block of each rank that has half of them."""
        for file in files:
            if file not in self._records:
                self._records[file] = _Record()
        laps = self._open.extend(laps.spread_over(files, tuple(self._records)))
        whole = len(laps.steps) // BLOCK * BLOCK
        summaries = [
            summarize(*each, laps.steps[:whole:BLOCK]) for each in zip(laps.slowness, laps.times, strict=True)
        ]
        for nth, blocks in enumerate(zip(*summaries, strict=True)):
            for record, block in zip(self._records.values(), blocks, strict=True):
                record.blocks.append(block)
            last = (nth + 1) * BLOCK - 1
            yield from self._judge_all(float(laps.steps[last]), int(laps.at[last]), names)
        self._open = laps.slice(whole, len(laps.steps))

    def _judge_all(self, step: float, at: int, names: Mapping[str, str]) -> Iterator[RunChange]:
        for file in sorted(self._records):
            record = self._records[file]
            latest = record.blocks[-1]
            if record.firing is not None:
                yield from self._recheck(record, record.last(), step, at)
            elif latest is not None and latest.slowness >= self._least:
                last = record.last()
                if last is not None and self._is_slow(last):
                    yield self._raise(file, record, last, step, at, names)

    def _is_slow(self, last: Sequence[Block]) -> bool:
        if min(block.slowness for block in last) < self._least:
            return False
        noise = self._noise()
        return noise is not None and _mean_slowness(last) >= SIGMAS * noise / math.sqrt(LASTING)

    def _noise(self) -> float | None:
        """The standard deviation of a block's slowness, from the changes between blocks; None with too few."""
        changes = [
            after.slowness - before.slowness
            for record in self._records.values()
            for before, after in zip(record.blocks, list(record.blocks)[1:], strict=False)
            if before is not None and after is not None
        ]
        if len(changes) < FEWEST_CHANGES:
            return None
        return 1.4826 * median(np.abs(changes)) / math.sqrt(2)

    def _recheck(
        self, record: _Record, last: Sequence[Block] | None, step: float, at: int
    ) -> Iterator[RunChange]:
        """End an alert where the rank keeps up again, or is no longer heard of."""
        rank = self._alerts[record.firing].evidence["rank"] if record.firing else ""
        recent = list(record.blocks)[-LASTING:]
        if all(block is None for block in recent):
            yield self._clear(record, step, at, f"rank {rank} logs no more")
        elif last is not None and max(block.slowness for block in last) < END_SHARE * self._least:
            yield self._clear(
                record, step, at, f"rank {rank} keeps up with the others since step {step_text(last[0].step)}"
            )

    def _raise(
        self,
        file: str,
        record: _Record,
        last: Sequence[Block],
        step: float,
        at: int,
        names: Mapping[str, str],
    ) -> RunChange:
        assert self._clock is not None
        onset, slower = record.onset(self._least), math.expm1(_mean_slowness(last))
        own, others = _times(last)
        told = self._describe(own, others, slower)
        alert = Alert(
            number=FIRST_NUMBER + len(self._alerts),
            kind="straggler",
            severity=Severity.WARNING,
            state=AlertState.FIRING,
            metric=self._clock.name,
            metrics=(self._clock.name,),
            onset_step=onset,
            raised_step=step,
            cleared_step=None,
            message=f"rank {names.get(file, file)}: {told} since step {step_text(onset)}",
            evidence={
                "rank": names.get(file, file),
                "own": _round(1 / own if self._clock.is_rate else own),
                "others": _round(1 / others if self._clock.is_rate else others),
                "slower": _round(slower),
                "least": _round(math.expm1(self._least)),
            },
        )
        record.firing = alert.number
        return self._note(ChangeKind.RAISED, alert, at)

    def _describe(self, own: float, others: float, slower: float) -> str:
        assert self._clock is not None
        name = self._clock.name
        if self._clock.is_rate:
            lost = percent(-slower / (1 + slower))
            return f"{name} {number(1 / own)} against {number(1 / others)} of the others ({lost})"
        words = set(_WORD.findall(normalize_name(name)))
        unit = "ms" if words & {"ms", "msec", "millis", "milliseconds"} else "s"
        return (
            f"{number(own)} {unit} a step against {number(others)} {unit} of the others ({percent(slower)})"
        )

    def _restart(self, attempt: int, step: float, at: int) -> Iterator[RunChange]:
        """Another attempt: what began beyond the step it went back to is no longer part of the run."""
        is_first, self._attempt = self._attempt is None, attempt
        self._begin()
        if is_first:
            return
        why = f"no longer part of the run, which went back to step {step_text(step)}"
        for record in self._records.values():
            if record.firing is not None and self._alerts[record.firing].onset_step >= step:
                yield self._clear(record, step, at, why)

    def _begin(self) -> None:
        """Compare with nothing that was before."""
        self._open = Laps.none()
        self._last = {}
        for record in self._records.values():
            record.blocks.clear()

    def _clear(self, record: _Record, step: float, at: int, message: str) -> RunChange:
        assert record.firing is not None
        alert, record.firing = self._alerts[record.firing], None
        over = replace(alert, state=AlertState.CLEARED, cleared_step=step, message=message)
        return self._note(ChangeKind.CLEARED, over, at)

    def _note(self, what: ChangeKind, alert: Alert, at: int) -> RunChange:
        alert = soften(alert, self._settings)
        self._alerts[alert.number] = alert
        return RunChange(at, AlertChange(what, alert, self._entries + at))


def _mean_slowness(blocks: Sequence[Block]) -> float:
    return sum(block.slowness for block in blocks) / len(blocks)


def _times(blocks: Sequence[Block]) -> tuple[float, float]:
    """What the rank took over these blocks, and what the others did."""
    own = median([block.own for block in blocks])
    return own, own / math.exp(_mean_slowness(blocks))


def _round(value: float) -> float:
    return float(f"{value:.6g}")
