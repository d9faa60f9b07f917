"""What a run is: its streams, taken in entry by entry, and what can be asked of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from msgspec import Struct, field

from tui.decode.batch import Batch, Floats, Rows
from tui.memo import Memo
from tui.ordered import distinct
from tui.roles import Role, direction, find_axis, guess_role, is_epoch_name
from tui.store.budget import Budget
from tui.store.hidden import Happening, Hidden, find_hidden
from tui.store.kinds import find_marks
from tui.store.merging import merge_rows
from tui.store.milestones import Recent, Table, automatic_milestones, build_table, watched_points
from tui.store.pieces import Incoming, Piece, Restarted
from tui.store.progress import Progress, measure_progress
from tui.store.segments import Segment
from tui.store.stream import Stream

RECENT_ENTRIES = 50
"""Over how many of the last entries a mean is "recent"."""


class Points(Struct, frozen=True, eq=False):
    """The standing values of one metric (n,) over their steps (n,), in the order of the log. Treat as read-only."""

    steps: Floats
    values: Floats

    def __len__(self) -> int:
        return len(self.steps)


class Metric(Struct, frozen=True):
    """One metric in a few numbers; None stands for what does not exist.

    `last` may be NaN or infinite, where that was logged; `recent_mean` is over the finite values among the last 50
    entries, `best` over all finite values, in the direction of the role. `count` counts finite values.
    """

    role: Role
    last: float | None
    recent_mean: float | None
    best: float | None
    best_step: float | None
    count: int
    nonfinite: int


class StreamPiece(Struct, frozen=True):
    """Something that came into one stream of the run, by the stream's index."""

    stream: int
    piece: Piece


class Added(Struct, frozen=True, eq=False):
    """What became of a batch: the step of each of its entries, in order, and the pieces for health to judge."""

    steps: Floats
    pieces: tuple[StreamPiece, ...]


