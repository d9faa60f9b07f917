"""Stagnation in a window: whether a metric is on a plateau or in decline there, and what is said of it."""

from __future__ import annotations

from tui.health.pace import Improvement
from tui.health.track import Track
from tui.health.wording import signed, step_text, whole_step

LEAST_SHARE = 0.4
"""Share of the expected improvement that a plateau cannot have reached; healthy runs make 0.54 to 0.82 of it."""

CLEAR_SHARE = 0.5
"""Share of it that the metric has to make again for the plateau to be over."""

POWER = 3.0
"""Standard errors that the expected improvement must have, or the log is too noisy to tell."""

DECLINE_ERRORS, DECLINE_SHARE = 4.0, 0.02
"""A decline is beyond so many standard errors, and loses so much of all that was gained since the warm-up."""


def is_plateau(found: Improvement) -> bool:
    """Whether a third of the expected improvement can be excluded, and could have been seen."""
    return found.power > POWER and found.expected > 0 and found.high < LEAST_SHARE * found.expected


def is_decline(found: Improvement, gained: float) -> bool:
    """Whether the metric has got worse beyond doubt, by what matters against all that was gained."""
    return found.seen + DECLINE_ERRORS * found.error < 0 and -found.seen > DECLINE_SHARE * max(gained, 0.0)


def describe(track: Track, kind: str, found: Improvement, origin: float) -> str:
    """One sentence: since when, by how much with its interval, and what the pace before would have given."""
    sign = -track.sign
    start, stop = step_text(origin + found.start), step_text(origin + found.stop)
    low, high = sorted((sign * found.low, sign * found.high))
    word = "flat" if kind == "plateau" else "getting worse"
    return (
        f"{track.name} {word} since step ~{start}: {signed(sign * found.seen)} [{signed(low)}, {signed(high)}] "
        f"over steps {start}–{stop}; the pace before gives {signed(sign * found.expected)}"
    )


def measure(track: Track, found: Improvement, origin: float) -> dict[str, float]:
    """The numbers behind it, in the metric's own sign; `threshold` is the change that would have been enough."""
    sign = -track.sign
    low, high = sorted((sign * found.low, sign * found.high))
    return {
        "from_step": whole_step(origin + found.start),
        "to_step": whole_step(origin + found.stop),
        "change": sign * found.seen,
        "low": low,
        "high": high,
        "expected": sign * found.expected,
        "threshold": sign * LEAST_SHARE * found.expected,
        "blocks": float(found.blocks),
    }
