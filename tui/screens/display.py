"""Everything that a person may choose about how a run is shown, as one frozen value that can be kept as JSON."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import fields

from widgets.smoothing import DEFAULT_SPAN

AXES: Final = ("step", "tokens", "epoch", "relative", "wall")
"""What a curve may be drawn over; a log that lacks the chosen one is drawn over its own positions."""


class Display(Struct, frozen=True):
    """How a run is shown. An action replaces it (`msgspec.structs.replace`), and the screen is drawn from it.

    Attributes:
        span: The smoothing in entries; 0 for none.
        x: What curves are drawn over, one of `AXES`.
        log_x, log_y: Whether the axis is logarithmic; only what is positive can be drawn then.
        window: The range of x that curves show, in the unit of `x`; None for all.
        is_following: Whether the window keeps its width and moves along with the newest entry.
        cursor: The x at which every curve tells its value; None for the last one.
        focus: The metric that has the whole screen; None for all of them.
        page: Which page of curves is shown, from 0.
        pinned: Metrics that come before all others, in this order.
        hidden: Metrics that are not shown.
        pattern: A text or a glob that a metric's name has to match; "" for all.
        shows_log: Whether the log's last lines are shown; None where there is room.
        shows_superseded: Whether curves show what a restart has replaced.
        shows_reference: Whether curves show the reference.
        shows_changes: Whether the table shows changes per 1,000 steps instead of values.
        shows_differences: Whether the table shows differences to the reference.
        sort: The table's column to sort by, and whether its largest come first; None for the order of steps.
        splits: Where borders between panels were dragged to: shares (0 to 1) by the border's name.
        acknowledged: The alerts that a person has seen, by what `incidents` calls them, with their severity then.
    """

    span: int = DEFAULT_SPAN
    x: str = "step"
    log_x: bool = False
    log_y: bool = False
    window: tuple[float, float] | None = None
    is_following: bool = False
    cursor: float | None = None
    focus: str | None = None
    page: int = 0
    pinned: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    pattern: str = ""
    shows_log: bool | None = None
    shows_superseded: bool = False
    shows_reference: bool = True
    shows_changes: bool = False
    shows_differences: bool = False
    sort: tuple[str, bool] | None = None
    splits: Mapping[str, float] = field(default_factory=dict)
    acknowledged: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """What differs from the default, as JSON has it."""
        usual = Display()
        chosen = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: _plain(value) for name, value in chosen.items() if value != getattr(usual, name)}

    @classmethod
    def from_json(cls, data: object) -> Display:
        """The display that was kept; a key that is unknown, or holds what it can't, is left at its default."""
        if not isinstance(data, dict):
            return cls()
        read: dict[str, Any] = {
            name: _READERS[name](value) for name, value in data.items() if name in _READERS
        }
        return cls(**{name: value for name, value in read.items() if value is not _INVALID})


_INVALID: Final[Any] = object()
"""What a reader gives for a value that it can't take."""

_Reader = Callable[[Any], Any]


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value


def _or_none(reader: _Reader) -> _Reader:
    return lambda value: None if value is None else reader(value)


def _flag(value: Any) -> Any:
    return value if isinstance(value, bool) else _INVALID


def _text(value: Any) -> Any:
    return value if isinstance(value, str) else _INVALID


def _count(value: Any) -> Any:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else _INVALID


def _number(value: Any) -> Any:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and math.isfinite(value) else _INVALID


def _names(value: Any) -> Any:
    is_names = isinstance(value, list | tuple) and all(isinstance(name, str) for name in value)
    return tuple(dict.fromkeys(value)) if is_names else _INVALID


def _axis(value: Any) -> Any:
    return value if value in AXES else _INVALID


def _window(value: Any) -> Any:
    if not isinstance(value, list | tuple) or len(value) != 2:
        return _INVALID
    low, high = (_number(edge) for edge in value)
    is_range = isinstance(low, float) and isinstance(high, float) and low < high
    return (low, high) if is_range else _INVALID


def _sort(value: Any) -> Any:
    if not isinstance(value, list | tuple) or len(value) != 2:
        return _INVALID
    column, is_descending = value
    return (
        (column, is_descending) if isinstance(column, str) and isinstance(is_descending, bool) else _INVALID
    )


def _splits(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return _INVALID
    shares = {name: _number(share) for name, share in value.items() if isinstance(name, str)}
    return {name: share for name, share in shares.items() if isinstance(share, float) and 0 < share < 1}


def _texts(value: Any) -> Any:
    is_texts = isinstance(value, Mapping) and all(
        isinstance(name, str) and isinstance(text, str) for name, text in value.items()
    )
    return dict(value) if is_texts else _INVALID


_READERS: Final[dict[str, _Reader]] = {
    "span": _count,
    "x": _axis,
    "log_x": _flag,
    "log_y": _flag,
    "window": _or_none(_window),
    "is_following": _flag,
    "cursor": _or_none(_number),
    "focus": _or_none(_text),
    "page": _count,
    "pinned": _names,
    "hidden": _names,
    "pattern": _text,
    "shows_log": _or_none(_flag),
    "shows_superseded": _flag,
    "shows_reference": _flag,
    "shows_changes": _flag,
    "shows_differences": _flag,
    "sort": _or_none(_sort),
    "splits": _splits,
    "acknowledged": _texts,
}
