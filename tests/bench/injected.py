"""Incidents put into real healthy logs: a level that jumps, and a run that stops learning."""

from __future__ import annotations

import numpy as np

from tests.bench.runs import Run, Truth
from tui.decode.batch import Column, Floats, Span

_MEAN_ENTRIES = 201  # over which the trend is taken
_FEWEST = 1500


def inject_cliff(name: str, span: Span, seed: int, sigmas: float) -> Run | None:
    """The log with its loss higher by so many robust sigma from a drawn entry on; None for a short log."""
    loss = _loss(span)
    if loss is None:
        return None
    first = int(len(span) * np.random.default_rng((seed, len(span))).uniform(0.3, 0.8))
    noise = (loss - trend(loss))[max(first - 500, 0) : first]
    sigma = 1.4826 * float(np.median(np.abs(noise - np.median(noise))))
    changed = loss.copy()
    changed[first:] += sigmas * sigma
    return Run(name, seed, _replace(span, changed), Truth("cliff", first, len(span), sigmas))


def inject_plateau(name: str, span: Span, seed: int) -> Run | None:
    """The log with its noise as it is and its trend held from a third of it on; None for a short log."""
    loss = _loss(span)
    if loss is None:
        return None
    first = int(len(span) * np.random.default_rng((seed, len(span))).uniform(0.25, 0.45))
    level = trend(loss)
    changed = np.where(np.arange(len(loss)) < first, loss, level[first] + loss - level)
    return Run(name, seed, _replace(span, changed), Truth("plateau", first, len(span), 0.0))


def trend(values: Floats) -> Floats:
    """A centred running mean (n,), shorter at the ends."""
    half = _MEAN_ENTRIES // 2
    sums = np.concatenate(([0.0], np.cumsum(values)))
    every = np.arange(len(values))
    low, high = np.maximum(every - half, 0), np.minimum(every + half + 1, len(values))
    means: Floats = (sums[high] - sums[low]) / (high - low)
    return means


def _loss(span: Span) -> Floats | None:
    column = span.columns.get("loss")
    return column.values if column and len(column.at) == len(span) >= _FEWEST else None


def _replace(span: Span, loss: Floats) -> Span:
    column = span.columns["loss"]
    return Span(span.steps, {**span.columns, "loss": Column(column.at, loss)})
