"""Logs as they are written in time: with pauses for evaluations and checkpoints, jitter, and buffering; and hangs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tui.decode.batch import Floats
from tui.health.alerts import ChangeKind
from tui.health.present import Moment, Present
from tui.health.stall import BUFFER_BYTES, FLOOR_S, MEMORY_GAPS, Cadence, block_time_s, measure_cadence

BLOCK_LINES = 50
"""Lines that a buffered standard output holds back."""

LOOKED_BACK = 200
"""Entries before the one at hand whose stamps tell the cadence, besides all arrivals."""


@dataclass(frozen=True, slots=True, eq=False)
class Writing:
    """When the entries of a log were made (n,), and when the log was written to (m,), in seconds.

    `shown` (m,) is how many entries were there after each write, `ends_in_fragment` whether it is then in mid-line.
    """

    logged_s: Floats
    written_s: Floats
    shown: Floats
    ends_in_fragment: bool = False


def make_writing(seed: int, *, is_buffered: bool, entries: int = 6000) -> Writing:
    """A healthy log: 0.1 to 20 s an entry, evaluations of 2 to 200 s, checkpoints of 2 to 100 s."""
    rng = np.random.default_rng((seed, is_buffered))
    usual = float(np.exp(rng.uniform(np.log(0.1), np.log(20))))
    gaps = usual * np.exp(rng.uniform(0.02, 0.4) * rng.standard_normal(entries))
    for every, longest in ((int(rng.integers(200, 2000)), 200), (int(rng.integers(500, 3000)), 100)):
        pause = float(np.exp(rng.uniform(np.log(2), np.log(longest))))
        gaps[every::every] += pause * rng.uniform(0.8, 1.3, len(gaps[every::every]))
    logged = np.cumsum(gaps)
    ends = np.arange(BLOCK_LINES - 1, entries, BLOCK_LINES) if is_buffered else np.arange(entries)
    return Writing(logged, logged[ends], (ends + 1).astype(np.float64), is_buffered)


def count_false(writing: Writing) -> int:
    """How many stalls were raised while the log was healthy: looked at right before each write after a long silence."""
    present, gaps = Present(), np.diff(writing.written_s)
    raised = 0
    for at in np.flatnonzero(gaps > FLOOR_S).tolist():
        changes = present.look(_moment(writing, at, float(writing.written_s[at + 1]) - 0.01))
        raised += sum(change.what is ChangeKind.RAISED for change in changes)
    return raised


def find_hang(writing: Writing) -> float | None:
    """Seconds after the last write at which a hang is told; None where it never is."""
    cadence = _cadence(writing, len(writing.written_s) - 1)
    return cadence.limit_s if cadence.is_known else None


def _moment(writing: Writing, at: int, now_s: float) -> Moment:
    return Moment(now_s, float(writing.written_s[at]), _cadence(writing, at), float(at), at)


def _cadence(writing: Writing, at: int) -> Cadence:
    """The cadence as it is known after write number `at`."""
    arrived = np.diff(writing.written_s[max(at - MEMORY_GAPS, 0) : at + 1])
    entries = int(writing.shown[at])
    logged = np.diff(writing.logged_s[max(entries - LOOKED_BACK, 0) : entries])
    block_s = block_time_s(logged, BUFFER_BYTES / BLOCK_LINES) if writing.ends_in_fragment else 0.0
    return measure_cadence(arrived, logged, block_s=block_s)
