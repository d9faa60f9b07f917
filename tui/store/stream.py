"""Rows of one log that belong together: their steps, attempts and series, and which of them still stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tui.decode.batch import Column, Floats, Indices, Span
from tui.roles import Role, guess_role
from tui.store.segments import Boundary, FieldWatch, Segment
from tui.store.series import Growing, Series
from tui.store.standing import Standing

RESTART_CADENCES = 2.0
"""A step back by more than so many cadences is a restart; a smaller one is reordering."""

CADENCE_ENTRIES = 256
"""Over how many of the last entries the usual step from one to the next is measured."""

_MEASURES = {Role.LOSS, Role.QUALITY, Role.GRAD_NORM}

_SHARED_ROLES = {Role.TIME, Role.PROGRESS, Role.LR, Role.THROUGHPUT}
"""Roles of fields that rows of every kind carry; they don't tell a train row from an eval row."""

Shapes = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Incoming:
    """Entries on their way into a stream, in order: `seq` (n,) are their positions in the batch.

    `shapes` (n,) are indices into `field_sets`, `repeats` (n,) how often each entry was written again right behind
    itself.
    """

    seq: Indices
    span: Span
    shapes: Shapes
    field_sets: tuple[frozenset[str], ...]
    repeats: Indices

    def __len__(self) -> int:
        return len(self.seq)

    def slice(self, start: int, stop: int) -> Incoming:
        """The entries `start` to `stop` (exclusive)."""
        part = slice(start, stop)
        span = self.span.slice(start, stop)
        return Incoming(self.seq[part], span, self.shapes[part], self.field_sets, self.repeats[part])

    def pick(self, indices: Indices) -> Incoming:
        """The entries at rising indices (k,)."""
        span = self.span.pick(indices)
        return Incoming(self.seq[indices], span, self.shapes[indices], self.field_sets, self.repeats[indices])

    def merge_repeats(self) -> Incoming:
        """The same, with each entry that is equal to the one right before it in the log counted there."""
        if len(self) < 2:
            return self
        same = (self.span.steps[1:] == self.span.steps[:-1]) & (self.shapes[1:] == self.shapes[:-1])
        same &= np.diff(self.seq) == 1  # another stream's entry between them may be a restart
        if not same.any():
            return self
        for column in self.span.columns.values():
            values = np.full(len(self), np.nan)  # where both lack a field, its shapes say so
            values[column.at] = column.values
            same &= (values[1:] == values[:-1]) | (np.isnan(values[1:]) & np.isnan(values[:-1]))
        kept = np.flatnonzero(np.concatenate(([True], ~same)))
        picked = self.pick(kept)
        repeats = np.diff(np.append(kept, len(self))) - 1
        return Incoming(picked.seq, picked.span, picked.shapes, picked.field_sets, repeats)


@dataclass(frozen=True, slots=True, eq=False)
class Accepted:
    """Entries that the stream has taken in, in order; `at` (n,) are their positions in the batch."""

    span: Span
    at: Indices


@dataclass(frozen=True, slots=True)
class Restarted:
    """The run went back to this step; what was logged at or beyond it no longer stands.

    `at` is the position in the batch of the entry that showed it; `is_own` is false where the main stream's restart
    was carried over to this one.
    """

    step: float
    at: int
    is_own: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class FieldsChanged:
    """Some fields have ended and others begun; `span` holds the entries since then, accepted already.

    `at` is the position in the batch of the entry that made it certain.
    """

    span: Span
    at: int


Piece = Accepted | Restarted | FieldsChanged


@dataclass(slots=True)
class _Mark:
    row: int
    started_by: str
    is_restart: bool


