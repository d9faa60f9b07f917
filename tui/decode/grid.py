"""The columns of entries that all have the same fields: each is made when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, KeysView, Mapping, Sequence
from typing import TypeVar, overload

import numpy as np

from tui.decode.batch import Column, Floats, Indices, Span

T = TypeVar("T")

_SINGLE: Indices = np.zeros(1, np.int64)


class Grid(Mapping[str, Column]):
    """Columns by name. An entry that comes by itself has a dozen fields, of which hardly one is looked at.

    Args:
        places: For each field, in the log's order, which of the values of an entry is its.
        values: (n, m) the values of n entries.
    """

    __slots__ = ("_at", "_places", "_values")

    def __init__(self, places: Mapping[str, int], values: Floats) -> None:
        self._places = places
        self._values = values
        self._at = _SINGLE if len(values) == 1 else np.arange(len(values))

    def __getitem__(self, name: str) -> Column:
        return Column(self._at, self._values[:, self._places[name]])

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, name: object) -> bool:
        return name in self._places

    @overload
    def get(self, name: str, /) -> Column | None: ...

    @overload
    def get(self, name: str, /, default: Column | T) -> Column | T: ...

    def get(self, name: str, /, default: Column | T | None = None) -> Column | T | None:
        """The column of a field, if there is such a one."""
        return self[name] if name in self._places else default

    def keys(self) -> KeysView[str]:
        """The names of the fields."""
        return self._places.keys()

    @staticmethod
    def join(parts: Sequence[Mapping[str, Column]]) -> Grid | None:
        """One grid of the entries of these, one after the other; None where they are no grids of the same fields."""
        first = parts[0]
        if not isinstance(first, Grid):
            return None
        alike = [part for part in parts if isinstance(part, Grid) and part._places is first._places]
        if len(alike) < len(parts):
            return None
        return Grid(first._places, np.concatenate([grid._values for grid in alike]))


def join_spans(spans: Sequence[Span]) -> Span:
    """One span of the entries of these, one after the other."""
    if len(spans) == 1:
        return spans[0]
    steps = np.concatenate([span.steps for span in spans])
    return Span(steps, Grid.join([span.columns for span in spans]) or _join_columns(spans))


def _join_columns(spans: Sequence[Span]) -> dict[str, Column]:
    parts: dict[str, list[Column]] = {}
    start = 0
    for span in spans:
        for name, column in span.columns.items():
            parts.setdefault(name, []).append(Column(column.at + start, column.values))
        start += len(span)
    return {
        name: Column(np.concatenate([one.at for one in all_]), np.concatenate([one.values for one in all_]))
        for name, all_ in parts.items()
    }
