"""Whether a run is alive, by the age of its last word and its own cadence; never by hope."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from tui.events import LinkState
from tui.health.stall import Cadence

BREAK_S = 10.0
"""A break that is over within so many seconds, two attempts to connect again, leaves the verdict as it is."""

_OPEN = (LinkState.LIVE, LinkState.ENDED)
_FOR_CERTAIN = (LinkState.STALE, LinkState.REFUSED)  # after 15 s of silence, or by the far side's own word


class LivenessState(StrEnum):
    """What the silence of a log means."""

    LIVE = "live"
    SILENT = "silent"
    FINISHED = "finished"
    UNKNOWN = "unknown"


class Liveness(Struct, frozen=True):
    """How long ago the log was written to, and how long it usually takes, both in seconds, where known."""

    state: LivenessState
    last_write_age_s: float | None
    expected_s: float | None


def judge_liveness(age_s: float | None, cadence: Cadence, *, is_finished: bool) -> Liveness:
    """Judge a log's silence.

    Args:
        age_s: The age of its last write, by the clock of the machine that it is on.
        cadence: How it is usually written.
        is_finished: The run is known to be at its end.
    """
    if is_finished:
        state = LivenessState.FINISHED
    elif age_s is None:
        state = LivenessState.UNKNOWN
    elif age_s <= cadence.limit_s:
        state = LivenessState.LIVE
    else:
        state = LivenessState.SILENT if cadence.is_known else LivenessState.UNKNOWN
    return Liveness(state, age_s, cadence.expected_s)


def is_lost(link: LinkState, broken_s: float) -> bool:
    """Whether a log is out of reach, so that nobody knows how its run is.

    Args:
        link: How the way to it stands.
        broken_s: Seconds since all of it was last known; infinite where that never was so.
    """
    return link not in _OPEN and (link in _FOR_CERTAIN or broken_s > BREAK_S)
