"""Runs whose health is known, in a few lines each."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from tui.decode.batch import Column, Floats, Span
from tui.health.alerts import Alert, AlertChange
from tui.health.engine import Engine


def noise(n: int, seed: int = 0) -> Floats:
    """White normal noise of unit scale (n,)."""
    return np.random.default_rng(seed).standard_normal(n)


def make_span(steps: Floats | None = None, **columns: Floats) -> Span:
    """Entries whose fields are logged where they are given, and missing where a value is `missing`."""
    n = len(next(iter(columns.values())))
    every = np.arange(n)
    at = np.arange(1.0, n + 1) if steps is None else steps
    return Span(at, {name: Column(every, np.asarray(values, float)) for name, values in columns.items()})


def learning(n: int, sigma: float = 0.05, seed: int = 0) -> Floats:
    """A healthy loss (n,): a power law from 4 towards 1, with white noise."""
    return 1 + 3 * (1 + np.arange(n) / 50) ** -0.4 + sigma * noise(n, seed)


def judge(span: Span, cuts: Iterable[int] = (), engine: Engine | None = None) -> list[AlertChange]:
    """All changes, with the entries fed in chunks that end at `cuts`."""
    engine = engine or Engine()
    bounds = sorted({0, *cuts, len(span)})
    return [change for start, stop in pairwise(bounds) for change in engine.extend(span.slice(start, stop))]


def alerts_of(span: Span) -> tuple[Alert, ...]:
    """The records at the end of a run."""
    engine = Engine()
    engine.extend(span)
    return engine.alerts
