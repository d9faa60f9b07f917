"""Synthetic training runs with known health: a family, at most one incident, one seed each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.bench.families import FAMILIES, Plan, fill, make_plan
from tests.bench.incidents import AFTER, BEFORE, find_onset
from tui.decode.batch import Column, Span

INCIDENTS = (
    "plateau", "early_plateau", "decline", "slow_collapse", "sudden_collapse", "explosion", "cliff",
    "accuracy_cliff", "spike", "divergence", "nan", "slowdown", "restart", "discontinuity", "regime", "overfit",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Truth:
    """What is wrong with a run: which incident, from entry `first` up to `last` (exclusive), and its size."""

    incident: str
    first: int
    last: int
    size: float


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """A run as it was logged. `restart_at` is the entry with which a second attempt begins."""

    family: str
    seed: int
    span: Span
    truth: Truth | None = None
    restart_at: int | None = None
    total_steps: float | None = None


def make_run(family: str, seed: int, incident: str | None = None) -> Run:
    """The run of a family by its seed, healthy or with one incident; equal arguments give equal runs."""
    rng = np.random.default_rng(
        (seed, FAMILIES.index(family), INCIDENTS.index(incident) + 1 if incident else 0)
    )
    plan = make_plan(family, rng)
    first = find_onset(plan, incident)
    last, size = len(plan), 0.0
    if incident in BEFORE:
        size = BEFORE[incident](plan, first)
    fill(plan)
    if incident in AFTER:
        last, size = AFTER[incident](plan, first)
    truth = Truth(incident, first, last, size) if incident else None
    return Run(family, seed, to_span(plan), truth, plan.restart_at)


def to_span(plan: Plan) -> Span:
    """Evaluations are in the entries they were made at; every other field is in all."""
    every = np.arange(len(plan))
    columns = {}
    for name, values in plan.columns.items():
        at = every[~np.isnan(values)] if name == "val_loss" else every
        columns[name] = Column(at, values[at])
    return Span(plan.steps, columns)
