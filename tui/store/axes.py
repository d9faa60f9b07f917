"""What a curve may be drawn over: the log's own positions, and tokens, epochs or time where the log has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

import numpy as np

from tui.decode.batch import Floats, Indices
from tui.roles import ELAPSED_NAMES, FIRST_STAMP_S, STAMP_NAMES, Role, is_epoch_name
from tui.store.stream import Stream

if TYPE_CHECKING:
    from tui.store.run import Run

AXES: Final = ("step", "tokens", "epoch", "relative", "wall")
"""The axes in the order in which a key goes through them."""

Positions = Callable[[Indices], Floats]
"""Gives the x (k,) of rows (k,) of one stream; NaN where there is none."""

LOOKS = 256
"""At how many places of a field is looked to see whether it grows."""

BACK_SHARE = 0.05
"""The share of these looks at which an axis may go back: with a restart it may begin anew."""


def find_axes(run: Run) -> tuple[str, ...]:
    """The axes that the log has, its own positions first."""
    if run.main is None:
        return ("step",)
    return tuple(
        axis
        for axis in AXES
        if axis == "step" or _planned(run, axis) or _find_field(run, run.main, axis) is not None
    )


def positions(run: Run, stream: Stream, axis: str) -> Positions:
    """The x of each row of a stream.

    A stream without the field is placed by the main stream's entries at the same steps. An axis that the log
    lacks is that of its own positions.
    """
    main = run.main
    if planned := _planned(run, axis):
        return lambda rows: planned(stream.steps[rows])
    name = None if main is None or axis == "step" else _find_field(run, main, axis)
    if main is None or name is None:
        return lambda rows: stream.steps[rows]
    if name in stream.series:
        return _from_field(stream, name, axis)
    if stream.axis != main.axis:
        return lambda rows: np.full(len(rows), np.nan)
    of_main = _from_field(main, name, axis)
    steps, standing = main.standing_steps(), main.standing_rows

    def by_step(rows: Indices) -> Floats:
        at = np.clip(np.searchsorted(steps, stream.steps[rows], "right") - 1, 0, None)
        return of_main(at if standing is None else standing[at])

    return by_step


def place_steps(run: Run, axis: str, steps: Floats) -> Floats:
    """Where steps (k,) of the main stream are on an axis: at the last entry before each."""
    main = run.main
    if planned := _planned(run, axis):
        return planned(steps)
    if main is None or axis == "step" or _find_field(run, main, axis) is None:
        return steps
    known, standing = main.standing_steps(), main.standing_rows
    at = np.clip(np.searchsorted(known, steps, "right") - 1, 0, None)
    return positions(run, main, axis)(at if standing is None else standing[at])


def _planned(run: Run, axis: str) -> Callable[[Floats], Floats] | None:
    """Tokens or epochs by what was said of the steps: one true axis, where two scripts counted differently."""
    if run.main is None or not run.main.is_step_axis:
        return None
    if axis == "tokens" and run.budget.tokens_per_step:
        return run.budget.tokens_at
    return run.budget.epochs_at if axis == "epoch" and run.budget.tells_epochs else None


def _from_field(stream: Stream, name: str, axis: str) -> Positions:
    series = stream.series[name]
    origin = (
        float(series.values[0]) if axis == "relative" and float(series.values[0]) > FIRST_STAMP_S else 0.0
    )

    def at_rows(rows: Indices) -> Floats:
        places = np.clip(series.places_of(rows), 0, None)
        return series.values[places] - origin

    return at_rows


def _find_field(run: Run, main: Stream, axis: str) -> str | None:
    """The field that is this axis: the first that has its name and grows."""
    return next((name for name in _candidates(run, main, axis) if _grows(main, name, axis)), None)


def _candidates(run: Run, main: Stream, axis: str) -> Iterable[str]:
    if axis == "tokens":
        return (name for name in main.series if "tok" in name.lower() and run.role(name) is Role.PROGRESS)
    if axis == "epoch":
        return (name for name in main.series if is_epoch_name(name) and name != main.axis)
    names = STAMP_NAMES if axis == "wall" else (*STAMP_NAMES, *ELAPSED_NAMES)
    return (name for name in names if name in main.series)


def _grows(main: Stream, name: str, axis: str) -> bool:
    """Whether a field's values grow, but for a few places, and for a time stamp whether they are late enough."""
    values = main.series[name].values
    looks = values[np.linspace(0, len(values) - 1, min(LOOKS, len(values))).astype(np.int64)]
    looks = looks[np.isfinite(looks)]
    if len(looks) < 2 or not looks[-1] > looks[0]:
        return False
    is_stamp = bool(looks[0] > FIRST_STAMP_S)
    if (axis == "wall" and not is_stamp) or (
        axis == "relative" and not is_stamp and name not in ELAPSED_NAMES
    ):
        return False
    return float((np.diff(looks) < 0).mean()) <= BACK_SHARE
