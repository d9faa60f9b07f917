"""What the ranks of a run logged for the same steps, side by side: their median, and how far apart they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

from tui.decode.batch import Batch, Floats, Indices, Rows
from tui.store.kinds import Marks, find_marks

_BITS = 24
"""Rows that are told apart at a time: their bits and the number of a column fit into a whole number."""

Fields = tuple[str, ...]
Bools = npt.NDArray[np.bool_]


class Held(Struct, frozen=True, eq=False):
    """Entries of one rank with the same m fields, in the order of its log.

    `attempts` and `places` (k,) say where in the run they stand, `steps` (k,) their own steps, `numbers` (k,) which
    entry of the rank's log each is, `values` (k, m) what it logged.
    """

    attempts: Indices
    places: Floats
    steps: Floats
    numbers: Indices
    values: Floats

    def __len__(self) -> int:
        return len(self.attempts)

    def slice(self, start: int, stop: int) -> Held:
        """The entries from `start` to `stop` (exclusive)."""
        return Held(
            self.attempts[start:stop],
            self.places[start:stop],
            self.steps[start:stop],
            self.numbers[start:stop],
            self.values[start:stop],
        )

    def count_before(self, attempt: int, place: float) -> int:
        """How many stand before a place of an attempt; both rise."""
        low, high = np.searchsorted(self.attempts, (attempt, attempt + 1))
        return int(low + np.searchsorted(self.places[low:high], place))


def join_held(parts: Sequence[Held]) -> Held:
    """Parts of one rank's log, one after the other."""
    if len(parts) == 1:
        return parts[0]
    return Held(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("attempts", "places", "steps", "numbers", "values")
        )
    )


class Spread(Struct, frozen=True, eq=False):
    """What each rank logged in n entries that the ranks have in common.

    `at` (n,) are their positions in the batch, `attempts` and `steps` (n,) where they stand; `values` holds for each
    field what each of the ranks in `files` logged, (ranks, n), NaN where it logged nothing.
    """

    files: tuple[str, ...]
    at: Indices
    attempts: Indices
    steps: Floats
    values: Mapping[str, Floats]


class _Kind(Struct, eq=False):
    """Entries that belong together, such as those of training: their marks, and their fields in the log's order."""

    marks: Marks
    fields: dict[str, None] = field(default_factory=dict)


class Merger(Struct, eq=False):
    """Makes one entry of those that the ranks logged for the same step.

    What comes of it depends on the entries and on the ranks' order alone, not on how many are merged at a time, as long
    as all entries of a place come together.
    """

    _kinds: list[_Kind] = field(default_factory=list)
    _kind_of: dict[Fields, int] = field(default_factory=dict)

    def merge(self, held: Sequence[tuple[str, Fields, Held]]) -> tuple[Batch, tuple[Spread, ...]]:
        """The entries in the order of the run, each field's value the median over the ranks that logged it.

        Args:
            held: File, fields and entries, those of a rank together, the ranks in their order.
        """
        parts = [each for each in held if len(each[2])]
        if not parts:
            return Batch(), ()
        self._learn(parts)
        files = tuple(dict.fromkeys(file for file, _, _ in parts))
        kinds = sorted({self._kind_of[fields] for _, fields, _ in parts})
        blocks = [
            _Block.of(files, self._kinds[kind], [each for each in parts if self._kind_of[each[1]] == kind])
            for kind in kinds
        ]
        order = np.lexsort(
            (
                np.concatenate([np.full(len(block.steps), kind) for kind, block in enumerate(blocks)]),
                np.concatenate([block.places for block in blocks]),
                np.concatenate([block.attempts for block in blocks]),
            )
        )
        where = np.empty(len(order), np.int64)
        where[order] = np.arange(len(order))
        rows: list[Rows] = []
        spreads: list[Spread] = []
        first = 0
        for block in blocks:
            at = where[first : first + len(block.steps)]
            first += len(block.steps)
            rows += block.rows(at)
            spreads.append(Spread(files, at, block.attempts, block.steps, block.values))
        rows.sort(key=lambda each: int(each.at[0]))
        return Batch(len(order), tuple(rows)), tuple(spreads)

    def _learn(self, parts: Sequence[tuple[str, Fields, Held]]) -> None:
        """Find the kind of each set of fields that is new, in the order in which the run has them."""
        firsts: dict[Fields, tuple[int, float, int, int]] = {}
        ranks = {file: rank for rank, file in enumerate(dict.fromkeys(file for file, _, _ in parts))}
        for file, fields, rows in parts:
            place = (int(rows.attempts[0]), float(rows.places[0]), ranks[file], int(rows.numbers[0]))
            firsts[fields] = min(firsts.get(fields, place), place)
        for fields in sorted(firsts, key=lambda each: firsts[each]):
            if fields not in self._kind_of:
                self._kind_of[fields] = self._find_kind(fields)
            self._kinds[self._kind_of[fields]].fields.update(dict.fromkeys(fields))

    def _find_kind(self, fields: Fields) -> int:
        marks = find_marks(fields)
        fits = [kind.marks.fit(marks) for kind in self._kinds]
        index = int(np.argmax(fits)) if any(fits) else len(self._kinds)
        if index == len(self._kinds):
            self._kinds.append(_Kind(Marks()))
        self._kinds[index].marks.add(marks)
        return index


