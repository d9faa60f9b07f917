"""The logs of a run's ranks as one log: each step once every rank is past it, in whatever order their bytes come."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import PurePosixPath

import numpy as np
from msgspec import Struct, field

from tui.decode.batch import Batch, Floats, Indices
from tui.memo import Memo
from tui.ordered import median
from tui.roles import is_epoch_name
from tui.store.derived import AxisOf
from tui.store.spread import Fields, Held, Merger, Spread, join_held

MOST_WAITING = 200
"""Entries that the others are ahead of a rank when it is left out, so that the run goes on."""

RESTART_CADENCES = 2
"""A step back by more cadences than this is a restart, as in a stream of the run."""

CADENCE_STEPS = 64
"""Over how many of a rank's last steps its cadence is measured."""

_TIER = 1_000_000
"""What parts the attempts of entries with a step from those with an epoch, and these from those with neither."""

Place = tuple[int, float]
"""Where in the run: attempt, and step."""

_NOWHERE: Place = (-3 * _TIER, -np.inf)


class Release(Struct, frozen=True, eq=False):
    """What the run has logged since: the entries of all ranks in one, and what they were rank by rank."""

    batch: Batch
    spreads: tuple[Spread, ...] = ()


class RankState(Struct, frozen=True):
    """Where one rank is. `waiting` counts entries that others are ahead, `missed` those that came too late."""

    name: str
    file: str
    last_step: float | None
    waiting: int
    missed: int
    is_left_out: bool


class Band(Struct, frozen=True, eq=False):
    """The least and the greatest value among the ranks, (n,) each, over the steps that stand (n,)."""

    steps: Floats
    low: Floats
    high: Floats


class Ranks:
    """Takes in what each rank logs, and hands on what is complete.

    What it hands on in all is a function of the logs, however their bytes interleave and are cut, but for entries of
    a rank that had been left out when they came: these are counted.

    Args:
        axis_of: Tells the field of an entry that holds its step.
    """

    def __init__(self, axis_of: AxisOf) -> None:
        self._axis_of = axis_of
        self._ranks: dict[str, _Rank] = {}
        self._merger = Merger()
        self._bands: dict[str, _Bands] = {}
        self._released: Place = _NOWHERE
        self._is_settled = False

    def expect(self, files: Iterable[str]) -> None:
        """These are ranks of the run, whether or not they have logged anything."""
        for file in files:
            if file not in self._ranks:
                self._ranks[file] = _Rank(is_left_out=self._is_settled)
        self._ranks = {file: self._ranks[file] for file in sorted(self._ranks, key=_natural)}

    def add(self, file: str, batch: Batch) -> Release:
        """Take in what a rank has logged; what all ranks are past, once the logs have been read in."""
        if file not in self._ranks:
            self.expect((file,))
        self._ranks[file].take(batch, self._axis_of, self._released)
        counted = Batch(malformed=batch.malformed, remarks=batch.remarks, noise=batch.noise)
        return self._release(self._watermark(), counted)

    def settle(self) -> Release:
        """All that was there has been read: ranks that are far behind are left out. Later it says nothing new."""
        if self._is_settled:
            return Release(Batch())
        self._is_settled = True
        return self.leave_out(self._ranks)

    def leave_out(self, files: Collection[str]) -> Release:
        """The run goes on without those of these ranks that are far behind; they may come back."""
        if not self._is_settled:
            return Release(Batch())
        for file, rank in self._ranks.items():
            if file in files and not rank.is_left_out:
                rank.is_left_out = self._count_beyond(rank.last) > MOST_WAITING
        return self._release(self._watermark())

    def flush(self) -> Release:
        """All that is held: no more will come."""
        self._is_settled = True
        attempt, place = max((rank.last for rank in self._ranks.values()), default=_NOWHERE)
        return self._release((attempt, float(np.nextafter(place, np.inf))))

    # What is known

    @property
    def files(self) -> tuple[str, ...]:
        """The ranks' files, in their order."""
        return tuple(self._ranks)

    def states(self) -> tuple[RankState, ...]:
        """Where each rank is, in their order."""
        names = name_ranks(self.files)
        return tuple(
            RankState(
                names[file],
                file,
                rank.last[1] if np.isfinite(rank.last[1]) else None,
                self._count_beyond(rank.last),
                rank.missed,
                rank.is_left_out,
            )
            for file, rank in self._ranks.items()
        )

    def band(self, name: str) -> Band | None:
        """How far the ranks are apart in a field; None where they never were."""
        bands = self._bands.get(name)
        return bands.band() if bands else None

    # Handing on

    def _watermark(self) -> Place:
        """The place that every rank has reached, and none is past."""
        return min((rank.last for rank in self._ranks.values() if not rank.is_left_out), default=_NOWHERE)

    def _count_beyond(self, place: Place) -> int:
        """How many entries are held of the rank that is farthest ahead of a place."""
        return max((rank.count_beyond(place) for rank in self._ranks.values()), default=0)

    def _release(self, mark: Place, counted: Batch | None = None) -> Release:
        counted = counted or Batch()
        if not self._is_settled or mark <= self._released:
            return Release(counted)
        held = [
            (file, fields, rows)
            for file, rank in self._ranks.items()
            for fields, rows in rank.hand_over(mark)
        ]
        self._released = mark
        batch, spreads = self._merger.merge(held)
        for spread in spreads:
            self._note_bands(spread)
        return Release(
            Batch(batch.entries, batch.rows, counted.malformed, counted.remarks, counted.noise), spreads
        )

    def _note_bands(self, spread: Spread) -> None:
        for name, values in spread.values.items():
            finite = np.where(np.isfinite(values), values, np.nan)
            low, high = np.fmin.reduce(finite), np.fmax.reduce(finite)
            if name in self._bands or (low < high).any():
                self._bands.setdefault(name, _Bands()).extend(spread, low, high)


