"""What a feed knows, as JSON: schema 1. Fields may be added, none may change."""

from __future__ import annotations

from collections.abc import Sequence

from tui.events import LinkChanged, LinkState
from tui.feed import Feed
from tui.health.alerts import Alert, Trend
from tui.health.liveness import Liveness
from tui.listener import Replacement
from tui.report.beside import checkpoints_to_json, gpus_to_json
from tui.report.comparing import outlooks_to_json, references_to_json
from tui.report.plain import Json, step_to_json, to_json, values_to_json
from tui.report.ranks import ranks_to_json
from tui.store.hidden import Hidden
from tui.store.joins import Join, find_joins
from tui.store.milestones import Row, Table
from tui.store.progress import Progress
from tui.store.quarters import quarter_means
from tui.store.run import Metric, Run
from tui.store.segments import Segment

SCHEMA = 1

_LINKS = {
    LinkState.LIVE: "ok",
    LinkState.ENDED: "ok",
    LinkState.REFUSED: "refused",
    LinkState.MISSING: "missing",
    LinkState.CONNECTING: "lost",
    LinkState.STALE: "lost",
    LinkState.RETRYING: "lost",
}


def status_to_json(feed: Feed, names: Sequence[str], error: str | None) -> Json:
    """One run of `status --json`.

    Args:
        feed: The run, read.
        names: The metrics to report.
        error: Why nothing, or not everything, could be read; None where all is well.
    """
    run = feed.run
    return {
        "target": feed.target.text,
        "name": feed.name,
        "format": feed.format,
        "verdict": str(feed.verdict),
        "last_verdict": str(feed.last_verdict),
        "problems": feed.problems,
        "error": error,
        "link": link_to_json(feed.link),
        "liveness": liveness_to_json(feed.liveness(), feed.last_entry_age_s()),
        "entries": run.entries,
        "malformed": feed.malformed,
        "noise": feed.noise,
        "dropped_values": feed.dropped_values,
        "repeated": run.repeated,
        "unique_steps": run.unique_steps,
        "superseded": run.superseded,
        "first_step": step_to_json(run.first_step),
        "last_step": step_to_json(run.last_step),
        "segments": [
            segment_to_json(segment, join)
            for segment, join in zip(run.segments, find_joins(run), strict=True)
        ],
        "skipped_bytes": feed.skipped_bytes,
        "replaced": [replacement_to_json(replacement) for replacement in feed.replaced],
        "metrics": {name: metric_to_json(run.metric(name)) for name in names},
        "progress": progress_to_json(feed.progress()),
        "milestones": [row_to_json(row) for row in feed.table(names).rows],
        "references": references_to_json(feed, names),
        "projections": outlooks_to_json(feed, names),
        "checkpoints": checkpoints_to_json(feed),
        "gpus": gpus_to_json(feed),
        "ranks": ranks_to_json(feed),
        "alerts": [alert_to_json(alert) for alert in feed.alerts],
        "trends": {
            name: trend_to_json(trend, _quarters(run, name, trend))
            for name, trend in feed.trends.items()
            if name in names
        },
    }


def table_to_json(target: str, table: Table) -> Json:
    """`table --format json`."""
    return {
        "schema": SCHEMA,
        "target": target,
        "rows": [
            row_to_json(row)
            | {"per_1000_steps": values_to_json(row.per_1000_steps), "change": values_to_json(row.change)}
            for row in table.rows
        ],
        "recent": {"entries": table.recent.entries, "values": values_to_json(table.recent.values)},
    }


def link_to_json(link: LinkChanged) -> Json:
    """The way to the log, in the four words of the schema."""
    return {"state": _LINKS[link.state], "detail": link.detail}


def liveness_to_json(liveness: Liveness, entry_age_s: float | None) -> Json:
    """Whether the run is alive, and when its next entry is due: below zero where it is late."""
    expected_s = liveness.expected_s
    next_s = None if expected_s is None or entry_age_s is None else expected_s - entry_age_s
    return {
        "state": str(liveness.state),
        "last_write_age_s": _round(liveness.last_write_age_s),
        "last_entry_age_s": _round(entry_age_s),
        "expected_s": _round(expected_s),
        "next_entry_in_s": _round(next_s),
    }


def segment_to_json(segment: Segment, join: Join | None = None) -> Json:
    """A stretch of the run, and how it goes on from the one before."""
    return {
        "first_step": step_to_json(segment.first_step),
        "last_step": step_to_json(segment.last_step),
        "entries": segment.entries,
        "started_by": segment.started_by,
        "fields": list(segment.fields),
        "unique_steps": segment.unique_steps,
        "superseded": segment.superseded,
        "superseded_from": step_to_json(segment.superseded_from),
        "join": None if join is None else join_to_json(join),
    }


