"""How far a run is, how fast it goes, and when it will be done, by the log's own word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from tui.roles import EPOCH_NAMES, TOTAL_EPOCHS_NAMES, TOTAL_NAMES, Role, is_epoch_name
from tui.store.rate import RATE_ENTRIES, Rate, last_stamp, measure_rate
from tui.store.stream import Stream

if TYPE_CHECKING:
    from tui.store.run import Run


class Progress(Struct, frozen=True):
    """Where a run is on its way; None stands for what is not known.

    `total_steps` counts from `counted_from` on, and so does `counted_steps`, of which `fraction` (0 to 1) is the
    share that is done; `goal_step` is the step at which all of it is. `epoch` is how many epochs are done, with
    their fraction. `eta_s` is in seconds, `eta_low_s` and `eta_high_s` by the pace of the fastest and of the slowest
    tenth of the last minutes; rates are per second of the run's own clock. `finish_at_s` is in UTC epoch seconds, by
    the log's own stamps.
    """

    step: float | None
    total_steps: float | None
    fraction: float | None
    eta_s: float | None
    steps_per_s: float | None
    tokens_per_s: float | None
    goal_step: float | None = None
    counted_from: float = 0.0
    counted_steps: float | None = None
    epoch: float | None = None
    epochs: float | None = None
    tokens: float | None = None
    eta_low_s: float | None = None
    eta_high_s: float | None = None
    finish_at_s: float | None = None

    def due_in_s(self, milestone: float) -> float | None:
        """Seconds until the run is at a milestone, at its pace; None where it has none, or is there."""
        if self.step is None or not self.steps_per_s or milestone < self.step:
            return None
        return (milestone - self.step) / self.steps_per_s


def measure_progress(run: Run, rate: float | None = None) -> Progress:
    """Measure a run's progress.

    Args:
        run: The run.
        rate: Steps per second to go by where the log has no time of its own.
    """
    main, step, budget = run.main, run.last_step, run.budget
    if main is None or step is None:
        goal = run.total_steps
        return Progress(None, _less(goal, budget.counted_from), None, None, None, None, goal)
    pace = measure_rate(main) or (Rate(rate) if rate else Rate(0.0))
    epoch, epochs = _find_epochs(run, main, step)
    goal = run.total_steps or _find_total(main, step) or _goal_by_epochs(main, step, epoch, epochs)
    total, done = _less(goal, budget.counted_from), step - budget.counted_from
    ahead = None if goal is None else max(0.0, goal - step)
    eta_s, stamp = _time_for(ahead, pace.value), last_stamp(main)
    return Progress(
        step=step,
        total_steps=total,
        fraction=None if not total else min(1.0, max(0.0, done / total)),
        eta_s=eta_s,
        steps_per_s=pace.value or None,
        tokens_per_s=_find_tokens_per_s(run, step, pace.value),
        goal_step=goal,
        counted_from=budget.counted_from,
        counted_steps=done,
        epoch=epoch,
        epochs=epochs,
        tokens=_find_tokens(run, main, step),
        eta_low_s=_time_for(ahead, pace.high),
        eta_high_s=_time_for(ahead, pace.low),
        finish_at_s=None if eta_s is None or stamp is None else stamp + eta_s,
    )


def _less(goal: float | None, counted_from: float) -> float | None:
    return None if goal is None else goal - counted_from


def _time_for(steps: float | None, steps_per_s: float | None) -> float | None:
    return steps / steps_per_s if steps is not None and steps_per_s else None


def _find_total(stream: Stream, step: float) -> float | None:
    """The goal by the log's own word: a field of that name that stays the same and is not behind the run."""
    for name in TOTAL_NAMES:
        if name != stream.axis and (total := _constant(stream, name)) is not None and total >= step:
            return total
    return None


def _constant(stream: Stream, name: str) -> float | None:
    """The value of a field that has been the same in the last entries."""
    if name not in stream.series:
        return None
    _, values = stream.last_points(name, RATE_ENTRIES)
    return float(values[-1]) if len(values) and bool((values == values[0]).all()) else None


def _find_epochs(run: Run, main: Stream, step: float) -> tuple[float | None, float | None]:
    """How many epochs are done, and how many there are to be: as it was said, else by the log's own word."""
    epoch = run.budget.epoch_at(step)
    if epoch is None:
        epoch = step if main.axis and is_epoch_name(main.axis) else _last_value(main, EPOCH_NAMES)
    said = (_constant(main, name) for name in TOTAL_EPOCHS_NAMES if name in main.series)
    epochs = run.budget.epochs or next((value for value in said if value and value > 0), None)
    return epoch, epochs


def _goal_by_epochs(main: Stream, step: float, epoch: float | None, epochs: float | None) -> float | None:
    """The last step, where the log tells the fraction of an epoch that is done; a whole number tells too little."""
    if not epoch or not epochs or epoch > epochs:
        return None
    if main.axis and is_epoch_name(main.axis):
        return epochs
    return step * epochs / epoch if epoch != int(epoch) else None


def _last_value(stream: Stream, names: tuple[str, ...]) -> float | None:
    for name in names:
        if (
            name in stream.series
            and len(values := stream.last_points(name, 1)[1])
            and np.isfinite(values[-1])
        ):
            return float(values[-1])
    return None


def _find_tokens(run: Run, main: Stream, step: float) -> float | None:
    """The tokens seen so far, as it was said of the steps, else by the log's own count."""
    if run.budget.tokens_per_step:
        return float(run.budget.tokens_at(np.array([step]))[0])
    counts = [
        name for name in main.series if run.role(name) is Role.PROGRESS and name.lower().endswith("tokens")
    ]
    return _last_value(main, tuple(counts)) or None


def _find_tokens_per_s(run: Run, step: float, steps_per_s: float) -> float | None:
    for name in run.fields:
        is_tokens = "tok" in name.lower() or name.lower() in {"tps", "wps"}
        if is_tokens and run.role(name) is Role.THROUGHPUT:
            mean = run.recent((name,)).values.get(name)
            return mean if mean is not None and np.isfinite(mean) else None
    each = run.budget.tokens_per_step_at(step)
    return each * steps_per_s if each and steps_per_s else None