class _Rank(Struct, eq=False):
    """One rank: what is held of it, and where its log is."""

    is_left_out: bool = False
    missed: int = 0
    last: Place = _NOWHERE
    _axis: str | None = None
    _entries: int = 0
    _recent: Floats = field(default_factory=lambda: np.empty(0))  # steps of this attempt, for the cadence
    _held: dict[Fields, list[Held]] = field(default_factory=dict)

    def take(self, batch: Batch, axis_of: AxisOf, released: Place) -> None:
        """Take in entries; those that come too late are counted."""
        if not batch.entries:
            return
        steps, tiers = self._find_steps(batch, axis_of)
        attempts, places = self._place(steps, tiers)
        is_late = (attempts < released[0]) | ((attempts == released[0]) & (places < released[1]))
        self.missed += int(is_late.sum())
        for rows in batch.rows:
            kept = ~is_late[rows.at]
            at = rows.at[kept]
            if len(at):
                own = np.where(np.isfinite(steps[at]), steps[at], places[at])
                held = Held(attempts[at], places[at], own, at + self._entries, rows.values[kept])
                self._held.setdefault(rows.fields, []).append(held)
        self._entries += batch.entries
        self.is_left_out &= self.last < released or self.last == _NOWHERE

    def hand_over(self, mark: Place) -> Iterable[tuple[Fields, Held]]:
        """What stands before a place; it is not held any more."""
        for fields, parts in tuple(self._held.items()):
            rows = join_held(parts)
            count = rows.count_before(*mark)
            if count == len(rows):
                del self._held[fields]
            else:
                self._held[fields] = [rows.slice(count, len(rows))]
            if count:
                yield fields, rows.slice(0, count)

    def count_beyond(self, place: Place) -> int:
        """How many of its entries are held that stand beyond a place."""
        if self.last <= place:
            return 0
        beyond = (place[0], float(np.nextafter(place[1], np.inf)))
        return sum(len(part) - part.count_before(*beyond) for parts in self._held.values() for part in parts)

    def _find_steps(self, batch: Batch, axis_of: AxisOf) -> tuple[Floats, Indices]:
        """The step of each entry, NaN where it has none of the rank's axis; and the tier of that axis.

        The axis is that of the first entries, until one with a better one comes: a step is better than an epoch.
        """
        steps, tiers = np.full(batch.entries, np.nan), np.zeros(batch.entries, np.int64)
        axes = [(rows, axis_of(rows.fields)) for rows in sorted(batch.rows, key=lambda each: int(each.at[0]))]
        changes: list[tuple[int, str | None]] = [(0, self._axis)]
        for rows, axis in axes:
            if _tier(axis) > _tier(changes[-1][1]):
                changes.append((int(rows.at[0]), axis))
        stops = (*(start for start, _ in changes[1:]), batch.entries)
        for (start, axis), stop in zip(changes, stops, strict=True):
            tiers[start:stop] = _tier(axis)
            if axis is None:
                steps[start:stop] = np.arange(start, stop) + self._entries + 1.0
                continue
            for rows, own in axes:
                if own == axis:
                    is_here = (rows.at >= start) & (rows.at < stop)
                    steps[rows.at[is_here]] = rows.values[is_here, rows.fields.index(axis)]
        self._axis = changes[-1][1]
        steps[~np.isfinite(steps)] = np.nan
        return steps, tiers

    def _place(self, steps: Floats, tiers: Indices) -> tuple[Indices, Floats]:
        """Attempt and place of each entry; an entry without a step, or a little behind, is where the rank is."""
        attempts, places = np.empty(len(steps), np.int64), np.empty(len(steps))
        at = 0
        while at < len(steps):
            attempt, peak = self.last
            if attempt < tiers[at] * _TIER:  # a better axis: nothing before it can be compared
                attempt, peak, self._recent = int(tiers[at]) * _TIER, -np.inf, np.empty(0)
            elif np.isfinite(steps[at]) and self._is_restart(steps[at], peak):
                attempt, peak, self._recent = attempt + 1, -np.inf, np.empty(0)
            stop = self._find_end(steps, tiers, at, peak)
            known = np.where(np.isfinite(steps[at:stop]), steps[at:stop], -np.inf)
            places[at:stop] = np.maximum(np.maximum.accumulate(known), peak)
            attempts[at:stop] = attempt
            self._remember(steps[at:stop])
            self.last = (attempt, float(places[stop - 1]))
            at = stop
        return attempts, places

    def _find_end(self, steps: Floats, tiers: Indices, at: int, peak: float) -> int:
        """Where the attempt of an entry ends: at the next that may go back, or with a better axis."""
        better = np.flatnonzero(tiers[at:] != tiers[at])
        stop = at + int(better[0]) if len(better) else len(steps)
        known = np.where(np.isfinite(steps[at:stop]), steps[at:stop], -np.inf)
        peaks = np.maximum(np.maximum.accumulate(known), peak)
        back = np.flatnonzero(np.isfinite(steps[at + 1 : stop]) & (steps[at + 1 : stop] < peaks[:-1]))
        return at + 1 + int(back[0]) if len(back) else stop

    def _is_restart(self, step: float, peak: float) -> bool:
        deltas = np.diff(self._recent)
        ahead = deltas[deltas > 0]
        cadence = median(ahead) if len(ahead) else 0.0
        return step < peak - RESTART_CADENCES * cadence

    def _remember(self, steps: Floats) -> None:
        known = np.concatenate((self._recent, steps[np.isfinite(steps)]))
        self._recent = known[-CADENCE_STEPS:]


