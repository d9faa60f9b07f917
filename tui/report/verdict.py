"""What the verdict over a run was when there was last word of it, for where nobody can tell it now."""

from __future__ import annotations

from tui.feed import Feed
from tui.health.alerts import Verdict
from widgets.numbers import format_age, format_step


def last_verdict(feed: Feed) -> str | None:
    """What it was; None where the verdict can be told now, or never could be."""
    is_past = feed.verdict is Verdict.UNKNOWN and feed.run.entries and not feed.preview
    return feed.last_verdict.value if is_past else None


def describe_last(feed: Feed) -> str:
    """The same with where and when: "healthy at step 12,300, 4 min ago"; empty where there is none."""
    last, age_s = last_verdict(feed), feed.last_entry_age_s()
    if last is None:
        return ""
    return f"{last} at step {format_step(feed.run.last_step)}" + (
        "" if age_s is None else f", {format_age(age_s)} ago"
    )
