"""What a feed knows, as JSON: schema 1. Fields may be added, none may change."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from tui.events import LinkChanged, LinkState
from tui.feed import Feed
from tui.health.alerts import Alert, Trend, Verdict
from tui.health.liveness import Liveness
from tui.listener import Replacement
from tui.store.milestones import Row, Table
from tui.store.progress import Progress
from tui.store.run import Metric
from tui.store.segments import Segment

SCHEMA = 1

Json = dict[str, Any]

_LINKS = {
    LinkState.LIVE: "ok",
    LinkState.ENDED: "ok",
    LinkState.REFUSED: "refused",
    LinkState.MISSING: "missing",
    LinkState.CONNECTING: "lost",
    LinkState.STALE: "lost",
    LinkState.RETRYING: "lost",
}


def to_json(value: float | None) -> float | int | str | None:
    """A number for JSON, which has no NaN: what is not finite becomes a string, a whole number stays one."""
    if value is None:
        return None
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def step_to_json(step: float | None) -> float | int | str | None:
    """A step for JSON: whole ones without a decimal point."""
    return int(step) if step is not None and math.isfinite(step) and step == int(step) else to_json(step)


def values_to_json(values: Mapping[str, float]) -> Json:
    """Values by name."""
    return {name: to_json(value) for name, value in values.items()}


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
        "verdict": str(Verdict.UNKNOWN if error else feed.verdict),
        "error": error,
        "link": link_to_json(feed.link),
        "liveness": liveness_to_json(feed.liveness()),
        "entries": run.entries,
        "malformed": feed.malformed,
        "noise": feed.noise,
        "dropped_values": feed.dropped_values,
        "repeated": run.repeated,
        "unique_steps": run.unique_steps,
        "superseded": run.superseded,
        "first_step": step_to_json(run.first_step),
        "last_step": step_to_json(run.last_step),
        "segments": [segment_to_json(segment) for segment in run.segments],
        "skipped_bytes": feed.skipped_bytes,
        "replaced": [replacement_to_json(replacement) for replacement in feed.replaced],
        "metrics": {name: metric_to_json(run.metric(name)) for name in names},
        "progress": progress_to_json(feed.progress()),
        "milestones": [row_to_json(row) for row in run.table(feed.options.milestones, names).rows],
        "alerts": [alert_to_json(alert) for alert in feed.alerts],
        "trends": {name: trend_to_json(trend) for name, trend in feed.trends.items() if name in names},
    }


def table_to_json(target: str, table: Table) -> Json:
    """`table --format json`."""
    return {
        "schema": SCHEMA,
        "target": target,
        "rows": [
            row_to_json(row) | {"per_1000_steps": values_to_json(row.per_1000_steps)} for row in table.rows
        ],
        "recent": {"entries": table.recent.entries, "values": values_to_json(table.recent.values)},
    }


def link_to_json(link: LinkChanged) -> Json:
    """The way to the log, in the four words of the schema."""
    return {"state": _LINKS[link.state], "detail": link.detail}


def liveness_to_json(liveness: Liveness) -> Json:
    """Whether the run is alive."""
    return {
        "state": str(liveness.state),
        "last_write_age_s": _round(liveness.last_write_age_s),
        "expected_s": _round(liveness.expected_s),
    }


def segment_to_json(segment: Segment) -> Json:
    """A stretch of the run."""
    return {
        "first_step": step_to_json(segment.first_step),
        "last_step": step_to_json(segment.last_step),
        "entries": segment.entries,
        "started_by": segment.started_by,
        "fields": list(segment.fields),
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
    }


def row_to_json(row: Row) -> Json:
    """A milestone; `steps` only where a value comes from an entry at another step."""
    found: Json = {
        "milestone": step_to_json(row.milestone),
        "step": step_to_json(row.step),
        "values": values_to_json(row.values),
    }
    if row.steps:
        found["steps"] = {name: step_to_json(step) for name, step in row.steps.items()}
    return found


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


def trend_to_json(trend: Trend) -> Json:
    """How a metric moves."""
    return {
        "from_step": step_to_json(trend.from_step),
        "to_step": step_to_json(trend.to_step),
        "per_1000_steps": to_json(trend.per_1000_steps),
        "low": to_json(trend.low),
        "high": to_json(trend.high),
        "verdict": trend.verdict,
    }


def _round(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 3)
