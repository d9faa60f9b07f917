"""How far a run is, how fast it goes, and how long an entry takes, by the log's own word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tui.decode.batch import Floats
from tui.roles import ELAPSED_NAMES, STAMP_NAMES, TOTAL_NAMES, Role
from tui.store.stream import Stream

if TYPE_CHECKING:
    from tui.store.run import Run

RATE_ENTRIES = 50
"""Over how many of the last entries a rate is measured."""

FIRST_STAMP_S = 1e9
"""A time stamp below this (September 2001) is something else."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run is on its way; None stands for what is not known.

    `fraction` is of the whole (0 to 1), `eta_s` in seconds, the rates per second of the run's own clock.
    """

    step: float | None
    total_steps: float | None
    fraction: float | None
    eta_s: float | None
    steps_per_s: float | None
    tokens_per_s: float | None


def measure_progress(run: Run, rate: float | None = None) -> Progress:
    """Measure a run's progress.

    Args:
        run: The run.
        rate: Steps per second to go by where the log has no time of its own.
    """
    main, step = run.main, run.last_step
    if main is None or step is None:
        return Progress(None, run.total_steps, None, None, None, None)
    steps_per_s = _measure_rate(main) or rate
    total = run.total_steps or _find_total(main, step)
    ahead = None if total is None else max(0.0, total - step)
    return Progress(
        step=step,
        total_steps=total,
        fraction=None if not total else min(1.0, step / total),
        eta_s=ahead / steps_per_s if ahead is not None and steps_per_s else None,
        steps_per_s=steps_per_s,
        tokens_per_s=_find_tokens_per_s(run),
    )


def entry_times(stream: Stream, entries: int) -> tuple[Floats, Floats] | None:
    """The steps and the times, in seconds, of the last `entries` entries that have a time; None where none has.

    The times are the log's own, from whichever of its fields is a clock: one that never goes back.
    """
    for name in (*ELAPSED_NAMES, *STAMP_NAMES):
        if name not in stream.series:
            continue
        steps, times = stream.point_steps(name)
        steps, times = steps[-entries:], times[-entries:]
        is_clock = len(times) > 1 and bool(np.isfinite(times).all() and (np.diff(times) >= 0).all())
        if (
            is_clock
            and times[-1] > times[0]
            and (name in ELAPSED_NAMES or name == "time" or times[0] > FIRST_STAMP_S)
        ):
            return steps, times
    return None


def _measure_rate(stream: Stream) -> float | None:
    found = entry_times(stream, RATE_ENTRIES)
    if found is None:
        return None
    steps, times = found
    rate = float((steps[-1] - steps[0]) / (times[-1] - times[0]))
    return rate if rate > 0 else None


def _find_total(stream: Stream, step: float) -> float | None:
    """The goal by the log's own word: a field of that name that stays the same and is not behind the run."""
    for name in TOTAL_NAMES:
        if name in stream.series and name != stream.axis:
            values = stream.points(name)[1][-RATE_ENTRIES:]
            if len(values) and values[-1] >= step and (len(values) == 1 or (values == values[0]).all()):
                return float(values[-1])
    return None


def _find_tokens_per_s(run: Run) -> float | None:
    for name in run.fields:
        is_tokens = "tok" in name.lower() or name.lower() in {"tps", "wps"}
        if is_tokens and run.role(name) is Role.THROUGHPUT:
            mean = run.metric(name).recent_mean
            return mean if mean is not None and np.isfinite(mean) else None
    return None
