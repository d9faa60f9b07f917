"""The pure step from several runs to one metric of all of them, over each other and side by side."""

from __future__ import annotations

from collections.abc import Sequence

from tui.feed import Feed
from tui.names import choose_metrics
from tui.roles import direction
from tui.screens.curves import chosen_axis, extent_of, ground_of, sample_source, source_of
from tui.screens.display import AXES, Display
from tui.screens.order import order_metrics
from tui.screens.status import axis_name
from tui.screens.window import Range
from tui.store.axes import find_axes
from widgets.drawing.overlay import Overlay, Series, colour_series
from widgets.drawing.sidebyside import Contestant, Milestone, SideBySide, format_milestone

RECENT = "last 50"
"""The row for the means of the last entries."""


def compared_metrics(feeds: Sequence[Feed]) -> tuple[str, ...]:
    """The metrics that several of the runs have, in the order of the first; then those that only one has."""
    names: dict[str, int] = {}
    for feed in feeds:
        run = feed.shown
        for name in order_metrics(run, choose_metrics(run.fields, feed.options.metrics)):
            names[name] = names.get(name, 0) + 1
    return tuple(sorted(names, key=lambda name: names[name] < 2))


def common_axes(feeds: Sequence[Feed]) -> tuple[str, ...]:
    """The axes that all of the runs have."""
    axes = [set(find_axes(feed.shown)) for feed in feeds]
    return tuple(axis for axis in AXES if all(axis in each for each in axes)) or ("step",)


def view_overlay(feeds: Sequence[Feed], names: Sequence[str], metric: str, display: Display) -> Overlay:
    """One metric of all runs; `names` is what they are called here."""
    having = [feed for feed in feeds if metric in feed.shown.fields]
    sources = {id(feed): source_of(feed.shown, metric, display) for feed in having}
    whole = extent_of(list(sources.values()), is_log=False)
    colours = colour_series(names)
    series = tuple(
        _view_series(number, name, colour, feed, metric, whole, display)
        for number, (feed, name, colour) in enumerate(zip(feeds, names, colours, strict=True), 1)
    )
    metrics = compared_metrics(feeds)
    place = f"{metrics.index(metric) + 1}/{len(metrics)}" if metric in metrics and len(metrics) > 1 else ""
    first = having[0] if having else None
    ground = ground_of(first.shown, chosen_axis(first.shown, display)) if first else Overlay("").ground
    return Overlay(metric, series, ground, whole, display.span, display.log_y, place)


def _view_series(
    number: int, name: str, colour: int, feed: Feed, metric: str, whole: Range | None, display: Display
) -> Series:
    if metric not in feed.shown.fields or whole is None:
        return Series(number, name, colour, note="has none")
    return Series(number, name, colour, sample_source(source_of(feed.shown, metric, display), whole, display))


def view_side_by_side(feeds: Sequence[Feed], names: Sequence[str], metric: str) -> SideBySide:
    """The metric at the milestones of the first run and of those that are farther."""
    colours = colour_series(names)
    having = [feed for feed in feeds if metric in feed.run.fields]
    tables = [feed.run.table(feed.options.milestones, [metric]) for feed in having]
    wanted = sorted({row.milestone for table in tables for row in table.rows if row.is_reached})
    values: list[dict[float, float]] = []
    for feed in feeds:
        reached = feed.run.table(wanted, [metric]).rows if feed in having and wanted else ()
        values.append(
            {row.milestone: row.values[metric] for row in reached if not row.is_dim and metric in row.values}
        )
    rows = [Milestone(format_milestone(step), tuple(each.get(step) for each in values)) for step in wanted]
    rows = [row for row in rows if any(value is not None for value in row.values)]
    recent = tuple(feed.run.metric(metric).recent_mean if feed in having else None for feed in feeds)
    sign = next((direction(feed.run.role(metric)) for feed in having), 0)
    return SideBySide(
        runs=tuple(Contestant(number, f"series-{colour}") for number, colour in enumerate(colours, 1)),
        rows=(*rows, Milestone(RECENT, recent)) if rows else (),
        axis=axis_name(having[0].run) if having else "step",
        direction=sign,
    )