class _Bands(Struct, eq=False):
    """The extremes of one field, as they came."""

    _attempts: list[Indices] = field(default_factory=list)
    _parts: list[Band] = field(default_factory=list)
    _band: Memo[Band] = field(default_factory=Memo)

    def extend(self, spread: Spread, low: Floats, high: Floats) -> None:
        """Take in what came of one release."""
        is_known = np.isfinite(low)
        self._attempts.append(spread.attempts[is_known])
        self._parts.append(Band(spread.steps[is_known], low[is_known], high[is_known]))

    def band(self) -> Band:
        """What stands: not what a later attempt went back behind."""
        return self._band.get(len(self._parts), self._join)

    def _join(self) -> Band:
        attempts = np.concatenate(self._attempts)
        steps, low, high = (
            np.concatenate([getattr(part, name) for part in self._parts]) for name in ("steps", "low", "high")
        )
        stands = np.ones(len(steps), np.bool_)
        for begin in (np.flatnonzero(np.diff(attempts)) + 1).tolist():
            stands[:begin] &= steps[:begin] < steps[begin]
        return Band(steps[stands], low[stands], high[stands])


def name_ranks(files: Sequence[str]) -> dict[str, str]:
    """What each rank is called: the last number in which all files differ, else the file's name, else its address.

    >>> name_ranks(["/logs/rank00.jsonl", "/logs/rank01.jsonl"])
    {'/logs/rank00.jsonl': '0', '/logs/rank01.jsonl': '1'}
    """
    pieces = {file: re.split(r"(\d+)", file) for file in files}
    shapes = {tuple(each[::2]) for each in pieces.values()}
    if len(files) > 1 and len(shapes) == 1:
        numbers = [each[1::2] for each in pieces.values()]
        columns = [[int(number) for number in column] for column in zip(*numbers, strict=True)]
        telling = [column for column in columns if len(set(column)) == len(files)]
        if telling:
            return {file: str(number) for file, number in zip(files, telling[-1], strict=True)}
    names = [PurePosixPath(file).name for file in files]
    return dict(zip(files, names if len(set(names)) == len(names) else files, strict=True))


def find_gaps(names: Iterable[str]) -> tuple[str, ...]:
    """Numbers of ranks without a log between others that have one; none where ranks are not called by numbers."""
    known = list(names)
    if not known or not all(name.isdigit() for name in known):
        return ()
    numbers = {int(name) for name in known}
    return tuple(str(number) for number in range(min(numbers), max(numbers)) if number not in numbers)


def _tier(axis: str | None) -> int:
    if axis is None:
        return -2
    return -1 if is_epoch_name(axis) else 0


def _natural(file: str) -> tuple[tuple[int, str], ...]:
    """Orders files by the numbers in their names."""
    return tuple(
        (int(piece), "") if number % 2 else (0, piece)
        for number, piece in enumerate(re.split(r"(\d+)", file))
    )
