"""What a run is compared with, as lines beside its curves."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from tui.decode.batch import Floats
from tui.feed import Feed
from tui.screens.curves import chosen_axis
from tui.screens.display import Display
from tui.store.axes import place_steps
from tui.store.reference import Standard
from widgets.samples import Path
from widgets.smoothing import smooth

MOST_POINTS = 2048
"""Points of a reference's line at most."""

_KEPT = 64


def view_references(feed: Feed, display: Display, names: Iterable[str]) -> dict[str, Path]:
    """For each metric the line of the first reference that says something of it, over the axis that is shown."""
    run = feed.shown
    axis, last = chosen_axis(run, display), run.last_step
    found: dict[str, Path] = {}
    if not feed.comparison.references or not display.shows_reference or last is None:
        return found
    for name in names:
        for reference in feed.comparison.references:
            curve = reference.curves.get(name)
            if curve is not None and name not in found:
                steps, values = _line(curve, display.span)
                if axis != "step":  # beyond the run's own steps nobody knows its tokens, or its time
                    values = values[steps <= last]
                    steps = steps[steps <= last]
                found[name] = Path(place_steps(run, axis, steps), values, reference.name)
    return found


@lru_cache(_KEPT)
def _line(curve: Standard, span: int) -> tuple[Floats, Floats]:
    """The steps and values to draw: typed points as they are, a log smoothed as the run's own curve is."""
    steps, values = curve.steps, curve.values
    if curve.is_typed:
        return steps, values
    values = smooth(values, span)
    size = -(-len(values) // MOST_POINTS)
    starts = np.arange(0, len(values), size)
    means = np.add.reduceat(values, starts) / np.diff(np.r_[starts, len(values)])
    return steps[starts], means
