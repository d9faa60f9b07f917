"""Zooming, panning and following: from one range of x to another."""

from __future__ import annotations

import math

from msgspec.structs import replace

from tui.screens.display import Display

Range = tuple[float, float]

ZOOM = 0.8
"""What one turn of the wheel, or one key, leaves of the window."""

PAN = 0.25
"""The share of the window that a key moves it by."""

NARROWEST = 1e-7
"""The narrowest window, as a share of the whole or of the numbers in it, whichever is more."""

_TOUCH = 0.002
"""A window that ends within this share of the newest entry follows it."""


def zoom(display: Display, whole: Range, turns: float, at: float | None = None) -> Display:
    """See less (positive turns) or more of the axis, with the x `at` staying where it is; None is the middle."""
    low, high = _edges(display, whole)
    middle = (low + high) / 2 if at is None else _place(at, display)
    factor = ZOOM**turns
    return _show(display, whole, middle - (middle - low) * factor, middle + (high - middle) * factor)


def pan(display: Display, whole: Range, share: float) -> Display:
    """Move the window by a share of its width, as far as there is something to see."""
    if display.window is None:
        return display
    low, high = _edges(display, whole)
    first, last = (_place(edge, display) for edge in whole)
    by = min(max(share * (high - low), first - low), last - high)
    return _show(display, whole, low + by, high + by)


def choose(display: Display, whole: Range, low: float, high: float) -> Display:
    """Show this range."""
    return _show(display, whole, *sorted((_place(low, display), _place(high, display))))


def reset(display: Display) -> Display:
    """Show all of the axis."""
    return replace(display, window=None, is_following=False)


def shown(display: Display, whole: Range) -> Range | None:
    """The range to show now, moved along where it follows the newest entry; None for all."""
    if display.window is None:
        return None
    low, high = display.window
    if not display.is_following or high == whole[1]:
        return low, high
    if display.log_x and low > 0 and whole[1] > 0:
        return low * whole[1] / high, whole[1]
    return whole[1] - (high - low), whole[1]


def _edges(display: Display, whole: Range) -> Range:
    low, high = shown(display, whole) or whole
    return _place(low, display), _place(high, display)


def _show(display: Display, whole: Range, low: float, high: float) -> Display:
    """The window from `low` to `high`, in places on the axis; all of it where that is as much."""
    first, last = (_place(edge, display) for edge in whole)
    least = max((last - first) * NARROWEST, max(abs(low), abs(high)) * NARROWEST)
    low, high = max(low, first), min(high, last)
    if high - low < least:
        middle = min(max((low + high) / 2, first + least / 2), last - least / 2)
        low, high = middle - least / 2, middle + least / 2
    if low <= first and high >= last:
        return reset(display)
    window = (_value(low, display), _value(high, display))
    return replace(display, window=window, is_following=high >= last - (last - first) * _TOUCH)


def _place(x: float, display: Display) -> float:
    if not display.log_x:
        return x
    return math.log10(x) if x > 0 else -3.0


def _value(place: float, display: Display) -> float:
    return 10.0**place if display.log_x else place
