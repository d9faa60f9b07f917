"""Whether checkpoints come as they did, and whether there is room for the next."""

from __future__ import annotations

from msgspec import Struct

from tui.health.alerts import Severity
from tui.health.wording import duration_text, number, size_text, step_text
from tui.store.checkpoints import LATE, Shelf, overdue_by

VERY_LATE = 3.0
"""An overdue checkpoint is a warning after so many of the usual distances; before, from `LATE` on, a remark."""

SOON_S, LATER_S = 24 * 3600.0, 72 * 3600.0
"""A disk that will be full so soon, and before the run is over, is a warning, or a remark."""

FEW = 0.05
"""A share of free space below which that is remarked, whether or not it shrinks."""

RELEASE = 1.25
"""What fires goes on until it is better by this factor, so that nothing flickers at a limit."""


class Remark(Struct, frozen=True):
    """What is wrong now: how bad, in a sentence, and the numbers behind it."""

    severity: Severity
    message: str
    evidence: dict[str, float | str]


def judge_rhythm(shelf: Shelf, step: float | None) -> Remark | None:
    """That the next checkpoint is overdue, by steps and by time; None while it is not.

    Args:
        shelf: The checkpoints.
        step: The run's present step.
    """
    late, latest = overdue_by(shelf, step), shelf.latest
    every_steps, every_s = shelf.rhythm()
    if late is None or latest is None or every_s is None:
        return None
    age_s = shelf.seen_at_s - latest.modified_s
    usual = duration_text(every_s) + (f" ({step_text(every_steps)} steps)" if every_steps else "")
    message = f"the last checkpoint, {latest.name}, is {duration_text(age_s)} old; until then one came every {usual}"
    evidence: dict[str, float | str] = {
        "latest": latest.name, "age_s": round(age_s, 1), "every_s": round(every_s, 1),
        "late": round(late, 2), "limit": LATE,
    }  # fmt: skip
    if every_steps and latest.step is not None and step is not None:
        evidence |= {"every_steps": every_steps, "steps_since": step - latest.step}
    return Remark(Severity.WARNING if late > VERY_LATE else Severity.INFO, message, evidence)


def judge_room(shelf: Shelf, left_s: float | None, *, is_firing: bool = False) -> Remark | None:
    """That the disk of the checkpoints is full, or will be before the run is over; None while there is room.

    A warning: the next checkpoint has no room, or the disk will be full within 24 hours at the pace at which
    checkpoints fill it. A remark: within 72 hours, or less than 5 % of it is free. Where old checkpoints are
    deleted, or the run ends first, it does not fill.

    Args:
        shelf: The checkpoints, and their disk.
        left_s: How long the run will go on; None where that is not known.
        is_firing: Whether this was said before: then it holds on a little longer.
    """
    disk, latest = shelf.disk, shelf.latest
    if disk is None or latest is None or not disk.size:
        return None
    factor = RELEASE if is_firing else 1.0
    full_s = shelf.seconds_until_full()
    is_filling = full_s is not None and (left_s is None or left_s > full_s)
    soon_s = full_s if is_filling and full_s is not None else float("inf")
    next_size = shelf.usual_size or 0.0
    if disk.free < factor * next_size or soon_s < factor * SOON_S:
        severity = Severity.WARNING
    elif soon_s < factor * LATER_S or disk.free < factor * FEW * disk.size:
        severity = Severity.INFO
    else:
        return None
    evidence: dict[str, float | str] = {
        "free_bytes": disk.free,
        "size_bytes": disk.size,
        "checkpoint_bytes": next_size,
    }
    if is_filling and full_s is not None:
        evidence["full_in_s"] = round(full_s)
    return Remark(severity, _describe_room(shelf, soon_s), evidence)


def _describe_room(shelf: Shelf, soon_s: float) -> str:
    assert shelf.disk is not None
    free, size = shelf.disk.free, shelf.usual_size
    told = (
        f"the disk of {shelf.folder} has {size_text(free)} left ({number(100 * free / shelf.disk.size, 2)} %)"
    )
    if size:
        count = int(free // size)
        room = "no checkpoint" if not count else "one checkpoint" if count == 1 else f"{count:,} checkpoints"
        told += f", room for {room} of {size_text(size)}"
    return told if soon_s == float("inf") else f"{told}; at this pace it is full in {duration_text(soon_s)}"
