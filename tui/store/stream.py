"""Rows of one log that belong together: their steps, attempts and series, and which of them still stand."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

from tui.decode.batch import Column, Floats, Indices, Span
from tui.decode.grid import join_spans
from tui.ordered import distinct, median
from tui.store.kinds import Marks
from tui.store.pieces import Accepted, FieldsChanged, Incoming, Piece, runs
from tui.store.segments import Boundary, FieldWatch, Segment
from tui.store.series import Growing, Series
from tui.store.standing import Standing

RESTART_CADENCES = 2.0
"""A step back by more than so many cadences is a restart; a smaller one is reordering."""

CADENCE_ENTRIES = 256
"""Over how many of the last entries the usual step from one to the next is measured."""

MOST_WAITING = 16
"""Entries that came singly and are stored together, at the latest when there are so many, or when somebody looks."""


class _Mark(Struct):
    row: int
    started_by: str
    is_restart: bool


class Stream(Struct, eq=False):
    """One stream of a run.

    `axis` is the field that its steps come from, None where they are entry numbers; `marks` are the fields by which
    an entry is known to belong here. Row numbers count the entries that were taken in; `stands` says which of them a
    restart or a later row of the same step has not replaced.
    """

    axis: str | None
    is_step_axis: bool
    marks: Marks = field(default_factory=lambda: Marks())
    reordered: int = 0
    revision: int = 0
    _waiting: list[Span] = field(default_factory=list)
    _series: dict[str, Series] = field(default_factory=dict)
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
        return len(self._steps) + len(self._waiting)

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
    def series(self) -> dict[str, Series]:
        """The values of each field that was logged, by name."""
        self._settle()
        return self._series

    @property
    def steps(self) -> Floats:
        """The steps of all rows (n,), standing or not, in the order of the log."""
        self._settle()
        return self._steps.view

    @property
    def stands(self) -> npt.NDArray[np.bool_]:
        """Which rows (n,) stand."""
        self._settle()
        return self._stands.view

    @property
    def last_step(self) -> float | None:
        """The step of the last row that stands."""
        if self._waiting:
            return float(self._waiting[-1].steps[0])
        if self.rows and self._stands.view[-1]:
            return float(self._steps.view[-1])
        standing = self.standing_steps()
        return float(standing[-1]) if len(standing) else None

    @property
    def cadence(self) -> float | None:
        """The usual step from one entry to the next, or None where that is not known yet."""
        deltas = np.diff(self.steps[-CADENCE_ENTRIES:])
        ahead = deltas[deltas > 0]
        return median(ahead) if len(ahead) else None

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

    def last_points(self, name: str, count: int) -> tuple[Floats, Floats]:
        """The steps and the values of a field's last `count` standing entries, without counting through all others."""
        series = self.series[name]
        total, window = len(series), count
        while True:
            places = np.arange(max(total - window, 0), total)
            rows = series.rows_at(places)
            if self._fallen:
                is_standing = self.stands[rows]
                places, rows = places[is_standing], rows[is_standing]
            if len(rows) >= count or window >= total:
                return self.steps[rows[-count:]], series.values[places[-count:]]
            window *= 4

    def last_rows(self, count: int) -> Indices:
        """The last `count` rows that stand, rising."""
        window = count
        while True:
            first = max(self.rows - window, 0)
            standing = np.flatnonzero(self.stands[first:]) + first
            if len(standing) >= count or not first:
                return standing[-count:]
            window *= 4

    def values_from(self, name: str, row: int) -> Floats:
        """The standing values of a field in this row and those behind it."""
        series = self.series[name]
        places = np.arange(series.count_before(row), len(series))
        if self._fallen:
            places = places[self.stands[series.rows_at(places)]]
        return series.values[places]

    def standing(self, name: str, most: int | None = None) -> Standing:
        """The standing points of a field, ready to be pictured; what is new since the last time is taken in.

        With `most`, only so many values of it.
        """
        found = self._standing.get(name)
        if found is None:
            found = self._standing[name] = Standing(self.series[name])
        found.update(self.stands, self._falls.view, most)
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
        if len(steps) == 1:
            is_back = steps[0] <= self._peak if self.is_step_axis else steps[0] < self._peak
            return 0 if is_back and start == 0 and (self.is_step_axis or self.axis is not None) else None
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
        self.revision += 1
        if len(incoming) == 1:
            self._wait(incoming)
            return
        self._settle()
        first = self.rows
        self._store_span(incoming.span)
        self._count_repeats(np.arange(first, first + len(incoming)), incoming.repeats)
        self._peak = max(self._peak, float(incoming.span.steps.max()))

    def _wait(self, incoming: Incoming) -> None:
        """Take in an entry that came singly; a dozen arrays are not made longer for each of these."""
        self._waiting.append(incoming.span)
        self._count_repeats(np.array([self.rows - 1]), incoming.repeats)
        self._peak = max(self._peak, float(incoming.span.steps[0]))
        if len(self._waiting) >= MOST_WAITING:
            self._settle()

    def _settle(self) -> None:
        """Store what waits for it."""
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, []
        self._store_span(join_spans(waiting))

    def _store_span(self, span: Span) -> None:
        first = len(self._steps)
        self._steps.extend(span.steps)
        self._stands.extend(np.ones(len(span), np.bool_))
        for name, column in span.columns.items():
            if name not in self._series:
                self._series[name] = Series()
            self._series[name].extend(column.at + first, column.values)

    def _count_repeats(self, rows: Indices, counts: Indices) -> None:
        """Remember the rows (n,) that were written again, each by its count (n,)."""
        if np.count_nonzero(counts):
            self._repeats.extend(np.repeat(rows, counts))

    def _watch_fields(self, incoming: Incoming, *, tell: bool) -> Iterator[Piece]:
        first = self.rows - len(incoming)
        told = 0
        for start, stop in runs(incoming.shapes):
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
            unique_steps=len(distinct(steps)),
        )


def _is_same(one: dict[str, float], other: dict[str, float]) -> bool:
    if one.keys() != other.keys():
        return False
    return all(
        value == other[name] or (np.isnan(value) and np.isnan(other[name])) for name, value in one.items()
    )
