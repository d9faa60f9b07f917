"""Numbers as a person reads them: rounded to what matters, and nothing missing is ever a 0."""

from __future__ import annotations

import math
from collections.abc import Iterable

from msgspec import Struct

MISSING = "—"
"""What stands where there is no number."""

MINUS = "−"
"""The sign of a negative number; as wide as a plus, unlike the hyphen."""

DIGITS = 3
"""Significant digits of a value: enough to see a change, few enough to read at a glance."""

MOST_DECIMALS = 4
"""Decimals of a plain number; what would need more is written with an exponent."""

SMALLEST_PLAIN = 1e-3
"""Below this magnitude a number is written with an exponent."""

LARGEST_PLAIN = 1e5
"""From this magnitude on a number is written with k, M, G or T."""

_PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
_MINUTE_S, _HOUR_S, _DAY_S = 60, 3600, 86400


def format_value(value: float | None) -> str:
    """A metric's value to three significant digits; None is `—`, NaN and infinities are named.

    >>> format_value(0.9312), format_value(21784.0), format_value(5e-4), format_value(None)
    ('0.931', '21,784', '5.0e-4', '—')
    """
    if value is None or not math.isfinite(value):
        return _format_special(value)
    value = _round_to(value, DIGITS) if abs(value) < 1000 else value
    size = abs(value)
    if size >= LARGEST_PLAIN:
        return format_compact(value)
    if 0 < size < SMALLEST_PLAIN:
        return _format_exponent(value)
    return _signed(value, _decimals_for(size))


def format_compact(value: float | None) -> str:
    """A rate or a count in few cells, with k, M, G or T from ten thousand on.

    >>> format_compact(26011.0), format_compact(1.88e9), format_compact(0.1641)
    ('26.0k', '1.88G', '0.164')
    """
    if value is None or not math.isfinite(value):
        return _format_special(value)
    value = _round_to(value, DIGITS)
    size = abs(value)
    if size >= 1e15:
        return _format_exponent(value)
    for factor, prefix in _PREFIXES:
        if size >= factor and size >= 1e4:
            return _signed(value / factor, _decimals_for(size / factor)) + prefix
    return format_value(value)


def format_step(step: float | None) -> str:
    """A position on the log's axis: whole steps with thousands separated, else three digits.

    >>> format_step(21784.0), format_step(1.875), format_step(9.4e12)
    ('21,784', '1.88', '9.40T')
    """
    if step is None or not math.isfinite(step):
        return _format_special(step)
    is_whole = step == math.floor(step) or abs(step) >= 1000
    return _signed(step, 0) if is_whole and abs(step) < 1e9 else format_compact(step)


def format_tick(step: float) -> str:
    """A position on an axis in as few cells as will do: `500`, `5k`, `12.5k`, `1.2T`."""
    for factor, prefix in _PREFIXES:
        if abs(step) >= factor:
            return f"{step / factor:.4g}".replace("-", MINUS) + prefix
    return f"{step:.4g}".replace("-", MINUS)


def format_change(change: float | None) -> str:
    """A difference, always with its sign; no difference is `±0`.

    >>> format_change(0.0123), format_change(-5.75), format_change(0.0)
    ('+0.0123', '−5.75', '±0')
    """
    if change is None or not math.isfinite(change):
        return _format_special(change)
    if change == 0:
        return "±0"
    return ("+" if change > 0 else "") + format_value(change)


def format_age(seconds: float | None) -> str:
    """A span of time in its one or two largest units.

    >>> format_age(4.2), format_age(200), format_age(5 * 3600 + 720), format_age(187200)
    ('4 s', '3 min', '5 h 12 min', '2 d 4 h')
    """
    if seconds is None or not math.isfinite(seconds):
        return MISSING
    whole = int(max(seconds, 0.0))
    if whole < _MINUTE_S:
        return f"{whole} s"
    if whole < _HOUR_S:
        return f"{whole // _MINUTE_S} min"
    large, unit, small, part = (
        (_HOUR_S, "h", _MINUTE_S, "min") if whole < _DAY_S else (_DAY_S, "d", _HOUR_S, "h")
    )
    rest = whole % large // small
    return f"{whole // large} {unit}" + (f" {rest} {part}" if rest else "")


