"""Which metrics are shown, and in what order."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

from tui.roles import Role, is_evaluation
from tui.screens.display import Display
from tui.store.run import Run

MAIN_ROLES = (Role.LOSS, Role.QUALITY, Role.GRAD_NORM, Role.LR, Role.THROUGHPUT)
"""The roles whose first metric comes before all others, in this order."""

_QUIET_ROLES = {Role.TIME, Role.PROGRESS}
"""Roles of fields that only grow; their curve tells nothing."""


def order_metrics(run: Run, names: Iterable[str], display: Display | None = None) -> tuple[str, ...]:
    """The metrics to show: those pinned, the main ones, then the rest as the log has them; no clocks.

    Args:
        run: The run.
        names: Its fields, in the log's order.
        display: What a person has pinned, hidden and filtered; None for nothing.
    """
    display = display or Display()
    named = [name for name in names if name not in display.hidden and matches(name, display.pattern)]
    shown = [name for name in named if run.role(name) not in _QUIET_ROLES or name in display.pinned]
    if display.pattern:  # what is asked for by name is shown, whatever it is
        shown = named
    pinned = [name for name in display.pinned if name in shown]
    return tuple(dict.fromkeys((*pinned, *main_metrics(run, shown), *shown)))


def main_metrics(run: Run, names: Iterable[str]) -> tuple[str, ...]:
    """The first of each main role, training's before an evaluation's."""
    candidates = sorted(names, key=is_evaluation)
    found = (next((name for name in candidates if run.role(name) is role), None) for role in MAIN_ROLES)
    return tuple(name for name in found if name)


def matches(name: str, pattern: str) -> bool:
    """Whether a name holds a text, or fits a pattern with `*`, `?` or `[`, in whatever case.

    >>> matches("Train/Loss", "loss"), matches("train/loss", "loss*"), matches("loss_ce", "LOSS*")
    (True, False, True)
    """
    name, pattern = name.lower(), pattern.strip().lower()
    if any(char in pattern for char in "*?["):
        return fnmatchcase(name, pattern)
    return pattern in name
