"""Metrics that are worked out from logged ones, entry by entry, so that they behave like these everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field
from msgspec.structs import replace

from tui.config import DerivedConfig
from tui.config.mistakes import suggest
from tui.decode.batch import Batch, Column, Floats, Indices, Rows
from tui.errors import ConfigError
from tui.formula import Formula, parse_formula
from tui.store.average import Average

FIELDS_TOLD = 30
"""Of a log with more fields than this they are not all told to somebody who has mistaken one."""

AxisOf = Callable[[tuple[str, ...]], str | None]
"""The field of an entry that holds its step."""


class _Metric(Struct, eq=False):
    """One derived metric: the fields that it needs, and how it comes of their values where an entry has all."""

    name: str
    needs: tuple[str, ...]
    work_out: Callable[[Floats, Mapping[str, Column]], Column]
    place: str
    undefined: int = 0
    values: int = 0


class Derivation(Struct, eq=False):
    """Renames fields, and adds derived metrics to the entries that have what they need.

    What can't be worked out, such as a division by zero, is no value, and is counted. A value that was logged stands:
    no field is renamed to, or derived as, one that its entry has.

    Args:
        rename: New names by old ones.
        derived: What the configuration says of each derived metric.
        axis_of: Tells the field of an entry that holds its step.

    Raises:
        ConfigError: A formula is none, or metrics are derived from each other in a circle.
    """

    rename: Mapping[str, str] = field(default_factory=dict)
    derived: Mapping[str, DerivedConfig] = field(default_factory=dict)
    axis_of: AxisOf = lambda fields: None
    _metrics: list[_Metric] = field(default_factory=list)
    _seen: dict[str, None] = field(default_factory=dict)
    _entries: int = 0

    def __post_init__(self) -> None:
        metrics = {name: _make_metric(name, one) for name, one in self.derived.items()}
        try:
            order = TopologicalSorter({name: one.needs for name, one in metrics.items()}).static_order()
            self._metrics = [metrics[name] for name in order if name in metrics]
        except CycleError as error:
            circle = " from ".join(error.args[1])
            place = metrics[error.args[1][0]].place
            raise ConfigError(
                f"{place}: {circle} is a circle; derive one of them from what is logged"
            ) from error

    def apply(self, batch: Batch) -> Batch:
        """The batch with its fields renamed and derived metrics added."""
        if not batch.rows or not (self.rename or self._metrics):
            return batch
        rows = [replace(each, fields=self._renamed(each.fields)) for each in batch.rows]
        if self._metrics:
            rows = self._derive(rows, batch.entries)
        self._entries += batch.entries
        return replace(batch, rows=tuple(rows))

    def problems(self) -> list[str]:
        """What is wrong with the metrics, as far as the log has been read: one sentence each, mistakes first."""
        return [*self.mistakes(), *self.remarks()]

    def mistakes(self) -> list[str]:
        """What the configuration asks for that the log does not have."""
        if not self._entries:
            return []
        told = [text for each in self._metrics if (text := self._find_mistake(each))]
        unused = [
            old for old, new in self.rename.items() if old not in self._seen and self._is_slip(old, new)
        ]
        return told + [f"rename: the log has no field {old}{_near(old, self._seen)}" for old in unused]

    def remarks(self) -> list[str]:
        """How often a metric could not be worked out."""
        return [
            f"{each.place}: {each.name} had no value {each.undefined:,} time{'s' * (each.undefined > 1)}:"
            " a division by zero, or beyond all numbers"
            for each in self._metrics
            if each.undefined
        ]

    def _is_slip(self, old: str, new: str) -> bool:
        """Whether a name that is not there was meant otherwise; it may also come with a later script."""
        return new not in self._seen or _is_near(old, tuple(self._seen))

    def _find_mistake(self, metric: _Metric) -> str | None:
        known = (*self._seen, *(each.name for each in self._metrics))
        lacking = next((name for name in metric.needs if name not in known), None)
        if lacking is not None:
            return f"{metric.place}: the log has no field {lacking}{_near(lacking, self._seen)}"
        is_apart = not metric.values and not metric.undefined
        if is_apart and all(name in self._seen for name in metric.needs):
            return f"{metric.place}: {' and '.join(metric.needs)} never stand in one entry"
        return None

    def _renamed(self, fields: tuple[str, ...]) -> tuple[str, ...]:
        self._seen.update(dict.fromkeys(fields))
        own = set(fields)
        renamed = []
        for name in fields:
            new = self.rename.get(name, name)
            if new != name and new in own:
                new = name
            own.add(new)
            renamed.append(new)
        self._seen.update(dict.fromkeys(renamed))
        return tuple(renamed)

    def _derive(self, rows: Sequence[Rows], entries: int) -> list[Rows]:
        """The rows with the metrics added; those that have a value parted from those that have none."""
        steps = np.full(entries, np.nan)
        for each in rows:
            axis = self.axis_of(each.fields)
            if axis is not None:
                steps[each.at] = each.values[:, each.fields.index(axis)]
        added: dict[str, Column] = {}
        for metric in self._metrics:
            columns = {name: _gather(rows, name, added.get(name)) for name in metric.needs}
            found = metric.work_out(steps, columns)
            is_defined = np.isfinite(found.values) | _has_nonfinite(found, columns)
            metric.undefined += int((~is_defined).sum())
            metric.values += int(is_defined.sum())
            added[metric.name] = Column(found.at[is_defined], found.values[is_defined])
        parts = [part for each in rows for part in _widen(each, added)]
        return sorted(
            parts, key=lambda part: int(part.at[0]) if len(part.at) else 0
        )  # as the log has them, however it was cut


def _make_metric(name: str, config: DerivedConfig) -> _Metric:
    place = str(config.place) if config.place.path else f"derived {name}"
    if config.expr is not None:
        try:
            formula = parse_formula(config.expr)
        except ValueError as error:
            raise ConfigError(f"{place}: expr is no formula: {error}") from error
        if not formula.names:
            raise ConfigError(f"{place}: expr names no metric, so it is the same everywhere")
        return _Metric(name, formula.names, lambda steps, columns: _evaluate(formula, columns), place)
    assert config.source is not None
    source = config.source
    if config.average is not None:
        average = Average(config.average)
        return _Metric(name, (source,), lambda steps, columns: average.extend(steps, columns[source]), place)
    xs, ys = np.array(sorted(config.points)).T
    return _Metric(name, (source,), lambda steps, columns: _interpolate(columns[source], xs, ys), place)


def _interpolate(column: Column, xs: Floats, ys: Floats) -> Column:
    """Linear between the points, flat outside them; NaN stays NaN."""
    return Column(column.at, np.where(np.isnan(column.values), np.nan, np.interp(column.values, xs, ys)))


def _evaluate(formula: Formula, columns: Mapping[str, Column]) -> Column:
    """The formula where all its metrics have a value; one of none has no place."""
    at = _common([column.at for column in columns.values()])

    def operand(each: str | float) -> Floats:
        if isinstance(each, str):
            return columns[each].values[np.searchsorted(columns[each].at, at)]
        return np.full(len(at), each)

    with np.errstate(all="ignore"):
        return Column(at, formula.work_out(operand, _combine))


def _combine(sign: str, left: Floats, right: Floats) -> Floats:
    if sign == "+":
        return left + right
    if sign == "-":
        return left - right
    return left * right if sign == "*" else np.where(right == 0, np.nan, left / right)


def _common(places: Sequence[Indices]) -> Indices:
    at = places[0] if places else np.empty(0, np.int64)
    for other in places[1:]:
        is_same = len(at) == len(other) and np.array_equal(at, other)
        at = at if is_same else np.intersect1d(at, other, assume_unique=True)
    return at


def _has_nonfinite(found: Column, columns: Mapping[str, Column]) -> npt.NDArray[np.bool_]:
    """Where a value comes of one that was itself logged as NaN or infinite: that is a value, and shows."""
    is_so = np.zeros(len(found.at), np.bool_)
    for column in columns.values():
        is_so |= ~np.isfinite(column.values[np.searchsorted(column.at, found.at)])
    return is_so


def _gather(rows: Iterable[Rows], name: str, derived: Column | None) -> Column:
    """The values of a field over all entries of a batch, in order; a derived one where none was logged."""
    parts = [(each.at, each.values[:, each.fields.index(name)]) for each in rows if name in each.fields]
    if derived is not None:
        logged = np.concatenate([at for at, _ in parts]) if parts else np.empty(0, np.int64)
        is_new = ~np.isin(derived.at, logged)
        parts.append((derived.at[is_new], derived.values[is_new]))
    if len(parts) == 1:
        return Column(*parts[0])
    if not parts:
        return Column(np.empty(0, np.int64), np.empty(0))
    at = np.concatenate([part[0] for part in parts])
    order = np.argsort(at, kind="stable")
    return Column(at[order], np.concatenate([part[1] for part in parts])[order])


def _widen(rows: Rows, added: Mapping[str, Column]) -> list[Rows]:
    """Rows with their derived values; parted by which of them they have."""
    names = [name for name in added if name not in rows.fields and len(added[name].at)]
    if not names or not len(rows.at):
        return [rows]
    places = [np.searchsorted(added[name].at, rows.at) for name in names]
    has = np.stack(
        [_is_at(added[name].at, place, rows.at) for name, place in zip(names, places, strict=True)]
    )
    codes = (1 << np.arange(len(names))) @ has
    parts = []
    for code in np.unique(codes).tolist():
        own = np.flatnonzero(codes == code)
        chosen = [number for number in range(len(names)) if code >> number & 1]
        values = [added[names[number]].values[places[number][own]] for number in chosen]
        fields = (*rows.fields, *(names[number] for number in chosen))
        parts.append(Rows(fields, rows.at[own], np.column_stack([rows.values[own], *values])))
    return parts


def _is_at(known: Indices, places: Indices, at: Indices) -> npt.NDArray[np.bool_]:
    """Which of `at` (k,) are among the rising `known` (n,), given where they would stand there."""
    return np.asarray(known[np.minimum(places, len(known) - 1)] == at)


def _near(name: str, known: Iterable[str]) -> str:
    """What was probably meant, as the end of a sentence; a path without its backticks is a likely slip."""
    fields = tuple(known)
    path = next((each for each in fields if each.startswith((f"{name}/", f"{name}-"))), None)
    if path is not None:
        return f"; in a formula {path} stands in backticks: `{path}`"
    return f"; {suggest(name, fields)}" if len(fields) <= FIELDS_TOLD or _is_near(name, fields) else ""


def _is_near(name: str, fields: tuple[str, ...]) -> bool:
    return suggest(name, fields).startswith("did you mean")
