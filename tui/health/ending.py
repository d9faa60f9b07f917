"""Whether a run is at its end by its own word: its goal is reached, or its last lines say so."""

from __future__ import annotations

import re
from collections.abc import Sequence

LAST_LINES = 20
"""So many lines may follow the one that says it: a summary, paths, an upload."""

_END = re.compile(
    r"\b(?:training|train|run|job|fit(?:ting)?|optimi[sz]ation)\b[^{}]{0,40}?"
    r"\b(?:finished|completed?|done|ended|is over)\b"
    r"|\b(?:finished|completed|done|end of)(?: with)?(?: the)? (?:training|run|fine-?tuning)\b",
    re.IGNORECASE,
)
_MARK = re.compile(
    r"[\"'](?:event|type|kind|message|msg)[\"']\s*:\s*"
    r"[\"'](?:(?:train|run|training)[_ -])?(?:done|ended|end|finished|finish|completed?)[\"']"
    r"|\btrain_runtime\b|`?Trainer\.fit`? stopped",
    re.IGNORECASE,
)
_PART = re.compile(r"\bepoch\W{0,3}\d|\b(?:eval\w*|validation|test\w*|warm-?up|stage|phase)\b", re.IGNORECASE)
_ENTRY = re.compile(r"\b(?:step|iter\w*|\w*loss)\b\W{1,4}\d", re.IGNORECASE)


def says_end(lines: Sequence[str]) -> bool:
    """Whether the last lines of a log say that training is over, with no entry after that.

    A line that says so of an epoch, an evaluation or a stage does not count.
    """
    for line in reversed(lines[-LAST_LINES:]):
        if _MARK.search(line) or (_END.search(line) and not _PART.search(line)):
            return True
        if _ENTRY.search(line):
            return False
    return False


def has_reached(step: float | None, total_steps: float | None, cadence: float = 0.0) -> bool:
    """Whether a run is at its goal; with the usual distance between entries: whether none is due before it.

    A log of every tenth step ends at 990 or at 1,000, by whether it counts from 0 or from 1.
    """
    return step is not None and total_steps is not None and total_steps > 0 and step + cadence >= total_steps
