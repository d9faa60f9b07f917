"""The curves of a run as a person has chosen to see them, at a cost that does not grow with the run."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tui.feed import Feed
from tui.health.alerts import Alert
from tui.screens.display import Display
from tui.screens.status import axis_name
from tui.screens.window import Range, shown
from tui.store.axes import Positions, find_axes, place_steps, positions
from tui.store.entry import nearest_entry
from tui.store.run import Run
from tui.store.standing import Standing
from tui.store.stream import Stream
from tui.store.trace import find_extent, make_trace
from widgets import levels
from widgets.drawing.axes import Band, Ground, Mark, x_limits
from widgets.drawing.curve import Curve, Reading
from widgets.numbers import format_age, format_step, format_tick
from widgets.samples import Path, Samples
from widgets.smoothing import MEMORY_SPANS, smooth

_KINDS = {"relative": "duration", "wall": "clock"}

_NAMES = {"relative": "time", "wall": "local time"}

GRAINS = 128
"""Into how many parts the axis is cut at least, of which the last may be empty: less than a column or two."""

MOST_PARTS = 2048
"""Parts of a band at most."""

MOST_GHOSTS = 4096
"""Points of a superseded curve at most."""


class Curves(Struct, frozen=True, eq=False):
    """Curves that share one range of x; `whole` is all there is of it, None where there is nothing."""

    curves: tuple[Curve, ...] = ()
    whole: Range | None = None


class Ledger(Struct, frozen=True, eq=False):
    """What the curves of one look at a run have in common."""

    run: Run
    axis: str
    alerts: tuple[Alert, ...]
    restarts: tuple[float, ...]
    milestones: tuple[float, ...]


def chosen_axis(run: Run, display: Display) -> str:
    """What the run is drawn over: the chosen axis where its log has that one, else its own positions."""
    return display.x if display.x == "step" or display.x in find_axes(run) else "step"


def next_axis(run: Run, display: Display) -> str:
    """The axis after the one that is shown, of those that the log has."""
    axes = find_axes(run)
    return axes[(axes.index(chosen_axis(run, display)) + 1) % len(axes)]


def view_curves(
    feed: Feed,
    display: Display,
    names: Sequence[str],
    milestones: Iterable[float] = (),
    references: Mapping[str, Path] | None = None,
    note: str = "",
) -> Curves:
    """The curves of these metrics.

    Args:
        feed: The run.
        display: How it is to be shown.
        names: Metrics that it has.
        milestones: Steps that are marked on the axis.
        references: Lines of another run, by metric, over the same axis.
        note: What the first curve is to say beside its name.
    """
    run = feed.shown
    ledger = _ledger(feed, display, milestones)
    sources = [_source(run, name, ledger.axis) for name in names]
    whole = extent_of(sources, is_log=display.log_x)
    if whole is None:
        return Curves(tuple(Curve(name) for name in names))
    window = shown(display, whole)
    level_of = levels_by_metric(ledger.alerts)
    remark = _describe_window(window, ledger.axis, is_following=display.is_following)
    curves = []
    for number, (name, source) in enumerate(zip(names, sources, strict=True)):
        curves.append(
            Curve(
                name=name,
                samples=sample_source(source, window or whole, display),
                span=display.span,
                ground=_ground(ledger, name),
                level=level_of.get(name),
                limits=window or whole,
                is_log_x=display.log_x,
                is_log_y=display.log_y,
                reference=(references or {}).get(name) if display.shows_reference else None,
                ghosts=_ghosts(source, name) if display.shows_superseded else None,
                band=_band(feed, ledger, name, window or whole),
                note=" · ".join(filter(None, (note, remark))) if number == 0 else "",
                is_pinned=name in display.pinned,
            )
        )
    return Curves(tuple(curves), whole)


def view_reading(feed: Feed, display: Display, name: str) -> Reading | None:
    """What the crosshair reads on a metric's curve; None while there is none."""
    if display.cursor is None or name not in feed.shown.fields:
        return None
    axis = chosen_axis(feed.shown, display)
    source = _source(feed.shown, name, axis)
    entry = nearest_entry(source.points, source.x_of, display.cursor)
    if entry is None:
        return None
    return Reading(display.cursor, entry.value, format_x(entry.x, axis))


def place_alert(feed: Feed, display: Display, step: float) -> float:
    """Where on the axis a step is."""
    axis = chosen_axis(feed.shown, display)
    return float(place_steps(feed.shown, axis, np.array([step], dtype=np.float64))[0])


def format_x(x: float, axis: str) -> str:
    """A position on an axis as text."""
    if axis == "relative":
        return format_age(x)
    if axis == "wall":
        return time.strftime("%b %d %H:%M:%S", time.localtime(x))
    return format_tick(x) if axis == "tokens" else format_step(x)


class Source(Struct, frozen=True, eq=False):
    """A metric's points and where they are on the axis."""

    stream: Stream
    points: Standing
    x_of: Positions


def source_of(run: Run, name: str, display: Display) -> Source:
    """Where a metric's curve comes from.

    Raises:
        KeyError: No entry has such a field.
    """
    return _source(run, name, chosen_axis(run, display))


def _source(run: Run, name: str, axis: str) -> Source:
    stream = run.stream_of(name)
    return Source(stream, stream.standing(name), positions(run, stream, axis))


def extent_of(sources: Sequence[Source], *, is_log: bool) -> Range | None:
    """The range of x of all curves together."""
    found = [find_extent(source.points, source.x_of, is_log=is_log) for source in sources]
    edges = [edge for extent in found if extent for edge in extent]
    whole = x_limits(np.array(edges), is_log=is_log) if edges else None
    return whole if whole is None or is_log else _rounded_up(*whole)


