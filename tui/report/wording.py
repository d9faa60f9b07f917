"""A run in words: what `status` and a report say."""

from __future__ import annotations

from collections.abc import Sequence

from tui.decode.text import clean
from tui.feed import Feed
from tui.health.alerts import Alert, Trend, Verdict
from tui.health.liveness import LivenessState
from tui.listener import Replacement, describe_reason
from tui.report.beside import describe_checkpoints, describe_gpus
from tui.report.comparing import describe_comparison
from tui.report.pace import describe_progress as describe_progress
from tui.report.ranks import describe_ranks
from tui.roles import Role
from tui.store.joins import Join, find_joins
from tui.store.segments import Segment
from widgets.numbers import format_age, format_bytes, format_change, format_step, format_value

GLYPHS = {Verdict.HEALTHY: "●", Verdict.WARNING: "▲", Verdict.CRITICAL: "✖", Verdict.UNKNOWN: "?"}
"""A mark for each verdict that differs in shape, not in colour alone."""

METRICS_TOLD = 40
"""How many metrics a glance lists; a log with more has them chosen."""

TREND_WORDS = {
    "improving": "improving",
    "flat": "flat",
    "declining": "declining",
    "unclear": "can't tell yet: too noisy",
}

SEGMENTS_TOLD = 6
"""Of more segments than this the first and the last are told."""

JOINS_TOLD = 3
"""How many of the last boundaries between segments are told."""

JUMPS_TOLD = 3
"""How many metrics are told of a boundary, those that jump farthest first."""

_TOLD_ROLES = {Role.LOSS, Role.QUALITY, Role.GRAD_NORM, Role.LR, Role.OTHER}


def describe_run(feed: Feed, names: Sequence[str]) -> str:
    """A run on a few lines: verdict, where it is, its metrics, its alerts."""
    lines = [
        f"{GLYPHS[feed.verdict]} {feed.verdict}  {clean(feed.name)}  {clean(feed.target.place)}",
        f"  {describe_progress(feed)}",
        f"  {describe_log(feed)}",
    ]
    ranks = describe_ranks(feed)
    lines += [f"  {ranks}"] if ranks else []
    if len(feed.run.segments) > 1:
        lines.append(f"  {describe_segments(feed.run.segments)}; {feed.run.unique_steps:,} unique steps")
        lines += [f"  {describe_join(join)}" for join in find_joins(feed.run)[-JOINS_TOLD:] if join]
    lines += [f"  {line}" for line in describe_gaps(feed)]
    lines += [f"  ▲ {clean(problem)}" for problem in feed.problems]
    lines += [f"  {line}" for line in _describe_metrics(feed, names)]
    lines += [f"  {line}" for line in describe_comparison(feed, names)]
    lines += [f"  {line}" for line in (describe_checkpoints(feed), describe_gpus(feed)) if line]
    lines += [f"  {_describe_alert(alert)}" for alert in feed.alerts if alert.is_firing]
    cleared = sum(not alert.is_firing for alert in feed.alerts)
    if cleared:
        lines.append(f"  {cleared} earlier alert{'s' * (cleared > 1)} cleared; --json lists them")
    return "\n".join(lines)


def describe_log(feed: Feed) -> str:
    """Whether the log is alive, its format, and what of it was left out."""
    liveness, run = feed.liveness(), feed.run
    word = (
        "can't tell whether it is alive" if liveness.state is LivenessState.UNKNOWN else str(liveness.state)
    )
    told = [word, *([feed.format] if feed.format else [])]
    if liveness.last_write_age_s is not None:
        told.append(f"last write {format_age(liveness.last_write_age_s)} ago")
    if liveness.expected_s is not None:
        told.append(f"an entry every {_format_gap(liveness.expected_s)}")
    counts = (
        (feed.malformed, "malformed"),
        (feed.noise, "noise"),
        (run.superseded, "superseded"),
        (run.repeated, "repeated"),
        (feed.dropped_values, "values of too many fields left out"),
    )
    told += [f"{count:,} {word}" for count, word in counts if count]
    if feed.skipped_bytes:
        told.append(f"the first {format_bytes(feed.skipped_bytes)} not read")
    return " · ".join(told)


