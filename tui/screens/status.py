"""Where a run stands and how the way to it is: its status, and the sentences about what is awaited or wrong."""

from __future__ import annotations

from tui.decode.text import clean
from tui.events import LinkChanged, LinkState
from tui.feed import Feed
from tui.health.liveness import LivenessState
from tui.listener import Replacement, describe_reason
from tui.preview import Past
from tui.report.verdict import last_verdict
from tui.store.run import Run
from widgets.drawing.notice import Notice
from widgets.drawing.status import Status
from widgets.numbers import format_age, format_bytes, format_step

READING = "reading"
"""Stands in the place of a verdict while only the end of a long log is known."""

BAR_CELLS = 14
"""The width of the bar that shows how much of a long log has been read, in cells; its line fits 40 columns."""

FAST_S = 2.0
"""Entries that come faster than this, in seconds, are not announced one by one."""

LATE_CADENCES, LATE_S = 3.0, 10.0
"""An entry later than so many times the usual gap, and than so many seconds, is marked as late."""

_TROUBLE = {LinkState.STALE, LinkState.RETRYING, LinkState.REFUSED, LinkState.MISSING}


def view_status(feed: Feed, position: str | None = None) -> Status:
    """The status now; ages move by a second below ten, then by five, so that nothing flickers."""
    age, expected = feed.last_entry_age_s(), feed.expected_s
    progress = feed.preview.run.progress() if feed.preview else feed.progress()
    is_live = feed.link.state is LinkState.LIVE
    liveness = feed.liveness().state
    has_finished = is_live and liveness is LivenessState.FINISHED
    next_s = None
    if is_live and not has_finished and age is not None and expected and expected >= FAST_S:
        next_s = expected - age
    return Status(
        name=feed.name,
        place=feed.target.place,
        verdict=READING if feed.preview and is_live else feed.verdict.value,
        link="finished" if has_finished else feed.link.state.value,
        age_s=None if age is None else _rounded(age),
        next_s=None if next_s is None else _rounded(next_s),
        is_late=_is_late(feed, liveness, age, expected),
        step=progress.step,
        axis=axis_name(feed.shown),
        fraction=progress.fraction,
        epoch=progress.epoch,
        epochs=progress.epochs,
        steps_per_s=progress.steps_per_s,
        tokens_per_s=progress.tokens_per_s,
        eta_s=progress.eta_s,
        malformed=feed.malformed,
        loaded=_loaded(feed),
        position=position,
        byte_age_s=_byte_age(feed),
        gpus=feed.gpus.summary(),
        last_verdict=last_verdict(feed),
    )


def _byte_age(feed: Feed) -> float | None:
    age = feed.last_byte_age_s()
    return None if age is None else _rounded(age)


