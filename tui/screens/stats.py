"""A metric in a few numbers, as they stand under its curve."""

from __future__ import annotations

import numpy as np

from tui.feed import Feed
from tui.report.wording import TREND_WORDS
from tui.roles import direction
from tui.screens.curves import chosen_axis, format_x, source_of
from tui.screens.display import Display
from tui.store.entry import extreme_entry
from tui.store.run import RECENT_ENTRIES
from widgets.drawing.stats import Stats
from widgets.numbers import format_value, pick_format


def view_stats(feed: Feed, display: Display, name: str) -> Stats:
    """Last value, best one, mean of the last entries, slope, range, and how many there are."""
    run = feed.shown
    if name not in run.fields:
        return Stats()
    source, axis = source_of(run, name, display), chosen_axis(run, display)
    points = source.points
    tail = points.values(max(len(points) - RECENT_ENTRIES, 0), len(points))
    finite = tail[np.isfinite(tail)]
    facts = [("last", format_value(float(tail[-1]) if len(tail) else None), "strong")]
    sign = direction(run.role(name))
    low = extreme_entry(points, source.x_of, is_greatest=False)
    high = extreme_entry(points, source.x_of, is_greatest=True)
    best = {-1: low, 1: high}.get(sign)
    if best is not None:
        facts.append(("best", f"{format_value(best.value)} at {format_x(best.x, axis)}", "strong"))
    if len(finite):
        facts.append((f"mean of last {len(tail)}", format_value(float(finite.mean())), "strong"))
    facts += _trend(feed, name)
    for label, entry in (("least", low), ("greatest", high)):
        if entry is not None and entry is not best:
            facts.append((label, f"{format_value(entry.value)} at {format_x(entry.x, axis)}", "plain"))
    facts.append(("entries", f"{len(points):,}", "plain"))
    if len(points.lost):
        facts.append(("NaN or infinite", f"{len(points.lost):,}", "critical"))
    return Stats(tuple(facts))


_VERDICTS = {"improving": "better", "declining": "worse"}


def _trend(feed: Feed, name: str) -> list[tuple[str, str, str]]:
    """How it moves over its recent window, by the detectors' own measure."""
    trend = None if feed.preview else feed.trends.get(name)
    if trend is None:
        return []
    style, form = _VERDICTS.get(trend.verdict, "plain"), pick_format((trend.low, trend.high))
    return [
        ("trend", TREND_WORDS[trend.verdict], style),
        ("per 1,000 steps", form.change(trend.per_1000_steps), "plain"),
        ("between", f"{form.change(trend.low)} and {form.change(trend.high)}", "plain"),
    ]
