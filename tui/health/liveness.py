"""Whether a run is alive, by the age of its last word and its own cadence; never by hope."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from tui.decode.batch import Floats
from tui.health.stall import stall_limit_s

ENOUGH_GAPS = 10
"""So many gaps between entries make a cadence; with fewer, a long silence tells nothing."""

FLOOR_S = 300.0
"""A silence shorter than this, in seconds, is none: evaluations and checkpoints take that long."""


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


def judge_liveness(age_s: float | None, gaps_s: Floats, *, is_finished: bool) -> Liveness:
    """Judge a log's silence.

    Args:
        age_s: The age of its last write, by the clock of the machine that it is on.
        gaps_s: The last gaps (n,) between its entries; 200 are plenty.
        is_finished: The run is known to be at its end.
    """
    expected = float(np.median(gaps_s)) if len(gaps_s) else None
    if is_finished:
        state = LivenessState.FINISHED
    elif age_s is None:
        state = LivenessState.UNKNOWN
    elif len(gaps_s) >= ENOUGH_GAPS:
        state = LivenessState.LIVE if age_s <= stall_limit_s(gaps_s) else LivenessState.SILENT
    else:
        state = LivenessState.LIVE if age_s <= FLOOR_S else LivenessState.UNKNOWN
    return Liveness(state, age_s, expected)