@dataclass(slots=True, eq=False)
class Stream:
    """One stream of a run.

    `axis` is the field that its steps come from, None where they are entry numbers; `marks` are the fields by which
    an entry is known to belong here. Row numbers count the entries that were taken in; `stands` says which of them a
    restart or a later row of the same step has not replaced.
    """

    axis: str | None
    is_step_axis: bool
    series: dict[str, Series] = field(default_factory=dict)
    marks: Marks = field(default_factory=lambda: Marks())
    reordered: int = 0
    revision: int = 0
    _steps: Growing[np.float64] = field(default_factory=lambda: Growing(np.float64))
    _stands: Growing[np.bool_] = field(default_factory=lambda: Growing(np.bool_))
    _repeats: Growing[np.int64] = field(default_factory=lambda: Growing(np.int64))
    _fallen: int = 0
    _falls: Growing[np.int64] = field(default_factory=lambda: Growing(np.int64))
    _standing: dict[str, Standing] = field(default_factory=dict)
    _peak: float = -np.inf
    _attempt_row: int = 0
    _marks: list[_Mark] = field(default_factory=lambda: [_Mark(0, "start", False)])
    _watch: FieldWatch = field(default_factory=FieldWatch)

    @property
    def rows(self) -> int:
        """How many entries were taken in, superseded ones too, repeated ones not."""
        return len(self._steps)

    @property
    def repeated(self) -> int:
        """How many entries said again what a row says."""
        return len(self._repeats)

    @property
    def entries(self) -> int:
        """How many entries were decoded for it."""
        return self.rows + self.repeated

    @property
    def superseded(self) -> int:
        """How many of its rows no longer stand."""
        return self._fallen

    @property
    def steps(self) -> Floats:
        """The steps of all rows (n,), standing or not, in the order of the log."""
        return self._steps.view

    @property
    def stands(self) -> npt.NDArray[np.bool_]:
        """Which rows (n,) stand."""
        return self._stands.view

    @property
    def cadence(self) -> float | None:
        """The usual step from one entry to the next, or None where that is not known yet."""
        deltas = np.diff(self.steps[-CADENCE_ENTRIES:])
        ahead = deltas[deltas > 0]
        return float(np.median(ahead)) if len(ahead) else None

    @property
    def standing_rows(self) -> Indices | None:
        """The rows that stand, rising; None where all do."""
        return np.flatnonzero(self.stands) if self._fallen else None

    def standing_steps(self) -> Floats:
        """The steps of the rows that stand (n,), in the order of the log."""
        return self.steps[self.stands] if self._fallen else self.steps

    def points(self, name: str) -> tuple[Indices, Floats]:
        """The standing rows that have a field, and its values there; both (n,), in the order of the log."""
        series = self.series[name]
        rows, values = series.rows, series.values
        if not self._fallen:
            return rows, values
        keep = self.stands[rows]
        return rows[keep], values[keep]

    def point_steps(self, name: str) -> tuple[Floats, Floats]:
        """The steps and the values of a field's standing entries; both (n,)."""
        series = self.series[name]
        if not self._fallen and series.dense_from is not None:
            return self.steps[series.dense_from : series.dense_from + len(series)], series.values
        rows, values = self.points(name)
        return self.steps[rows], values

    def standing(self, name: str) -> Standing:
        """The standing points of a field, ready to be pictured; what is new since the last time is taken in."""
        found = self._standing.get(name)
        if found is None:
            found = self._standing[name] = Standing(self.series[name])
        found.update(self.stands, self._falls.view)
        return found

    def row_values(self, row: int) -> dict[str, float]:
        """The fields of one row."""
        found = ((name, series.value_at(row)) for name, series in self.series.items())
        return {name: value for name, value in found if value is not None}

    def segments(self) -> tuple[Segment, ...]:
        """The segments, oldest first."""
        stops = [mark.row for mark in self._marks[1:]] + [self.rows]
        pairs = zip(self._marks, stops, strict=True)
        return tuple(self._segment(mark, stop) for mark, stop in pairs if stop > mark.row)

    def restarts(self) -> tuple[float, ...]:
        """The steps that the run went back to, oldest first."""
        rows = [mark.row for mark in self._marks if mark.is_restart and mark.row < self.rows]
        return tuple(float(self.steps[row]) for row in rows)

    def first_back(self, steps: Floats, start: int) -> int | None:
        """The index of the first of `steps`, from `start` on, that does not lie beyond all before it."""
        rest = steps[start:]
        if not len(rest) or (not self.is_step_axis and self.axis is None):
            return None
        highest = np.maximum.accumulate(np.concatenate(([self._peak], rest[:-1])))
        back = rest <= highest if self.is_step_axis else rest < highest
        index = int(back.argmax())
        return start + index if back[index] else None

    def is_restart(self, step: float) -> bool:
        """Whether going to `step` now is a restart, not a mere reordering."""
        return step < self._peak - RESTART_CADENCES * (self.cadence or 0.0)

    def restart(self, step: float) -> None:
        """Begin a new attempt: what was logged at or beyond `step` no longer stands."""
        stands = self.stands
        fallen = stands & (self.steps >= step)
        self._drop(np.flatnonzero(fallen))
        standing = self.standing_steps()
        self._peak = float(standing.max()) if len(standing) else -np.inf
        self._attempt_row = self.rows
        self._mark(self.rows, "restart")
        self.revision += 1

    def take_back(self, entry: Incoming) -> Iterator[Piece]:
        """Take in one entry that is not beyond all before it, and is no restart: a repetition or a reordering."""
        twin = self._find_twin(float(entry.span.steps[0])) if self.is_step_axis else None
        if twin is None:
            self.reordered += 1
            yield from self.append(entry)
        elif _is_same(self.row_values(twin), entry.span.row(0)):
            self._count_repeats(np.array([twin]), entry.repeats + 1)
        else:
            self._drop(np.array([twin]))
            self._store(entry)  # health has judged the first, so it is not told
            yield from self._watch_fields(entry, tell=False)

    def append(self, incoming: Incoming) -> Iterator[Piece]:
        """Take in entries as they are; tell what came of it."""
        if len(incoming):
            self._store(incoming)
            yield from self._watch_fields(incoming, tell=True)

    def _drop(self, rows: Indices) -> None:
        """These rows (n,), rising, no longer stand."""
        if len(rows):
            self._stands.view[rows] = False
            self._fallen += len(rows)
            self._falls.extend(rows[:1])

    def _store(self, incoming: Incoming) -> None:
        first = self.rows
        self._steps.extend(incoming.span.steps)
        self._stands.extend(np.ones(len(incoming), np.bool_))
        for name, column in incoming.span.columns.items():
            self.series.setdefault(name, Series()).extend(column.at + first, column.values)
        self._count_repeats(np.arange(first, first + len(incoming)), incoming.repeats)
        self._peak = max(self._peak, float(incoming.span.steps.max()))
        self.revision += 1

    def _count_repeats(self, rows: Indices, counts: Indices) -> None:
        """Remember the rows (n,) that were written again, each by its count (n,)."""
        if counts.any():
            self._repeats.extend(np.repeat(rows, counts))

    def _watch_fields(self, incoming: Incoming, *, tell: bool) -> Iterator[Piece]:
        first = self.rows - len(incoming)
        told = 0
        for start, stop in _runs(incoming.shapes):
            fields = incoming.field_sets[incoming.shapes[start]]
            boundary = self._watch.extend(first + start, fields, stop - start)
            if boundary is None:
                continue
            self._mark(boundary.row, "fields")
            until = boundary.confirmed_row + 1 - first
            if tell:
                yield Accepted(incoming.span.slice(told, until), incoming.seq[told:until])
                told = until
            yield FieldsChanged(self._span_since(boundary), int(incoming.seq[until - 1]))
        if tell and told < len(incoming):
            yield Accepted(incoming.span.slice(told, len(incoming)), incoming.seq[told:])

    def _span_since(self, boundary: Boundary) -> Span:
        start, stop = boundary.row, boundary.confirmed_row + 1
        columns = {}
        for name, series in self.series.items():
            low, high = np.searchsorted(series.rows, (start, stop))
            if high > low:
                columns[name] = Column(series.rows[low:high] - start, series.values[low:high])
        return Span(self.steps[start:stop], columns)

    def _mark(self, row: int, started_by: str) -> None:
        """Begin a segment at a row; where one begins there already, a change of fields is the weightier reason."""
        is_restart = started_by == "restart"
        here = next((mark for mark in self._marks if mark.row == row), None)
        if here is None:
            self._marks.append(_Mark(row, started_by, is_restart))
            self._marks.sort(key=lambda mark: mark.row)
        elif row:
            here.is_restart |= is_restart
            here.started_by = started_by if here.started_by == "restart" else here.started_by

    def _find_twin(self, step: float) -> int | None:
        """The standing row of this attempt with this very step, looked for where reordering can have put it."""
        low = max(self._attempt_row, self.rows - 16 * CADENCE_ENTRIES)
        twins = np.flatnonzero((self.steps[low:] == step) & self.stands[low:])
        return low + int(twins[-1]) if len(twins) else None

    def _segment(self, mark: _Mark, stop: int) -> Segment:
        fields = tuple(name for name, series in self.series.items() if series.occurs_between(mark.row, stop))
        steps, repeats = self.steps[mark.row : stop], self._repeats.view
        fallen = steps[~self.stands[mark.row : stop]]
        return Segment(
            first_step=float(steps[0]),
            last_step=float(steps[-1]),
            entries=len(steps) + int(((repeats >= mark.row) & (repeats < stop)).sum()),
            started_by=mark.started_by,
            fields=fields,
            superseded=len(fallen),
            superseded_from=float(fallen.min()) if len(fallen) else None,
            first_row=mark.row,
            unique_steps=len(np.unique(steps)),
        )