def format_brief(seconds: float | None, units: int = 1) -> str:
    """A span of time in as few cells as will do, in its largest unit or its two largest.

    >>> format_brief(4.2), format_brief(200), format_brief(187200), format_brief(187200, 2)
    ('4s', '3m', '2d', '2d 4h')
    """
    if seconds is None or not math.isfinite(seconds):
        return MISSING
    rest, told = int(max(seconds, 0.0)), list[str]()
    for size, unit in ((_DAY_S, "d"), (_HOUR_S, "h"), (_MINUTE_S, "m"), (1, "s")):
        count, rest = divmod(rest, size)
        if count or told or size == 1:
            told.append(f"{count}{unit}")
        if len(told) == units:
            break
    return " ".join(part for part in told if not part.startswith("0") or len(told) == 1)


def format_bytes(count: float | None) -> str:
    """A size in bytes: `0 bytes`, `812 bytes`, `4.81 MB` (powers of a thousand)."""
    if count is None or not math.isfinite(count):
        return MISSING
    if count < 1000:
        return f"{count:.0f} byte" + ("" if count == 1 else "s")
    factor, prefix = next((pair for pair in _PREFIXES if count >= pair[0]), (1.0, ""))
    return f"{_round_to(count / factor, DIGITS):.{DIGITS}g} {prefix}B"


class NumberFormat(Struct, frozen=True):
    """One way to write all numbers of a column, so that their decimal points stand under each other.

    `kind` is `plain`, `exponent` or `compact`; `decimals` counts for `plain` only.
    """

    kind: str = "plain"
    decimals: int = DIGITS

    def __call__(self, value: float | None) -> str:
        """The number in this format; one that would round to a plain 0 keeps its exponent instead."""
        if value is None or not math.isfinite(value):
            return _format_special(value)
        if self.kind == "compact" or abs(value) >= LARGEST_PLAIN:
            return format_compact(value)
        if value != 0 and (self.kind == "exponent" or _vanishes(value, self.decimals)):
            return _format_exponent(value)
        return "0" if value == 0 and self.kind == "exponent" else _signed(value, self.decimals)

    def change(self, value: float | None) -> str:
        """The same for a difference, which carries its sign; none is `±0`."""
        if value is None or not math.isfinite(value):
            return _format_special(value)
        return "±0" if value == 0 else ("+" if value > 0 else "") + self(value)


def pick_format(values: Iterable[float]) -> NumberFormat:
    """The format that suits the values of a column, in which NaN and 0 have no say.

    The middle one says whether an exponent or a prefix is needed; plain numbers get three digits for the least of
    them that is within a factor of 20 of the middle one.
    """
    sizes = sorted(abs(value) for value in values if math.isfinite(value) and value != 0)
    if not sizes:
        return NumberFormat()
    middle = sizes[len(sizes) // 2]
    if middle >= 1e4:
        return NumberFormat("compact")
    if middle < SMALLEST_PLAIN:
        return NumberFormat("exponent")
    least = next(size for size in sizes if size >= middle / 20)
    return NumberFormat("plain", _decimals_for(_round_to(least, DIGITS)))


def _format_special(value: float | None) -> str:
    if value is None:
        return MISSING
    if math.isnan(value):
        return "NaN"
    return "inf" if value > 0 else MINUS + "inf"


def _format_exponent(value: float) -> str:
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa.replace('-', MINUS)}e{int(exponent)}"


def _signed(value: float, decimals: int) -> str:
    text = f"{value:,.{decimals}f}"
    return text.replace("-", "" if not text.strip("-0.,") else MINUS)


def _round_to(value: float, digits: int) -> float:
    rounded = float(f"{value:.{digits - 1}e}")
    return (
        rounded if math.isfinite(rounded) else value
    )  # the largest doubles have nothing to be rounded up to


def _decimals_for(size: float) -> int:
    if size == 0:
        return 0
    return min(max(DIGITS - 1 - math.floor(math.log10(size)), 0), MOST_DECIMALS)


def _vanishes(value: float, decimals: int) -> bool:
    return abs(value) < 0.5 * 10.0**-decimals
