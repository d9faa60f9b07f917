"""What judging costs: microseconds an entry, and bytes that are kept."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Sequence

import numpy as np

from tests.bench.score import judge
from tui.decode.batch import Column, Span
from tui.health.engine import Engine


def measure_bulk(spans: Sequence[Span]) -> float:
    """Microseconds of processor time an entry, in chunks of 700."""
    started = time.process_time()
    for span in spans:
        judge(span)
    return 1e6 * (time.process_time() - started) / sum(len(span) for span in spans)


def measure_single(span: Span, entries: int = 3000) -> float:
    """Microseconds of processor time an entry, one by one, after a thousand that are not counted."""
    singles = [span.slice(at, at + 1) for at in range(1000, min(1000 + entries, len(span)))]
    engine = Engine()
    engine.extend(span.slice(0, 1000))
    started = time.process_time()
    for single in singles:
        engine.extend(single)
    return 1e6 * (time.process_time() - started) / len(singles)


def widen(span: Span, metrics: int = 10) -> Span:
    """The run with more qualities, until so many metrics are judged."""
    column, columns = span.columns["accuracy"], dict(span.columns)
    for number in range(metrics - len(columns)):
        columns[f"top{number + 2}_acc"] = Column(column.at, column.values * (1 + 0.1 * number))
    return Span(span.steps, columns)


def size_of(root: object) -> int:
    """Bytes of an object and of all that it holds, arrays by their data."""
    seen: set[int] = set()
    total, rest = 0, [root]
    while rest:
        one = rest.pop()
        if id(one) in seen or isinstance(one, type) or callable(one):
            continue
        seen.add(id(one))
        total += sys.getsizeof(one)
        rest += _parts(one)
    return total


def _parts(one: object) -> list[object]:
    if isinstance(one, np.ndarray):
        return [] if one.base is None else [one.base]
    if isinstance(one, dict):
        return [*one.keys(), *one.values()]
    if isinstance(one, (list, tuple, set, frozenset, deque)):
        return list(one)
    slots = [name for kind in type(one).__mro__ for name in getattr(kind, "__slots__", ())]
    held = [getattr(one, name) for name in slots if hasattr(one, name)]
    return [*getattr(one, "__dict__", {}).values(), *held]
