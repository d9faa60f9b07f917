"""From the rows of a batch to the entries of a stream: groups of like rows, put back into the order of the log."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from tui.decode.batch import Column, Floats, Indices, Rows, Span
from tui.decode.grid import Grid
from tui.store.pieces import Incoming

_FIRST = np.zeros(1, np.int64)
"""The place of an entry that came by itself, its shape, and how often it is repeated."""


def merge_rows(groups: list[Rows], axis: str | None, entries: int) -> Incoming:
    """The entries of groups of like rows, in the order of the log.

    Args:
        groups: The rows; those of a group have the same fields.
        axis: The field that holds their steps; None where steps are entry numbers.
        entries: How many entries the stream has had before.
    """
    if len(groups) == 1 and len(groups[0].at) == 1:
        return _take_single(groups[0], axis, entries)
    at = np.concatenate([rows.at for rows in groups])
    order = np.argsort(at, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    shapes = np.concatenate([np.full(len(rows.at), number) for number, rows in enumerate(groups)])[order]
    if axis is None:
        steps = np.arange(entries, entries + len(order), dtype=np.float64) + 1
    else:
        steps = np.concatenate([rows.values[:, rows.fields.index(axis)] for rows in groups])[order]
    span = Span(steps, _columns(groups, rank, axis))
    field_sets = tuple(frozenset(rows.fields) - {axis} for rows in groups)
    return Incoming(at[order], span, shapes.astype(np.int64), field_sets, np.zeros(len(order), np.int64))


def _take_single(rows: Rows, axis: str | None, entries: int) -> Incoming:
    """The same for one entry that came by itself, as those of a live log do."""
    places, field_sets = _places_of(rows.fields, axis)
    steps = np.array([entries + 1.0]) if axis is None else rows.values[:, rows.fields.index(axis)]
    return Incoming(rows.at, Span(steps, Grid(places, rows.values)), _FIRST, field_sets, _FIRST)


@lru_cache(maxsize=1024)
def _places_of(
    fields: tuple[str, ...], axis: str | None
) -> tuple[Mapping[str, int], tuple[frozenset[str], ...]]:
    """Where the values of an entry stand, by name, and its set of fields; both without the axis."""
    places = {name: place for place, name in enumerate(fields) if name != axis}
    return places, (frozenset(places),)


def _columns(groups: list[Rows], rank: Indices, axis: str | None) -> dict[str, Column]:
    """The fields of merged groups; `rank` (n,) is where each of their entries, one group after the other, stands."""
    parts: dict[str, list[tuple[Indices, Floats]]] = {}
    start = 0
    for rows in groups:
        places = rank[start : start + len(rows.at)]
        start += len(rows.at)
        for number, name in enumerate(rows.fields):
            if name != axis:
                parts.setdefault(name, []).append((places, rows.values[:, number]))
    return {name: _join(pieces) for name, pieces in parts.items()}


def _join(pieces: list[tuple[Indices, Floats]]) -> Column:
    if len(pieces) == 1:
        return Column(*pieces[0])
    at = np.concatenate([places for places, _ in pieces])
    order = np.argsort(at, kind="stable")
    return Column(at[order], np.concatenate([values for _, values in pieces])[order])
