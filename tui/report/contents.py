"""What a report says of a run: the verdict first, then what it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from tui.decode.text import clean
from tui.feed import Feed
from tui.health.alerts import Alert
from tui.report.beside import ROWS, checkpoint_grid, describe_checkpoints, describe_gpus
from tui.report.chart import Chart
from tui.report.comparing import comparison_grid, describe_outlook, find_outlooks
from tui.report.document import Block, Bullets, Document, Figures, Grid, Heading, Paragraph
from tui.report.ranks import describe_ranks
from tui.report.tables import milestone_cells
from tui.report.wording import (
    GLYPHS,
    TREND_WORDS,
    describe_gaps,
    describe_log,
    describe_progress,
    describe_segments,
)
from tui.roles import Role
from widgets.braille import braille_row, levels
from widgets.envelope import envelope_of
from widgets.numbers import format_change, format_step, format_value
from widgets.scale import Axis
from widgets.smoothing import DEFAULT_SPAN

CHARTS = 8
"""Of how many metrics the curves are drawn; all have their row among the metrics."""

_SPARK_CELLS = 16
_UNTOLD_ROLES = {Role.TIME, Role.PROGRESS}


def write_report(feed: Feed, names: Sequence[str], now_s: float) -> Document:
    """The report on a run that was read.

    Args:
        feed: The run.
        names: The metrics to report, in their order.
        now_s: The present in UTC epoch seconds, which the report bears.
    """
    told = [name for name in names if feed.run.role(name) not in _UNTOLD_ROLES]
    return (
        *_summary(feed, now_s),
        *_alerts(feed.alerts),
        Figures("Curves", tuple(draw_chart(feed, name) for name in told[:CHARTS])),
        *_trends(feed, told),
        *_comparison(feed, told),
        Heading("Milestones"),
        _milestones(feed, told),
        Heading("Metrics"),
        _metrics(feed, told),
        *_checkpoints(feed),
        *_segments(feed),
    )


def draw_chart(feed: Feed, name: str, span: int = DEFAULT_SPAN) -> Chart:
    """The curve of a metric, with where its alerts began."""
    points = feed.run.points(name)
    marks = tuple(
        (alert.onset_step, str(alert.severity))
        for alert in feed.alerts
        if name in (alert.metric, *alert.metrics) and alert.severity.rank
    )
    return Chart(clean(name), points.steps, points.values, span, marks)


def _summary(feed: Feed, now_s: float) -> Iterable[Block]:
    stamp = datetime.fromtimestamp(now_s, UTC).strftime("%Y-%m-%d %H:%M UTC")
    yield Heading(f"{clean(feed.name)}: {GLYPHS[feed.verdict]} {feed.verdict}", 1)
    yield Paragraph(f"{clean(feed.target.text)}, as read on {stamp}.")
    gaps = [line.strip() for line in describe_gaps(feed)]
    beside = [line for line in (describe_ranks(feed), describe_gpus(feed)) if line]
    yield Bullets((describe_progress(feed), describe_log(feed), *beside, *gaps))


def _alerts(alerts: Sequence[Alert]) -> Iterable[Block]:
    yield Heading("Alerts")
    if not alerts:
        yield Paragraph("None fires, and none ever did.")
        return
    rows = sorted(alerts, key=lambda alert: (not alert.is_firing, -alert.severity.rank, alert.onset_step))
    yield Grid(
        ("alert", "state", "metric", "since step", "raised", "cleared", "what was seen"),
        tuple(_alert_row(alert) for alert in rows),
        is_left=frozenset({1, 2, 6}),
    )
    firing = [alert for alert in rows if alert.is_firing and alert.evidence]
    if firing:
        yield Paragraph("The numbers behind those that fire:")
        yield Bullets(tuple(_evidence(alert) for alert in firing))


def _alert_row(alert: Alert) -> tuple[str, ...]:
    return (
        f"{alert.severity} {alert.kind.replace('_', ' ')}",
        str(alert.state),
        clean(alert.metric),
        format_step(alert.onset_step),
        format_step(alert.raised_step),
        "" if alert.cleared_step is None else format_step(alert.cleared_step),
        clean(alert.message),
    )


def _evidence(alert: Alert) -> str:
    facts = [
        f"{name.replace('_', ' ')} {value if isinstance(value, str) else format_value(value)}"
        for name, value in alert.evidence.items()
    ]
    return f"{alert.kind.replace('_', ' ')} of {clean(alert.metric)}: {clean(', '.join(facts))}"


def _trends(feed: Feed, names: Sequence[str]) -> Iterable[Block]:
    trends = feed.trends
    rows = [(name, trends[name]) for name in names if name in trends]
    if not rows:
        return
    yield Heading("Trends")
    yield Grid(
        ("metric", "verdict", "per 1,000 steps", "between", "over steps"),
        tuple(
            (
                clean(name),
                TREND_WORDS[trend.verdict],
                format_change(trend.per_1000_steps),
                f"{format_change(trend.low)} and {format_change(trend.high)}",
                f"{format_step(trend.from_step)} to {format_step(trend.to_step)}",
            )
            for name, trend in rows
        ),
        is_left=frozenset({1}),
    )


def _comparison(feed: Feed, names: Sequence[str]) -> Iterable[Block]:
    grid, outlooks = comparison_grid(feed, names), find_outlooks(feed, names)
    if grid is None and not outlooks:
        return
    yield Heading("Compared")
    if grid is not None:
        yield grid
    if outlooks:
        yield Bullets(tuple(describe_outlook(outlook) for outlook in outlooks))


def _milestones(feed: Feed, names: Sequence[str]) -> Grid:
    table = feed.annotate(feed.run.table(feed.options.milestones, names))
    progress = feed.progress() if feed.is_going_on else None
    header, *rows = (tuple(row) for row in milestone_cells(table, progress, with_changes=True))
    return Grid(header, tuple(rows))


def _metrics(feed: Feed, names: Sequence[str]) -> Grid:
    rows = []
    for name in names:
        metric = feed.run.metric(name)
        best = (
            "" if metric.best is None else f"{format_value(metric.best)} at {format_step(metric.best_step)}"
        )
        lost = f"{metric.nonfinite:,}" if metric.nonfinite else ""
        numbers = (format_value(metric.last), format_value(metric.recent_mean), best, lost)
        rows.append((clean(name), *numbers, _spark(feed, name)))
    return Grid(
        ("metric", "last", "mean of last 50", "best", "not finite", "course"),
        tuple(rows),
        is_left=frozenset({5}),
    )


def _spark(feed: Feed, name: str) -> str:
    """The metric's course in one row of braille."""
    points = feed.run.points(name)
    if not len(points):
        return ""
    axis = Axis(float(points.steps.min()), float(points.steps.max()))
    shape = envelope_of(points.steps, points.values, axis, 2 * _SPARK_CELLS)
    if not len(shape.columns):
        return ""
    low, high = float(shape.mean.min()), float(shape.mean.max())
    found = dict(zip(shape.columns.tolist(), levels(shape.mean, low, high), strict=True))
    return braille_row([found.get(column) for column in range(2 * _SPARK_CELLS)])


def _checkpoints(feed: Feed) -> Iterable[Block]:
    told, grid = describe_checkpoints(feed), checkpoint_grid(feed)
    if told is None:
        return
    yield Heading("Checkpoints")
    yield Paragraph(f"{told}.")
    if grid is not None:
        yield grid
    left = len(feed.shelf.checkpoints) - ROWS if feed.shelf else 0
    if left > 0:
        yield Paragraph(f"And {left:,} older ones.")


def _segments(feed: Feed) -> Iterable[Block]:
    segments = feed.run.segments
    if len(segments) < 2:
        return
    yield Heading("Segments")
    yield Paragraph(f"{describe_segments(segments)}; {feed.run.unique_steps:,} unique steps.")
