"""Whether a run goes on after a restart or a change of fields as before: the jump there, against the noise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from tui.decode.batch import Floats
from tui.roles import Role
from tui.store.segments import Segment
from tui.store.stream import Stream

if TYPE_CHECKING:
    from tui.store.run import Run

SIDE = 50
"""How many standing entries on each side of a boundary are looked at, and how many there must be at least."""
FEWEST = 10

CLEAN_Z = 4.0
"""A jump of fewer standard errors than this may be chance, also where many metrics are looked at."""

ROLES = frozenset({Role.LOSS, Role.QUALITY, Role.GRAD_NORM})


class Jump(Struct, frozen=True):
    """How far a metric jumps at a boundary, over what it would have moved anyway, and that in standard errors."""

    difference: float
    z: float


class Join(Struct, frozen=True):
    """A boundary between two segments, by the first step of the later one; metrics that both have, by name."""

    step: float
    jumps: Mapping[str, Jump]

    @property
    def is_clean(self) -> bool:
        """Whether no metric jumps by more than chance would have it."""
        return all(abs(jump.z) < CLEAN_Z for jump in self.jumps.values())


def find_joins(run: Run) -> tuple[Join | None, ...]:
    """The boundary at which each segment of the main stream begins.

    None for the first one, and where too little stands on one of the sides to tell.
    """
    main, segments = run.main, run.segments
    if main is None:
        return ()
    return (None, *(_measure(run, main, segment) for segment in segments[1:])) if segments else ()


def _measure(run: Run, stream: Stream, segment: Segment) -> Join | None:
    jumps = {}
    for name in segment.fields:
        if run.role(name) not in ROLES:
            continue
        rows, values = stream.points(name)
        at = int(np.searchsorted(rows, segment.first_row))
        near = slice(max(at - SIDE, 0), at + SIDE)
        jump = measure_jump(stream.steps[rows[near]], values[near], min(at, SIDE))
        if jump is not None:
            jumps[name] = jump
    return Join(segment.first_step, jumps) if jumps else None


def measure_jump(steps: Floats, values: Floats, before: int) -> Jump | None:
    """The jump between the first `before` points (n,) and the others; None with fewer than ten on a side.

    By least squares, a line through both sides with one slope and a jump between them. Its standard error is widened
    by (1 + r) / (1 − r) under the root, with the residuals' lag-1 correlation r where it is positive.
    """
    known = np.isfinite(values)
    is_after = np.arange(len(steps)) >= before
    steps, values, is_after = steps[known], values[known], is_after[known]
    if min(int(is_after.sum()), int((~is_after).sum())) < FEWEST:
        return None
    scale = float(np.ptp(steps)) or 1.0
    design = np.column_stack([np.ones(len(steps)), (steps - steps.mean()) / scale, is_after])
    solution, _, rank, _ = np.linalg.lstsq(design, values, rcond=None)
    if rank < design.shape[1]:
        return None
    residuals = values - design @ solution
    variance = float(residuals @ residuals) / (len(values) - 3)
    if variance == 0:
        return Jump(float(solution[2]), 0.0 if solution[2] == 0 else float(np.copysign(np.inf, solution[2])))
    r = min(max(float(residuals[1:] @ residuals[:-1]) / float(residuals @ residuals), 0.0), 0.9)
    error = np.sqrt(variance * np.linalg.inv(design.T @ design)[2, 2] * (1 + r) / (1 - r))
    return Jump(float(solution[2]), float(solution[2] / error))
