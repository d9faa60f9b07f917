"""The one module that knows plotext: points in, rows of braille out.

plotext has a single global figure and a compiled kernel that ends the process on a NaN, so nothing but finite
points inside the limits ever reaches it. Axes, ticks and colours are ours; only its canvas is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from threading import Lock, Thread
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_BLANK_BRAILLE = "\u2800"

_loading: list[Thread] = []
_preparing = (
    Lock()
)  # one thread at a time lays out the global figure: the other would clear it while it is drawn on

KEPT = 64
"""Drawn lines that are kept: those of a screen full of curves, and of what it showed before."""


def plot(
    x: Floats,
    y: Floats,
    limits: tuple[float, float, float, float],
    size: tuple[int, int],
    breaks: Sequence[int] = (),
) -> list[str]:
    """The line through the points, as `size[1]` rows of `size[0]` cells.

    Args:
        x: (n,) positions, decimated to about twice the width: a point costs some 20 microseconds.
        y: (n,) heights. A point that is not finite leaves a gap; one beyond the limits is drawn at the edge.
        limits: Least and greatest x, least and greatest y, of the canvas' outermost dots.
        size: Width and height of the canvas in cells.
        breaks: Indices of points that are not joined to the one before.
    """
    width, height = size
    if width < 1 or height < 1:
        return [""] * max(height, 0)
    across, up, joined = _inside(x, y, limits, breaks, (2 * width, 4 * height))
    if not across:
        return [" " * width] * height
    return list(_draw(tuple(across), tuple(up), tuple(joined), width, height))


@lru_cache(KEPT)
def _draw(
    across: tuple[float, ...], up: tuple[float, ...], joined: tuple[bool, ...], width: int, height: int
) -> tuple[str, ...]:
    """The rows of a line; what has not moved by a dot since it was drawn is not drawn again."""
    figure = _bare_figure(width, height)
    signal = figure.signal(list(across), list(up), marker="braille").density("full").lines(True)
    for index, is_joined in enumerate(joined):
        if not is_joined:
            signal.line(index, False)
    figure.draw(signal)
    rows = figure.build().string(colorless=True).replace(_BLANK_BRAILLE, " ").split("\n")
    return tuple(row.ljust(width)[:width] for row in rows[:height])


def load() -> None:
    """Load plotext in a thread, where it keeps nobody waiting; until it is there, `is_loading`."""
    _loading.append(Thread(target=_figure, name="plotext", daemon=True))
    _loading[-1].start()


def is_loading() -> bool:
    """Whether a drawing would have to wait for plotext."""
    return any(thread.is_alive() for thread in _loading)


def forget() -> None:
    """Forget all lines that were drawn."""
    _draw.cache_clear()


def lay_out_anew() -> None:
    """Lay out the global figure again before the next line: somebody else has used it."""
    _prepare.cache_clear()


def _inside(
    x: Floats,
    y: Floats,
    limits: tuple[float, float, float, float],
    breaks: Sequence[int],
    dots: tuple[int, int],
) -> tuple[list[float], list[float], list[bool]]:
    """The finite points, from 0 to 1 by whole dots of the canvas, and which are joined to the one before."""
    low_x, high_x, low_y, high_y = limits
    is_finite = np.isfinite(x) & np.isfinite(y)
    gaps = np.zeros(len(x) + 1, np.int64)
    gaps[1:] = ~is_finite
    gaps[[at for at in breaks if at < len(x)]] += 1
    group = np.cumsum(gaps)[:-1][is_finite]
    across = _scaled(x[is_finite], low_x, high_x, dots[0])
    up = _scaled(y[is_finite], low_y, high_y, dots[1])
    joined = np.ones(len(group), np.bool_)
    joined[1:] = group[1:] == group[:-1]
    return across.tolist(), up.tolist(), joined.tolist()


def _scaled(values: Floats, low: float, high: float, dots: int) -> Floats:
    if not high > low:
        return np.full(len(values), 0.5)
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = (values - low) / (high - low)
    most = max(dots - 1, 1)
    return np.rint(np.clip(np.nan_to_num(scaled, nan=0.5), 0.0, 1.0) * most) / most


def _bare_figure(width: int, height: int) -> Any:
    """The global figure with nothing on it but an empty canvas of this size."""
    figure = _figure()
    figure.clear.data()
    figure.plot_size(width, height)
    return figure


def _figure() -> Any:
    with _preparing:
        return _prepare()


@cache
def _prepare() -> Any:
    """The global figure without axes, ticks and colours, from 0 to 1 both ways; it stays so."""
    import plotext  # 180 ms, and only a screen with curves needs it

    plotext.terminal.limit(False, False)
    figure = plotext.figure
    figure.clear()
    figure.theme("colorless")
    figure.axes(False)
    for axis in ("x", "y"):
        figure.ruler(axis, "both").ticks([])
        figure.ruler(axis, 0).alignment(lim="edge").lim(0.0, 1.0)
    return figure
