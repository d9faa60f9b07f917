"""Reads numbers as people and programs print them."""

from __future__ import annotations

import re
from typing import NamedTuple

from tui.regex import Regex

NUMBER_CHARS = 400
"""The longest text that is looked at as a number: 1e308 printed in full has 309 digits."""

_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?!,?\d)(?:\.\d+)?|\d+\.?\d*|\.\d+(?!\d|:))(?:[eE][-+]?\d+)?"
_WORDS = r"(?:[nN][aA][nN]|[iI][nN][fF](?:inity)?)"
NUMBER = rf"[-+]?(?:{_DIGITS}|{_WORDS})"
"""A number, in digits or as `nan` and `inf` (any case)."""

DURATION = (
    r"(?=\d+(?::| ?[dhm]))(?:(?:\d+ ?d(?:ays?)?,? ?)?\d+:\d\d(?::\d\d)?(?:\.\d+)?"  # 3 days, 17:51:32 and 41:07
    r"|\d+d \d+h(?: \d+m)?(?: \d+s)?|\d+h \d+m(?: \d+s)?|\d+m \d+s)"  # 1d 03h 06m
)
"""A length of time."""

SCALES = {"K": 1e3, "k": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}
"""Units that multiply."""

_GLUED = (
    r"%|/s(?:ec)?(?![A-Za-z])|ms/(?:it|step|iter)|(?:s|ms|us|µs|ns|sec|secs|m|min|mins|h|hr|hrs|x|it/s|s/it|BPC"
    r"|[KMGTP]?i?[Bb]|[KMGT]i|G|MiB/s|GiB/s|[KkM]?(?:tok|tokens|samples|imgs?|images|words|frames|steps)/s(?:ec(?:ond)?)?"
    r"|TFLOPS?|TFLOPs|W|C)(?![A-Za-z])|[KkMBT](?![A-Za-z])"
)
_SPACED = (
    r"(?:%|ms/(?:it|iter|step|batch)|ms|us|s|secs?|seconds?|min|mins|minutes?|h|hours?|it/s|s/it|BPC|GB|GiB|MB|MiB|KB|KiB"
    r"|TFLOPs?|TFLOPS|(?:images|imgs?|samples|words|tokens|tok|frames|steps|iters?|examples|sentences)/s(?:ec(?:ond)?)?"
    r"|(?:images|samples|words|tokens|frames|steps|examples)/\w+/s|times)(?![\w(:=])"
)
UNIT = rf"(?:(?=[%/A-Za-zµ])(?:{_GLUED})|[ ](?=[%a-zA-Z])(?:{_SPACED}))?"
"""What may stand behind a number, glued on or after one space."""

_ALONE = Regex(rf"\s*({NUMBER})({UNIT})\s*\Z")
_PLAIN = Regex(
    r"\s*[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|nan|inf(?:inity)?)\s*\Z", re.IGNORECASE
)
_DURATION_ALONE = Regex(rf"\s*(?:{DURATION})\s*\Z")
_WRAPPED = Regex(
    r"\s*(?:np|numpy|torch|jnp)?\.?(?:tensor|Tensor|array|float\d*|int\d*|Array)\(\s*\[?([^,()\[\]]+)"
)
_CLOCK = Regex(r"(?:(\d+) ?d(?:ays?)?,? ?)?(?:(\d+):)??(\d+):(\d\d(?:\.\d+)?)\Z")
_HUMAN = Regex(r"(\d+)([dhms])")
_SECONDS = {"d": 86_400.0, "h": 3600.0, "m": 60.0, "s": 1.0}


class Printed(NamedTuple):
    """A number as it was printed: its value, its unit, and the step between neighbours in print (0: exact)."""

    value: float
    unit: str
    grain: float


def to_number(value: object) -> float | None:
    """A number out of JSON or Python, also one written as text; None for booleans, null and everything else.

    >>> to_number("1.2e-05"), to_number("0:00:24"), to_number("np.float64(2.0)"), to_number(True)
    (1.2e-05, 24.0, 2.0, None)
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        try:
            return float(value)
        except OverflowError:
            return float("inf") if value > 0 else float("-inf")
    return parse_number(value) if isinstance(value, str) else None


def parse_number(text: str) -> float | None:
    """The number that a text is, and nothing else: with its unit, as a duration in seconds, or wrapped in a type.

    >>> parse_number("833,525"), parse_number("50K"), parse_number("97.42%"), parse_number("3 days, 17:51:32")
    (833525.0, 50000.0, 97.42, 323492.0)
    """
    if len(text) > NUMBER_CHARS or not text:
        return None
    if _PLAIN.match(text):
        return float(text.strip())  # of more blanks than `float` knows
    if found := _ALONE.match(text):
        return read_number(found[1], found[2]).value
    if _DURATION_ALONE.match(text):
        return read_duration(text.strip())
    if (wrapped := _WRAPPED.match(text)) and _PLAIN.match(wrapped[1]):
        return float(wrapped[1].strip())
    return None


def read_number(digits: str, unit: str = "") -> Printed:
    """The value of a matched `NUMBER` and the `UNIT` behind it. K, M, B and T multiply; other units are kept."""
    unit = unit.strip()
    scale = SCALES.get(unit, 1.0)
    value = float(digits.replace(",", "")) * scale
    return Printed(value, unit if scale == 1.0 else "", _grain(digits, scale))


def _grain(digits: str, scale: float) -> float:
    """How far apart the numbers are that print alike, where that is more than one."""
    mantissa, _, exponent = digits.lower().partition("e")
    if scale == 1.0 and not exponent.lstrip("+-").isdigit():
        return 0.0
    decimals = len(mantissa.partition(".")[2])
    if exponent:
        decimals = max(decimals, 2)  # `%.3g` prints 2000 as 2e+03
    power = min(int(exponent or 0), 300) - decimals
    grain = scale * 10.0**power if power > -300 else 0.0
    return grain if grain > 1 else 0.0


def read_duration(text: str) -> float:
    """Seconds, from a matched `DURATION`."""
    if clock := _CLOCK.match(text):
        days, hours, minutes, seconds = clock.groups()
        return float(days or 0) * 86_400 + float(hours or 0) * 3600 + float(minutes) * 60 + float(seconds)
    return sum(float(count) * _SECONDS[unit] for count, unit in _HUMAN.findall(text))
