"""Whether a run is alive, by the age of its last word and its own cadence; never by hope."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tui.health.stall import Cadence


class LivenessState(StrEnum):
    """What the silence of a log means."""

    LIVE = "live"
    SILENT = "silent"
    FINISHED = "finished"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Liveness:
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