def _rounded(seconds: float) -> float:
    """Whole seconds below ten, then multiples of five; towards zero."""
    size = abs(seconds)
    coarse = float(int(size)) if size < 10 else 5.0 * (size // 5)
    return coarse if seconds >= 0 else -coarse


def _is_late(feed: Feed, liveness: LivenessState, age: float | None, expected: float | None) -> bool:
    if age is None or feed.link.state is LinkState.ENDED:
        return False
    if liveness in (LivenessState.SILENT, LivenessState.FINISHED):
        return liveness is LivenessState.SILENT
    return expected is not None and age > max(LATE_CADENCES * expected, LATE_S)


def _loaded(feed: Feed) -> float | None:
    """The share of the log that has been read, while its past is still coming in."""
    past = feed.past()
    if past:
        return past.fraction
    if feed.is_caught_up or not feed.size_bytes or feed.link.state is not LinkState.LIVE:
        return None
    return min(feed.read_bytes / feed.size_bytes, 1.0)


def axis_name(run: Run) -> str:
    """What the log's positions are: `step`, or the field that stands in for it, or `entry`."""
    main = run.main
    if main is None or main.is_step_axis:
        return "step"
    return main.axis or "entry"


def view_notice(feed: Feed, since_link_s: float = 0.0) -> Notice | None:
    """What is wrong with the way to a log that some entries have come from; None when nothing is."""
    if not feed.run.entries:
        return None
    if feed.link.state in _TROUBLE:
        return view_trouble(feed.link, feed.target.place, since_link_s)
    past = feed.past()
    if past:
        return Notice(f"reading the past  {_bar(past.fraction)} {past.fraction:.0%}", _describe_past(past))
    gap = next((replaced for replaced in reversed(feed.replaced) if replaced.gap), None)
    return _gap(gap) if gap else _limit(feed) or _mistake(feed)


def _mistake(feed: Feed) -> Notice | None:
    """That the configuration names what the log does not have."""
    mistakes = feed.mistakes
    if not mistakes:
        return None
    more = f" (and {len(mistakes) - 1} more; milepost status tells all)" if len(mistakes) > 1 else ""
    return Notice("configuration", clean(f"{mistakes[0]}{more}"), "warning")


def _limit(feed: Feed) -> Notice | None:
    """That only the end of the log was asked for."""
    if not feed.skipped_bytes:
        return None
    return Notice(
        "the log's end only", f"the first {format_bytes(feed.skipped_bytes)} were not read (--last)"
    )


def _bar(fraction: float) -> str:
    full = round(fraction * BAR_CELLS)
    return "█" * full + "░" * (BAR_CELLS - full)


def _describe_past(past: Past) -> str:
    (read, read_unit), (size, unit) = (
        format_bytes(each).split() for each in (past.read_bytes, past.size_bytes)
    )
    told = f"{read} of {size} {unit}" if read_unit == unit else f"{read} {read_unit} of {size} {unit}"
    if not past.left_s:
        return told
    rate = (past.size_bytes - past.read_bytes) / past.left_s
    return f"{told}, {format_bytes(rate)}/s, {format_age(past.left_s)} left"


def _gap(gap: Replacement) -> Notice:
    before = "what comes next" if gap.step is None else f"step {format_step(gap.step)}"
    return Notice(describe_reason(gap.reason), f"lines may be missing before {before}", "warning")


def view_empty(feed: Feed, since_link_s: float = 0.0) -> Notice | None:
    """What is awaited, before the first entry; None after it."""
    if feed.run.entries:
        return None
    if feed.link.state in _TROUBLE:
        return view_trouble(feed.link, feed.target.place, since_link_s)
    if feed.link.state is LinkState.CONNECTING:
        return Notice(f"connecting to {feed.target.place}", feed.link.detail or feed.target.what)
    if feed.link.state is LinkState.ENDED:
        return Notice("the log has ended without an entry", feed.target.what, "warning")
    return Notice("connected; no entry yet", _awaited(feed))


def _awaited(feed: Feed) -> str:
    path, size = feed.target.what, feed.size_bytes
    if feed.malformed:
        lines = "line was" if feed.malformed == 1 else "lines were"
        return f"{feed.malformed:,} {lines} read from {path}, none of which is an entry"
    if size is None or feed.read_bytes:
        return f"{format_bytes(feed.read_bytes)} read from {path}"
    return f"the file {path} has {format_bytes(size)}"


def view_trouble(link: LinkChanged, place: str, since_link_s: float) -> Notice:
    """What is wrong with the way to a place, and when the next attempt is due."""
    state, retry_in_s = link.state, link.retry_in_s
    headline = {
        LinkState.STALE: f"no answer from {place}",
        LinkState.RETRYING: f"no connection to {place}",
        LinkState.REFUSED: f"refused by {place}",
        LinkState.MISSING: f"not found on {place}",
    }[state]
    text = link.detail or ""
    if retry_in_s is not None:
        left_s = max(retry_in_s - since_link_s, 0.0)
        soon = f"next attempt in {format_age(_rounded(left_s))}" if left_s >= 1 else "trying again now"
        text = f"{text} ({soon}; R: at once)" if text else f"{soon}; R: at once"
    level = "critical" if state in (LinkState.REFUSED, LinkState.MISSING) else "warning"
    return Notice(headline, text, level)