@dataclass(slots=True)
class Marks:
    """The fields by which rows are known to belong together.

    `measures` are losses, qualities and gradient norms; `others` what rows of every kind might have, and what counts
    only where one of two rows has no measure at all.
    """

    measures: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)

    def fit(self, row: Marks) -> int:
        """How well a row's marks fit these; 0 where they don't."""
        if self.measures and row.measures:
            return len(self.measures & row.measures)
        return len(self.others & row.others)

    def add(self, row: Marks) -> None:
        """Take in the marks of a row that belongs here."""
        self.measures |= row.measures
        self.others |= row.others


def find_marks(names: Iterable[str]) -> Marks:
    """Of a row's field names, those that tell which stream it is of."""
    roles = {name: guess_role(name) for name in names}
    measures = {name for name, role in roles.items() if role in _MEASURES}
    others = {name for name, role in roles.items() if role not in _SHARED_ROLES and role not in _MEASURES}
    return Marks(measures, others) if measures or others else Marks(others=set(roles))


def _is_same(one: dict[str, float], other: dict[str, float]) -> bool:
    if one.keys() != other.keys():
        return False
    return all(
        value == other[name] or (np.isnan(value) and np.isnan(other[name])) for name, value in one.items()
    )


def _runs(shapes: Shapes) -> Iterator[tuple[int, int]]:
    """The stretches (start, stop) of equal values."""
    edges = np.flatnonzero(np.diff(shapes)) + 1
    starts = (0, *edges.tolist())
    yield from zip(starts, (*starts[1:], len(shapes)), strict=True)