class _Block(Struct, frozen=True, eq=False):
    """The entries of one kind: (n,) where they stand, and by field what each rank logged (ranks, n), and whether."""

    attempts: Indices
    places: Floats
    steps: Floats
    values: dict[str, Floats]
    has: dict[str, Bools]

    @classmethod
    def of(cls, files: Fields, kind: _Kind, parts: Sequence[tuple[str, Fields, Held]]) -> _Block:
        """Entries at the same place and step are one; where a rank logged a field twice there, the later stands."""
        attempts, places, steps, numbers = (
            np.concatenate([getattr(rows, name) for _, _, rows in parts])
            for name in ("attempts", "places", "steps", "numbers")
        )
        order = np.lexsort((numbers, steps, places, attempts))
        is_new = np.zeros(len(order), np.bool_)
        is_new[0] = True
        for key in (attempts[order], places[order], steps[order]):
            is_new[1:] |= key[1:] != key[:-1]
        column = np.empty(len(order), np.int64)
        column[order] = np.cumsum(is_new) - 1
        own = order[is_new]
        shape = (len(files), len(own))
        found: dict[str, Floats] = {}
        has: dict[str, Bools] = {}
        latest: dict[str, Indices] = {}
        first = 0
        for file, fields, rows in parts:
            rank, at = files.index(file), column[first : first + len(rows)]
            first += len(rows)
            for number, name in enumerate(fields):
                if name not in found:
                    found[name], has[name] = np.full(shape, np.nan), np.zeros(shape, np.bool_)
                    latest[name] = np.full(shape, -1)
                is_later = rows.numbers >= latest[name][rank, at]
                chosen = at[is_later]
                found[name][rank, chosen] = rows.values[is_later, number]
                has[name][rank, chosen] = True
                latest[name][rank, chosen] = rows.numbers[is_later]
        names = [name for name in kind.fields if name in found]
        return cls(
            attempts[own],
            places[own],
            steps[own],
            {name: found[name] for name in names},
            {name: has[name] for name in names},
        )

    def rows(self, at: Indices) -> Iterable[Rows]:
        """The medians at these positions of a batch (n,), grouped by which fields an entry has."""
        names = list(self.values)
        medians = np.stack([median_of_ranks(self.values[name], self.has[name]) for name in names])
        is_there = np.stack([self.has[name].any(axis=0) for name in names])
        for kept, own in columns_alike(is_there):
            yield Rows(tuple(names[index] for index in kept), at[own], medians[np.ix_(kept, own)].T.copy())


def median_of_ranks(values: Floats, has: Bools) -> Floats:
    """The median over the ranks that logged a field, (ranks, n) to (n,); NaN where none did.

    A NaN or an infinity of a single rank is the whole: what averages over ranks has it too, and a median would hide it.
    """
    found = np.full(values.shape[1], np.nan)
    is_infinite = np.isinf(values)
    with np.errstate(invalid="ignore"):
        for ranks, own in columns_alike(has):
            if len(ranks):
                found[own] = _median(values[np.ix_(ranks, own)])
        if not is_infinite.any():
            return found
        infinite = np.where(is_infinite, values, 0.0).sum(axis=0)
    return np.where(is_infinite.any(axis=0) & ~np.isnan(found), infinite, found)


def _median(values: Floats) -> Floats:
    """The median of each column, NaN where one of its values is; as numpy's, for few rows at a fraction of its cost."""
    ordered = np.sort(values, axis=0)  # NaN comes last
    low, high = ordered[(len(values) - 1) // 2], ordered[len(values) // 2]
    return np.where(np.isnan(ordered[-1]), np.nan, (low + high) / 2)


def columns_alike(has: Bools) -> Iterable[tuple[Indices, Indices]]:
    """Of a table (m, n), the rows that are true and the columns in which just these are, for each such set of rows."""
    rows, columns = has.shape
    if has.all():
        yield np.arange(rows), np.arange(columns)
        return
    codes = np.zeros(columns, np.int64)
    for start in range(0, rows, _BITS):
        part = has[start : start + _BITS]
        bits = (1 << np.arange(len(part), dtype=np.int64)) @ part
        codes = np.unique((codes << _BITS) | bits, return_inverse=True)[1].ravel()
    _, firsts = np.unique(codes, return_index=True)
    for number, first in enumerate(firsts.tolist()):
        yield np.flatnonzero(has[:, first]), np.flatnonzero(codes == number)
