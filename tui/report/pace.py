"""How far a run is and how long it will take, in words."""

from __future__ import annotations

from datetime import datetime, timedelta

from tui.feed import Feed
from tui.health.liveness import LivenessState
from tui.store.progress import Progress
from widgets.numbers import format_age, format_compact, format_step, format_value


def describe_progress(feed: Feed) -> str:
    """Where the run is, how fast it goes, and how long it will take."""
    progress = feed.progress()
    told = [f"step {format_step(progress.step)}{_describe_share(progress)}"]
    if progress.epoch is not None and progress.epoch != progress.step:
        told.append(f"epoch {_format_epochs(progress)}")
    if progress.tokens is not None:
        told.append(f"{format_compact(progress.tokens)} tokens")
    told.append(f"{feed.run.entries:,} entries")
    if progress.steps_per_s is not None:
        told.append(f"{format_value(progress.steps_per_s)} steps/s")
    if progress.tokens_per_s is not None:
        told.append(f"{format_compact(progress.tokens_per_s)} tok/s")
    if progress.eta_s is not None:
        told.append(f"ETA {describe_eta(progress)}")
        if feed.liveness().state is LivenessState.LIVE:
            done_at = datetime.now().astimezone() + timedelta(seconds=progress.eta_s)
            told.append(f"done {done_at:%a %d %b %H:%M}")
    return " · ".join(told)


def describe_eta(progress: Progress) -> str:
    """The time left, and in parentheses by the paces of the fastest and of the slowest tenth of the last minutes."""
    told = format_age(progress.eta_s)
    low, high = format_age(progress.eta_low_s), format_age(progress.eta_high_s)
    is_known = progress.eta_low_s is not None and progress.eta_high_s is not None
    return f"{told} ({low} to {high})" if is_known and low != high else told


def _describe_share(progress: Progress) -> str:
    """How much is done: of all steps, or of those that count since a new script began."""
    if not progress.total_steps or progress.fraction is None:
        return ""
    total, share = format_step(progress.total_steps), _format_share(progress.fraction)
    if progress.counted_from:
        done, start = format_step(progress.counted_steps), format_step(progress.counted_from)
        return f", {done} of {total} since {start} ({share})"
    return f" of {total} ({share})"


def _format_share(share: float) -> str:
    """A share as a percentage with three digits: 2.93%, 48.0%."""
    return f"{share:.2%}" if share < 0.1 else f"{share:.1%}"


def _format_epochs(progress: Progress) -> str:
    """Epochs that are done, with their fraction where it is known; within the first one, that as a percentage."""
    epoch, of = progress.epoch or 0.0, "" if progress.epochs is None else f" of {progress.epochs:g}"
    if epoch == int(epoch):
        return f"{epoch:g}{of}"
    if epoch < 1:
        return f"1{of} ({epoch:.1%} of it)"
    return f"{epoch:.2f}{of}"