def describe_gaps(feed: Feed) -> list[str]:
    """Where lines may be missing because the file was changed, each gap once."""
    return list(dict.fromkeys(_describe_gap(gap) for gap in feed.replaced if gap.gap))


def _describe_gap(gap: Replacement) -> str:
    before = "what comes next" if gap.step is None else f"step {format_step(gap.step)}"
    return f"▲ {clean(describe_reason(gap.reason))}: lines may be missing before {before}"


def _format_gap(seconds: float) -> str:
    return f"{format_value(seconds)} s" if seconds < 60 else format_age(seconds)


def describe_segments(segments: Sequence[Segment]) -> str:
    """The segments, each with the fields that tell it from its neighbour, and what of it a later one replaced."""
    told = []
    for number, segment in enumerate(segments):
        other = segments[1] if number == 0 else segments[number - 1]
        own = [clean(name) for name in segment.fields if name not in other.fields][:2]
        text = f"{segment.entries:,}{' entries' if number == 0 else ''}{' with ' + ', '.join(own) if own else ''}"
        if number < len(segments) - 1:
            text += f" to step {format_step(segment.last_step)}"
        if segment.superseded:
            from_step = format_step(segment.superseded_from)
            text += f" ({segment.superseded:,} of them superseded from {from_step})"
        told.append(text)
    if len(told) > SEGMENTS_TOLD:
        told[SEGMENTS_TOLD // 2 : -(SEGMENTS_TOLD // 2)] = [f"{len(told) - SEGMENTS_TOLD // 2 * 2:,} more"]
    return ", then ".join(told)


def _describe_metrics(feed: Feed, names: Sequence[str]) -> list[str]:
    told = [name for name in names if feed.run.role(name) in _TOLD_ROLES]
    if not told:
        return []
    left = len(told) - METRICS_TOLD
    told = told[:METRICS_TOLD]
    width = max(len(clean(name)) for name in told)
    lines, trends = [], feed.trends
    for name in told:
        metric = feed.run.metric(name)
        mean = format_value(metric.recent_mean)
        text = f"{clean(name):<{width}}  {format_value(metric.last):>9}   mean of 50 {mean:>9}"
        if metric.best is not None:
            text += f"   best {format_value(metric.best):>9} at {format_step(metric.best_step)}"
        if metric.nonfinite:
            text += f"   {metric.nonfinite:,} not finite"
        if name in trends:
            text += f"   {describe_trend(trends[name])}"
        lines.append(text)
    return [*lines, f"and {left:,} more metrics; --metrics chooses, --json has all"] if left > 0 else lines


def describe_trend(trend: Trend) -> str:
    """The verdict over a metric's recent window, and its pace where there is one to speak of."""
    word = TREND_WORDS[trend.verdict]
    if trend.verdict == "unclear":
        return word
    return f"{word}, {format_change(trend.per_1000_steps)} per 1,000 steps"


def describe_join(join: Join) -> str:
    """Whether the run goes on there as before: the metrics that jump farthest, with their z."""
    jumps = sorted(join.jumps.items(), key=lambda each: -abs(each[1].z))[:JUMPS_TOLD]
    told = ", ".join(
        f"{clean(name)} {format_change(each.difference)} (z {each.z:.1f})" for name, each in jumps
    )
    word = "is clean" if join.is_clean else "jumps"
    return f"the join at step {format_step(join.step)} {word}: {told}"


def _describe_alert(alert: Alert) -> str:
    glyph = {"info": "·", "warning": "▲", "critical": "✖"}[alert.severity]
    return f"{glyph} {alert.severity} {alert.kind.replace('_', ' ')}: {clean(alert.message)}"