def _rounded_up(low: float, high: float) -> Range:
    """The range with room for some entries to come, so that the picture does not move with every one of them."""
    grain = 2.0 ** math.floor(math.log2((high - low) / GRAINS))
    end = low + math.ceil((high - low) / grain) * grain
    return (low, end) if end > low else (low, high)


def sample_source(source: Source, window: Range, display: Display) -> Samples:
    """What a curve over this range is drawn from."""
    points = source.points
    if not len(points):
        return Samples()
    lead = MEMORY_SPANS * display.span
    trace = make_trace(points, source.x_of, window, is_log=display.log_x, lead=lead)
    last = float(points.values(len(points) - 1, len(points))[0])
    if not display.span:
        return Samples(trace.x, trace.low, trace.high, lost=trace.lost, last=last)
    smoothed = smooth(trace.mean, display.span, trace.entries)
    kept = ~trace.is_lead
    return Samples(
        trace.x[kept],
        trace.low[kept],
        trace.high[kept],
        smoothed[kept],
        trace.lost,
        last,
        _last_smoothed(points, display.span),
    )


def _last_smoothed(points: Standing, span: int) -> float | None:
    """The moving average after the last entry, to the last digit that anybody sees."""
    tail = points.values(max(len(points) - MEMORY_SPANS * span, 0), len(points))
    smoothed = smooth(tail, span)
    finite = smoothed[np.isfinite(smoothed)]
    return float(finite[-1]) if len(finite) else None


def _ledger(feed: Feed, display: Display, milestones: Iterable[float]) -> Ledger:
    """While only the end of a long log is known, nothing of what happened is."""
    run = feed.shown
    axis = chosen_axis(run, display)
    if feed.preview:
        return Ledger(run, axis, (), (), ())
    restarts = run.main.restarts() if run.main else ()
    return Ledger(run, axis, feed.alerts, _placed(run, axis, restarts), _placed(run, axis, tuple(milestones)))


def _placed(run: Run, axis: str, steps: Sequence[float]) -> tuple[float, ...]:
    return tuple(place_steps(run, axis, np.array(steps, dtype=np.float64)).tolist()) if steps else ()


def _ground(ledger: Ledger, name: str) -> Ground:
    """The axis, the restarts on it, and how long each alert on this metric held."""
    alerts = [alert for alert in ledger.alerts if name in (alert.metric, *alert.metrics)]
    last = ledger.run.last_step
    ends = [alert.cleared_step if alert.cleared_step is not None else last for alert in alerts]
    edges = [
        *(alert.onset_step for alert in alerts),
        *(alert.onset_step if end is None else end for alert, end in zip(alerts, ends, strict=True)),
    ]
    places = _placed(ledger.run, ledger.axis, edges)
    starts, stops = places[: len(alerts)], places[len(alerts) :]
    restarts = tuple(Mark(x, "restart") for x in ledger.restarts)
    onsets = tuple(
        Mark(x, alert.severity.value) for alert, x in zip(alerts, starts, strict=True) if alert.is_firing
    )
    bands = tuple(
        Band(start, stop, alert.severity.value if alert.is_firing else "past")
        for alert, start, stop in sorted(
            zip(alerts, starts, stops, strict=True), key=lambda band: band[0].is_firing
        )
    )
    return replace(
        ground_of(ledger.run, ledger.axis),
        marks=(*restarts, *onsets),
        bands=bands,
        milestones=ledger.milestones,
    )


def ground_of(run: Run, axis: str) -> Ground:
    """The bare axis."""
    own = axis_name(run) if axis == "step" else axis
    return Ground(_NAMES.get(axis, own), _KINDS.get(axis, "count"))


def levels_by_metric(alerts: Iterable[Alert]) -> dict[str, str]:
    """The worst level that fires on each metric."""
    found: dict[str, list[str]] = {}
    for alert in alerts:
        if alert.is_firing:
            for name in dict.fromkeys((alert.metric, *alert.metrics)):
                found.setdefault(name, []).append(alert.severity.value)
    return {name: levels.worst(of_metric) or "info" for name, of_metric in found.items()}


def _describe_window(window: Range | None, axis: str, *, is_following: bool) -> str:
    if window is None:
        return ""
    low, high = (format_x(edge, axis) for edge in window)
    return f"{low} – {'now' if is_following else high}"


def _band(feed: Feed, ledger: Ledger, name: str, window: Range) -> Samples | None:
    """How far the ranks are apart, in at most so many parts as anybody can see."""
    band = feed.ranks.band(name) if feed.ranks and not feed.preview else None
    if band is None or not len(band.steps):
        return None
    x = place_steps(ledger.run, ledger.axis, band.steps)
    own = np.flatnonzero((x >= window[0]) & (x <= window[1]))
    starts = own[:: max(1, -(-len(own) // MOST_PARTS))]
    if not len(own):
        return None
    x, low, high = x[: own[-1] + 1], band.low[: own[-1] + 1], band.high[: own[-1] + 1]
    return Samples(x[starts], np.minimum.reduceat(low, starts), np.maximum.reduceat(high, starts))


def _ghosts(source: Source, name: str) -> Path | None:
    """What restarts have replaced: each stretch of rows that no longer stand, a gap after it."""
    if not source.stream.superseded:
        return None
    series = source.stream.series[name]
    fallen = np.flatnonzero(~source.stream.stands[series.rows])
    if len(fallen) > MOST_GHOSTS:
        fallen = fallen[:: -(-len(fallen) // MOST_GHOSTS)]
    if not len(fallen):
        return None
    x, y = source.x_of(series.rows_at(fallen)), series.values[fallen]
    ends = np.flatnonzero(np.diff(x) < 0) + 1
    return Path(np.insert(x, ends, x[ends - 1]), np.insert(y, ends, np.nan), "replaced")
