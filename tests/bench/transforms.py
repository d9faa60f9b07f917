"""The same run logged otherwise: in another unit, thinner, with repeated lines, without its learning rate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from tests.bench.families import FAMILIES
from tests.bench.runs import INCIDENTS, make_run
from tests.bench.score import CHUNK
from tui.decode.batch import Batch, Column, Floats, Rows, Span
from tui.health.alerts import Severity, Verdict
from tui.health.watch import RunHealth
from tui.store.run import Run as StoredRun

VALUES = ("loss", "val_loss", "accuracy")
"""The fields whose unit a trainer is free to choose."""

_REPEATED_SHARE = 0.05


def thin(span: Span, every: int) -> Span:
    """The last of every so many lines; evaluations, made at every hundredth, stay."""
    columns = {}
    for name, column in span.columns.items():
        kept = column.at % every == every - 1
        columns[name] = Column(column.at[kept] // every, column.values[kept])
    return Span(span.steps[every - 1 :: every], columns)


def scale(span: Span, factor: float, names: tuple[str, ...] = VALUES) -> Span:
    """These fields in another unit."""
    columns = {
        name: Column(column.at, column.values * factor) if name in names else column
        for name, column in span.columns.items()
    }
    return Span(span.steps, columns)


def without_lr(span: Span) -> Span:
    """No learning rate is logged."""
    return Span(span.steps, {name: column for name, column in span.columns.items() if name != "lr"})


def repeat(span: Span) -> Span:
    """One line in twenty is written a second time."""
    n = len(span)
    twice = np.random.default_rng(n).random(n) < _REPEATED_SHARE
    first = np.arange(n) + np.concatenate(([0], np.cumsum(twice)[:-1]))  # where each line comes to lie
    columns = {}
    for name, column in span.columns.items():
        again = twice[column.at]
        at = np.concatenate((first[column.at], first[column.at[again]] + 1))
        order = np.argsort(at, kind="stable")
        columns[name] = Column(at[order], np.concatenate((column.values, column.values[again]))[order])
    return Span(np.repeat(span.steps, 1 + twice), columns)


TRANSFORMS: Mapping[str, Callable[[Span], Span]] = {
    "×1e-6": lambda span: scale(span, 1e-6),
    "×1e6": lambda span: scale(span, 1e6),
    "in percent": lambda span: scale(span, 100, ("accuracy",)),
    "5 % of lines twice": repeat,
    "without lr": without_lr,
    "every 2nd line": lambda span: thin(span, 2),
    "every 10th line": lambda span: thin(span, 10),
}


def changed_runs(transform: Callable[[Span], Span], seeds: Iterable[int]) -> tuple[int, int]:
    """How many runs are judged otherwise when they are logged otherwise, and how many there are."""
    runs = [
        (family, seed, incident) for family in FAMILIES for seed in seeds for incident in (None, *INCIDENTS)
    ]
    spans = (make_run(*run).span for run in runs)
    return sum(judge_log(span) != judge_log(transform(span)) for span in spans), len(runs)


def judge_log(span: Span) -> tuple[Verdict, frozenset[str]]:
    """The verdict of a log as the store reads it, and the kinds of alert that ever were warnings."""
    run, health = StoredRun(), RunHealth({})
    kinds = set()
    for start in range(0, len(span), CHUNK):
        added = run.add(to_batch(span.slice(start, min(start + CHUNK, len(span)))))
        for found in health.judge(added.pieces):
            if found.change.alert.severity is not Severity.INFO:
                kinds.add(found.change.alert.kind)
    return health.verdict, frozenset(kinds)


def to_batch(span: Span) -> Batch:
    """The entries as they are decoded, grouped by their fields."""
    n, names = len(span), list(span.columns)
    table = np.column_stack([span.steps, *(_spread(span.columns[name], n) for name in names)])
    present = np.column_stack([np.isin(np.arange(n), span.columns[name].at) for name in names])
    shapes, which = np.unique(present, axis=0, return_inverse=True)
    groups = []
    for number, shape in enumerate(shapes):
        at = np.flatnonzero(which.ravel() == number)
        fields = ("step", *(name for name, has in zip(names, shape, strict=True) if has))
        groups.append(Rows(fields, at, table[np.ix_(at, np.flatnonzero(np.concatenate(([True], shape))))]))
    return Batch(n, tuple(sorted(groups, key=lambda group: int(group.at[0]))))


def _spread(column: Column, n: int) -> Floats:
    values = np.full(n, np.nan)
    values[column.at] = column.values
    return values