def join_to_json(join: Join) -> Json:
    """Whether a segment goes on as the one before ended: how far each metric jumps there, and its z."""
    jumps = join.jumps.items()
    return {
        "step": step_to_json(join.step),
        "clean": join.is_clean,
        "difference": {name: to_json(jump.difference) for name, jump in jumps},
        "z": {name: to_json(jump.z) for name, jump in jumps},
    }


def replacement_to_json(replacement: Replacement) -> Json:
    """A change of file while the run was read; with `gap`, entries may be missing before `step`."""
    return {
        "reason": replacement.reason,
        "gap": replacement.gap,
        "step": step_to_json(replacement.step),
    }


def metric_to_json(metric: Metric) -> Json:
    """One metric in a few numbers."""
    return {
        "role": str(metric.role),
        "last": to_json(metric.last),
        "recent_mean": to_json(metric.recent_mean),
        "best": to_json(metric.best),
        "best_step": step_to_json(metric.best_step),
        "count": metric.count,
        "nonfinite": metric.nonfinite,
    }


def progress_to_json(progress: Progress) -> Json:
    """How far the run is."""
    return {
        "step": step_to_json(progress.step),
        "total_steps": step_to_json(progress.total_steps),
        "fraction": to_json(progress.fraction),
        "eta_s": to_json(progress.eta_s),
        "steps_per_s": to_json(progress.steps_per_s),
        "tokens_per_s": to_json(progress.tokens_per_s),
        "goal_step": step_to_json(progress.goal_step),
        "counted_from": step_to_json(progress.counted_from),
        "counted_steps": step_to_json(progress.counted_steps),
        "epoch": to_json(progress.epoch),
        "epochs": to_json(progress.epochs),
        "tokens": step_to_json(progress.tokens),
        "eta_low_s": to_json(progress.eta_low_s),
        "eta_high_s": to_json(progress.eta_high_s),
        "finish_at_s": to_json(progress.finish_at_s),
    }


def row_to_json(row: Row) -> Json:
    """A milestone; `steps` only where a value comes from an entry at another step."""
    found: Json = {
        "milestone": step_to_json(row.milestone),
        "step": step_to_json(row.step),
        "values": values_to_json(row.values),
    }
    if row.differences:
        found["vs"] = {name: values_to_json(told) for name, told in row.differences.items()}
    if row.hidden:
        found["marks"] = [hidden_to_json(each) for each in row.hidden]
    if row.checkpoint is not None:
        found["checkpoint"] = row.checkpoint
    if row.steps:
        found["steps"] = {name: step_to_json(step) for name, step in row.steps.items()}
    return found


def hidden_to_json(hidden: Hidden) -> Json:
    """Something between two milestones that their values do not show."""
    return {
        "metric": hidden.metric,
        "step": step_to_json(hidden.step),
        "value": to_json(hidden.value),
        "kind": hidden.kind,
    }


def alert_to_json(alert: Alert) -> Json:
    """An alert as it now stands."""
    return {
        "number": alert.number,
        "kind": alert.kind,
        "severity": str(alert.severity),
        "state": str(alert.state),
        "metric": alert.metric,
        "metrics": list(alert.metrics),
        "onset_step": step_to_json(alert.onset_step),
        "raised_step": step_to_json(alert.raised_step),
        "cleared_step": step_to_json(alert.cleared_step),
        "message": alert.message,
        "evidence": {
            name: value if isinstance(value, str) else to_json(value)
            for name, value in alert.evidence.items()
        },
        "cause": alert.cause,
    }


def _quarters(run: Run, name: str, trend: Trend) -> tuple[float, float] | None:
    points = run.points(name)
    return quarter_means(points.steps, points.values, trend.from_step, trend.to_step)


def trend_to_json(trend: Trend, quarters: tuple[float, float] | None = None) -> Json:
    """How a metric moves, and the means of the first and of the last quarter of the window."""
    first, last = quarters or (None, None)
    return {
        "from_step": step_to_json(trend.from_step),
        "to_step": step_to_json(trend.to_step),
        "per_1000_steps": to_json(trend.per_1000_steps),
        "low": to_json(trend.low),
        "high": to_json(trend.high),
        "verdict": trend.verdict,
        "first_quarter_mean": to_json(first),
        "last_quarter_mean": to_json(last),
    }


def _round(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 3)
