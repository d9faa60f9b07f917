"""The run that this tool was made for, made again with its own faults and its own harmless oddities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.bench.families import fill, make_plan
from tests.bench.runs import to_span
from tests.bench.score import judge
from tui.decode.batch import Floats, Span
from tui.health.alerts import AlertChange, Severity

FLAT_FROM, JOINED_AT = 16_000.0, 15_000.0
"""The step from which on accuracy falls, and the step at which two regimes of data were joined."""

_LOST = 0.005  # accuracy, until the end
_NORMS = (0.47, 0.058)  # at step 1,000, and at the end
_START_ENTRIES = 300


@dataclass(frozen=True, slots=True)
class Reading:
    """What was said of one replica; steps at which warnings were raised, None where none was."""

    accuracy_plateau: float | None
    first_plateau: float | None
    collapse: float | None
    at_the_start: int
    at_the_join: int


def make_replica(seed: int, jump: float = 0.0, *, drifts: bool = False) -> Span:
    """13,190 entries over 21,784 steps; from the join on the loss is another by so much of its level.

    Its noise is white, as that of real losses mostly is, or has the slow drift of its family besides.
    """
    plan = make_plan("drafter", np.random.default_rng((seed, 99)))
    plan.drifts = drifts
    fill(plan)
    steps, columns = plan.steps, plan.columns
    lost = np.clip((steps - FLAT_FROM) / (steps[-1] - FLAT_FROM), 0, 1)
    at_flat = float(np.interp(FLAT_FROM, steps, _learned(steps)))
    scatter = columns["accuracy"] / _learned(steps)
    columns["accuracy"] = np.where(steps < FLAT_FROM, _learned(steps), at_flat - _LOST * lost) * scatter
    columns["loss"] = columns["loss"] * np.where(steps > JOINED_AT, 1 + jump, 1.0)
    columns["grad_norm"] = columns["grad_norm"] / _norms(steps, healthy=True) * _norms(steps, healthy=False)
    return to_span(plan)


def read(span: Span) -> Reading:
    """What is said of a replica."""
    last = {change.alert.number: change for change in judge(span, total_steps=70_000.0)}
    warnings = [change for change in last.values() if change.alert.severity is not Severity.INFO]
    stagnant = [change for change in warnings if change.alert.kind in ("plateau", "decline")]
    by_accuracy = [change for change in stagnant if "accuracy" in change.alert.metrics]
    collapses = [change for change in warnings if change.alert.kind == "gradient_collapse"]
    joined = span.steps[_START_ENTRIES]
    sudden = [change for change in warnings if change not in stagnant and change not in collapses]
    return Reading(
        _first_step(by_accuracy),
        _first_step(stagnant),
        _first_step(collapses),
        sum(change.alert.raised_step <= joined for change in warnings),
        sum(JOINED_AT - 1000 <= change.alert.raised_step <= JOINED_AT + 1000 for change in sudden),
    )


def _first_step(changes: list[AlertChange]) -> float | None:
    return min((change.alert.raised_step for change in changes), default=None)


def _learned(steps: Floats) -> Floats:
    learned: Floats = 0.253 * ((steps + 1.8) / 16_000) ** 0.228
    return learned


def _norms(steps: Floats, *, healthy: bool) -> Floats:
    """The norm without its noise: as the family has it, or falling exponentially from step 1,000 on."""
    early = np.interp(steps, [1, 150, 1000], np.log([0.37, 0.68, 0.47]))
    if healthy:
        fallen: Floats = np.exp(early - 0.12 * np.log(np.maximum(steps / 1000, 1)))
        return fallen
    share = np.clip((steps - 1000) / (steps[-1] - 1000), 0, 1)
    collapsed: Floats = np.exp(early + share * np.log(_NORMS[1] / _NORMS[0]))
    return collapsed
