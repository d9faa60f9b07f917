"""What depends on the log's entries alone: curves, metrics, the table, and the log's last lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from tui.decode.batch import Floats
from tui.feed import Feed
from tui.health.alerts import Alert
from tui.roles import Role, direction, is_evaluation
from tui.screens.status import axis_name
from tui.store.run import RECENT_ENTRIES, Run
from widgets import levels
from widgets.drawing.axes import Mark
from widgets.drawing.curve import Curve
from widgets.drawing.log import Log, LogLine
from widgets.drawing.metrics import Metric
from widgets.drawing.table import Column, Row, Table

MAIN_ROLES = (Role.LOSS, Role.QUALITY, Role.GRAD_NORM)
"""The roles whose first metric is drawn as a curve, in this order."""

_QUIET_ROLES = {Role.TIME, Role.PROGRESS}
"""Roles of fields that only grow; their curve tells nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Panels:
    """What depends on the log's entries alone: the main curves, every metric in order, and the table."""

    curves: tuple[Curve, ...]
    metrics: tuple[Metric, ...]
    table: Table


def view_panels(feed: Feed, span: int = 0) -> Panels:
    """Curves, metrics and table, as far as the log has been read."""
    run = feed.shown
    if not run.entries:
        return Panels((), (), Table())
    firing = {} if feed.preview else _levels_by_metric(feed.alerts)
    table = feed.run.table(feed.options.milestones, feed.options.metrics)
    now = run.table(feed.options.milestones, feed.options.metrics) if feed.preview else table
    order = metric_order(run, now.columns)
    main = main_metrics(run, order)
    marks = _marks(feed)
    return Panels(
        curves=tuple(_curve(run, name, span, marks(name), firing.get(name)) for name in main),
        metrics=tuple(_metric(run, name, firing.get(name)) for name in order),
        table=Table(
            columns=tuple(Column(name, direction(feed.run.role(name))) for name in table.columns),
            rows=tuple(
                Row(row.milestone, row.step, row.values, row.per_1000_steps, row.is_dim, row.is_reached)
                for row in table.rows
            ),
            recent=now.recent.values,
            recent_entries=min(now.recent.entries, RECENT_ENTRIES),
            axis=axis_name(feed.run),
        ),
    )


def metric_order(run: Run, columns: Iterable[str]) -> tuple[str, ...]:
    """The metrics in the order to show them: the main ones, then the rest as the log has them; no clocks."""
    shown = [name for name in columns if run.role(name) not in _QUIET_ROLES]
    main = main_metrics(run, shown)
    return (*main, *(name for name in shown if name not in main))


def main_metrics(run: Run, names: Iterable[str]) -> tuple[str, ...]:
    """The first loss, the first quality and the first gradient norm, training's before an evaluation's.

    A log with none of them gives its first metric.
    """
    candidates = sorted(names, key=is_evaluation)
    found = [next((name for name in candidates if run.role(name) is role), None) for role in MAIN_ROLES]
    return tuple(name for name in found if name) or tuple(candidates[:1])


def _curve(run: Run, name: str, span: int, marks: tuple[Mark, ...], level: str | None) -> Curve:
    points = run.points(name)
    return Curve(name, points.steps, points.values, span, marks, level, axis_name(run))


def _metric(run: Run, name: str, level: str | None) -> Metric:
    role, values = run.role(name), run.points(name).values
    return Metric(
        name=name,
        values=values,
        last=float(values[-1]) if len(values) else None,
        change=recent_change(values),
        direction=direction(role),
        is_rate=role is Role.THROUGHPUT,
        level=level,
    )


def recent_change(values: Floats, entries: int = RECENT_ENTRIES) -> float | None:
    """The mean of the last `entries` finite values less that of as many before; None with less than half of them."""
    recent, before = values[-entries:], values[-2 * entries : -entries]
    recent, before = recent[np.isfinite(recent)], before[np.isfinite(before)]
    if 2 * len(before) < entries or not len(recent):
        return None
    return float(recent.mean() - before.mean())


def _levels_by_metric(alerts: Iterable[Alert]) -> dict[str, str]:
    """The worst level that fires on each metric."""
    found: dict[str, list[str]] = {}
    for alert in alerts:
        if alert.is_firing:
            for name in dict.fromkeys((alert.metric, *alert.metrics)):
                found.setdefault(name, []).append(alert.severity.value)
    return {name: levels.worst(of_metric) or "info" for name, of_metric in found.items()}


def _marks(feed: Feed) -> Callable[[str], tuple[Mark, ...]]:
    """The marks of a metric's curve: where the run was restarted, and where its alerts that fire began.

    While only the end of a long log is known there are none.
    """
    if feed.preview:
        return lambda name: ()
    restarts = [
        Mark(float(segment.first_step), "restart")
        for segment in feed.run.segments
        if segment.started_by == "restart" and segment.first_step is not None
    ]

    def marks_of(name: str) -> tuple[Mark, ...]:
        onsets = [
            Mark(alert.onset_step, alert.severity.value)
            for alert in feed.alerts
            if alert.is_firing and name in (alert.metric, *alert.metrics)
        ]
        return (*restarts, *onsets)

    return marks_of


def view_log(feed: Feed) -> Log:
    """The last lines of the log."""
    tail = feed.preview.tail if feed.preview else feed.tail
    lines = tuple(LogLine(line.text, line.is_malformed) for line in tail)
    return Log(lines, feed.target.what, feed.malformed, feed.format or "")
