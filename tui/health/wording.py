"""How numbers stand in an alert's sentence."""

from __future__ import annotations

import math


def number(value: float, digits: int = 3) -> str:
    """A value with `digits` significant digits and a true minus sign; `NaN`, `Infinity` by name.

    >>> number(-0.0012345), number(12345.6), number(0.5)
    ('−0.00123', '12,346', '0.5')
    """
    if not math.isfinite(value):
        return name_nonfinite(value)
    if value == 0:
        return "0"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:,.{decimals}f}" if decimals <= 8 else f"{value:.{digits - 1}e}"
    if "." in text and "e" not in text:
        text = text.rstrip("0").rstrip(".")
    return text.replace("-", "−")


def signed(value: float, digits: int = 3) -> str:
    """Like `number`, with a plus sign where it is positive."""
    return f"+{number(value, digits)}" if value > 0 else number(value, digits)


def step_text(step: float) -> str:
    """A step, with thousands separated; a fraction only where the axis has one.

    >>> step_text(16020.0), step_text(0.25)
    ('16,020', '0.25')
    """
    if not math.isfinite(step):
        return name_nonfinite(step)
    return f"{step:,.0f}" if step == int(step) or abs(step) >= 1000 else f"{step:.4g}"


def whole_step(step: float) -> float:
    """An estimated step, rounded where steps are whole numbers as far as one can tell by their size."""
    return float(round(step)) if 100 <= abs(step) < math.inf else float(f"{step:.4g}")


def percent(share: float) -> str:
    """A signed share as a percentage: 0.33 is `+33 %`, 0.0052 is `+0.52 %`."""
    return f"{signed(100 * share, 2 if abs(share) < 1 else 3)} %"


def duration_text(seconds: float) -> str:
    """A time in its two largest units.

    >>> duration_text(6.28), duration_text(301), duration_text(7500), duration_text(200_000)
    ('6.3 s', '5 min', '2 h 5 min', '2 d 7 h')
    """
    if seconds < 60:
        return f"{number(seconds, 2)} s"
    minutes = int(seconds // 60)
    days, hours = minutes // 1440, minutes // 60 % 24
    if minutes < 60:
        return f"{minutes} min"
    larger, smaller = (f"{days} d", f"{hours} h") if days else (f"{hours} h", f"{minutes % 60} min")
    return larger if smaller.startswith("0 ") else f"{larger} {smaller}"


def size_text(count: float) -> str:
    """A size in powers of a thousand.

    >>> size_text(4_810_000_000), size_text(812)
    ('4.81 GB', '812 bytes')
    """
    for factor, unit in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= factor:
            return f"{number(count / factor)} {unit}"
    return f"{count:.0f} bytes"


def name_nonfinite(value: float) -> str:
    """The names that JSON readers know: `NaN`, `Infinity`, `-Infinity`."""
    if math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"