class Run(Struct, eq=False):
    """Everything that is known of one run from its log.

    Args:
        roles: Roles by field name, where the guess is wrong.
        total_steps: The step at which it will be done, where the log does not say it.
        budget: What it is to take, and what its steps are worth.
    """

    roles: Mapping[str, Role] = field(default_factory=dict)
    total_steps: float | None = None
    budget: Budget = field(default_factory=Budget)
    malformed: int = 0
    remarks: int = 0
    noise: int = 0
    streams: list[Stream] = field(default_factory=list)
    _entries: int = 0
    _main: Memo[int | None] = field(default_factory=Memo)
    _by_fields: dict[tuple[str, ...], int] = field(default_factory=dict)

    def add(self, batch: Batch) -> Added:
        """Take in a batch; the same entries give the same run, however they were cut into batches."""
        self.malformed += batch.malformed
        self.remarks += batch.remarks
        self.noise += batch.noise
        steps = np.full(batch.entries, np.nan)
        incoming = self._sort_out(batch, steps)
        pieces = tuple(self._take_in(incoming))
        self._entries += batch.entries
        return Added(steps, pieces)

    # What can be asked

    @property
    def entries(self) -> int:
        """All entries that were decoded, of all streams, superseded and repeated ones too."""
        return self._entries

    @property
    def main_index(self) -> int | None:
        """The index of the main stream, or None before the first entry."""
        return self._main.get(self._entries, self._find_largest)

    @property
    def main(self) -> Stream | None:
        """The main stream: the largest."""
        return None if self.main_index is None else self.streams[self.main_index]

    @property
    def revision(self) -> int:
        """Grows with everything that is taken in."""
        return self._entries + self.malformed + self.remarks + self.noise

    @property
    def superseded(self) -> int:
        """How many entries no longer stand."""
        return sum(stream.superseded for stream in self.streams)

    @property
    def repeated(self) -> int:
        """How many entries said again what one before them had said."""
        return sum(stream.repeated for stream in self.streams)

    @property
    def unique_steps(self) -> int:
        """The number of distinct steps of all entries."""
        main = self.main
        alike = [stream.steps for stream in self.streams if main and stream.axis == main.axis]
        return len(distinct(np.concatenate(alike))) if alike else 0

    @property
    def first_step(self) -> float | None:
        """The step of the main stream's first standing entry."""
        steps = self.main.standing_steps() if self.main else np.empty(0)
        return float(steps[0]) if len(steps) else None

    @property
    def last_step(self) -> float | None:
        """The step of the main stream's last standing entry, in the order of the log; never a maximum."""
        return self.main.last_step if self.main else None

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The segments of the main stream, oldest first."""
        return self.main.segments() if self.main else ()

    @property
    def fields(self) -> tuple[str, ...]:
        """All fields but the steps: those of the main stream, then the others', in the log's order."""
        main = self.main_index
        order = sorted(range(len(self.streams)), key=lambda index: (index != main, index))
        return tuple(dict.fromkeys(name for index in order for name in self.streams[index].series))

    def axis_of(self, fields: tuple[str, ...]) -> str | None:
        """The field of an entry that holds its step: the one that was given as such, else a guess; None without any."""
        given = (name for name in fields if self.roles.get(name) is Role.AXIS)
        return next(given, None) or find_axis(fields)

    def role(self, name: str) -> Role:
        """The role of a field."""
        return self.roles.get(name) or guess_role(name)

    def stream_of(self, name: str) -> Stream:
        """The stream that a field is shown from: the main one, else the one that has it most often.

        Raises:
            KeyError: No entry has such a field.
        """
        main = self.main
        if main is not None and name in main.series:
            return main
        holders = [stream for stream in self.streams if name in stream.series]
        if not holders:
            raise KeyError(name)
        return max(holders, key=lambda stream: len(stream.series[name]))

    def points(self, name: str) -> Points:
        """The standing values of a field.

        Raises:
            KeyError: No entry has such a field.
        """
        return Points(*self.stream_of(name).point_steps(name))

    def metric(self, name: str) -> Metric:
        """A field in a few numbers.

        Raises:
            KeyError: No entry has such a field.
        """
        stream, role = self.stream_of(name), self.role(name)
        steps, values = stream.point_steps(name)
        finite = np.isfinite(values)
        count = int(finite.sum())
        best = _best(values, finite, direction(role))
        return Metric(
            role=role,
            last=float(values[-1]) if len(values) else None,
            recent_mean=_recent_means(stream, (name,)).get(name),
            best=None if best is None else float(values[best]),
            best_step=None if best is None else float(steps[best]),
            count=count,
            nonfinite=len(values) - count,
        )

    def recent(self, names: Sequence[str]) -> Recent:
        """The mean of the last 50 entries of each field's stream, in finite values."""
        means: dict[str, float] = {}
        for name in names:
            means |= _recent_means(self.stream_of(name), (name,))
        main = self.main
        entries = min(RECENT_ENTRIES, main.rows - main.superseded) if main else 0
        return Recent(entries, means)

    def table(
        self,
        milestones: Sequence[float] | None = None,
        metrics: Sequence[str] | None = None,
        happenings: Sequence[Happening] | None = None,
    ) -> Table:
        """The milestone table.

        Args:
            milestones: The steps to show; None for the automatic ones.
            metrics: The columns; None for all fields, in the log's order.
            happenings: What began at some step; where it is given, each row tells what it and the one above hide.
        """
        names = tuple(self.fields if metrics is None else metrics)
        main = self.main
        if main is None:
            return Table(names, (), Recent(0, {}))
        at = automatic_milestones(main) if milestones is None else milestones
        roles = None if happenings is None else {name: self.role(name) for name in names}
        sources = {name: self.stream_of(name) for name in names}
        return build_table(main, at, names, sources, self.recent(names), roles, happenings or ())

    def hidden(self, names: Sequence[str], spans: Iterable[tuple[float, float]]) -> list[tuple[Hidden, ...]]:
        """The excursions that the values at both ends of each of these spans of steps don't show."""
        roles = {name: self.role(name) for name in names}
        points = watched_points({name: self.stream_of(name) for name in names}, roles, ())
        return [find_hidden(points, low, high, roles) for low, high in spans]

    def progress(self, rate: float | None = None) -> Progress:
        """How far the run is; `rate` is the steps per second to go by where the log has no time of its own."""
        return measure_progress(self, rate)

    # Taking in

    def _sort_out(self, batch: Batch, steps: Floats) -> dict[int, Incoming]:
        """The batch by stream; writes the step of each entry into `steps`."""
        by_stream: dict[int, list[Rows]] = {}
        for rows in batch.rows:
            by_stream.setdefault(self._assign(rows.fields), []).append(rows)
        return {index: self._merge(index, groups, steps) for index, groups in by_stream.items()}

    def _find_largest(self) -> int | None:
        if not self.streams:
            return None
        return max(range(len(self.streams)), key=lambda index: (self.streams[index].entries, -index))

    def _assign(self, fields: tuple[str, ...]) -> int:
        """The index of the stream that entries with these fields belong to; a new one where none fits."""
        known = self._by_fields.get(fields)
        if known is not None:
            return known
        axis = self.axis_of(fields)
        marks = find_marks(name for name in fields if name != axis)
        fits = [stream.marks.fit(marks) if stream.axis == axis else 0 for stream in self.streams]
        index = int(np.argmax(fits)) if any(fits) else len(self.streams)
        if index == len(self.streams):
            self.streams.append(Stream(axis, is_step_axis=axis is not None and not is_epoch_name(axis)))
        self.streams[index].marks.add(marks)
        self._by_fields[fields] = index
        return index

    def _merge(self, index: int, groups: list[Rows], steps: Floats) -> Incoming:
        """The entries of one stream, from groups of like ones, in the order of the log."""
        stream = self.streams[index]
        merged = merge_rows(groups, stream.axis, stream.entries)
        steps[merged.seq] = merged.span.steps
        incoming = self._without_lost(merged)
        return incoming.merge_repeats() if stream.is_step_axis else incoming

    def _without_lost(self, incoming: Incoming) -> Incoming:
        """Leaves out entries whose step is no number, and counts them as malformed."""
        is_placed = np.isfinite(incoming.span.steps)
        if is_placed.all():
            return incoming
        self.malformed += int((~is_placed).sum())
        return incoming.pick(np.flatnonzero(is_placed))

    def _take_in(self, incoming: dict[int, Incoming]) -> Iterator[StreamPiece]:
        """Hand the entries to their streams, in the order of the log wherever one can affect another stream."""
        position = dict.fromkeys(incoming, 0)
        while event := self._next_back(incoming, position):
            seq, index = event
            for other, entries in incoming.items():
                stop = int(np.searchsorted(entries.seq, seq))
                yield from self._tell(other, self.streams[other].append(entries.slice(position[other], stop)))
                position[other] = stop
            entry = incoming[index].slice(position[index], position[index] + 1)
            position[index] += 1
            yield from self._go_back(index, entry)
        for index, entries in incoming.items():
            rest = entries.slice(position[index], len(entries)) if position[index] else entries
            yield from self._tell(index, self.streams[index].append(rest))

    def _next_back(self, incoming: dict[int, Incoming], position: dict[int, int]) -> tuple[int, int] | None:
        """The first entry, by its number in the batch, that lies behind its stream; with the stream's index."""
        events = []
        for index, entries in incoming.items():
            at = self.streams[index].first_back(entries.span.steps, position[index])
            if at is not None:
                events.append((int(entries.seq[at]), index))
        return min(events, default=None)

    def _go_back(self, index: int, entry: Incoming) -> Iterator[StreamPiece]:
        stream, step, seq = self.streams[index], float(entry.span.steps[0]), int(entry.seq[0])
        if not stream.is_restart(step):
            yield from self._tell(index, stream.take_back(entry))
            return
        if index == self._find_largest():
            for other, companion in enumerate(self.streams):
                if other != index and companion.axis == stream.axis and companion.rows:
                    companion.restart(step)
                    yield StreamPiece(other, Restarted(step, seq, is_own=False))
        stream.restart(step)
        yield StreamPiece(index, Restarted(step, seq))
        yield from self._tell(index, stream.append(entry))

    @staticmethod
    def _tell(index: int, pieces: Iterable[Piece]) -> Iterator[StreamPiece]:
        for piece in pieces:
            yield StreamPiece(index, piece)


def _best(values: Floats, finite: np.typing.NDArray[np.bool_], sign: int) -> int | None:
    """The index of the best finite value, the first of equals; None without a direction or a value."""
    if not sign or not finite.any():
        return None
    return int(np.argmax(np.where(finite, sign * values, -np.inf)))


def _recent_means(stream: Stream, names: tuple[str, ...]) -> dict[str, float]:
    """The means over the last 50 standing entries; NaN where those hold only what is not finite."""
    recent = stream.last_rows(RECENT_ENTRIES)
    if not len(recent):
        return {}
    means = {}
    for name in names:
        last = stream.values_from(name, int(recent[0]))
        finite = last[np.isfinite(last)]
        if len(finite):
            means[name] = float(finite.mean())
        elif len(last):
            means[name] = float("nan")
    return means
