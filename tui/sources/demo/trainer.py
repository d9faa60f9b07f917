"""A simulated trainer: the log of a block-diffusion drafter, and what may go wrong with such a run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count, islice
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

ENTRIES, LAST_STEP = 13_190, 21_784
"""How many entries the drafter's whole log has, and the step of its last; the first is at step 1."""

WARMUP_STEPS, DECAY_STEPS, PEAK_LR = 2_801, 70_000, 6e-4
"""Linear warmup to the peak, then a cosine to zero over so many steps more: 5.0e-4 at the last step."""

TOKENS_PER_STEP = 162_500
"""With 26,000 tokens a second, 0.16 steps a second."""

_BLOCK = 1_024
"""Entries drawn at once, each block by a generator of its own."""

_NEVER = float("inf")


class Scenario(Struct, frozen=True):
    """What goes wrong with a run, by the step where it begins, and at which pace its log is written.

    `history` entries are in the log before anybody looks; `brisk` more follow at `entries_per_s`, a thousand
    times faster than a real trainer's.
    """

    plateau_at: float = _NEVER
    collapse_at: float = _NEVER
    cliff_at: float = _NEVER
    lost_per_step: float = 0.0  # of accuracy, on the plateau
    norm_exponent: float = 0.1  # healthy: 0.42 after the warmup, 0.35 at step 20,000
    entries: int | None = None
    history: int = 12_000
    brisk: int = 9_000
    entries_per_s: float = 100.0


SCENARIOS = {
    "default": Scenario(plateau_at=16_000, collapse_at=23_800, cliff_at=26_000),
    "healthy": Scenario(),
    "plateau": Scenario(plateau_at=16_000),
    "collapse": Scenario(collapse_at=22_500),
    "cliff": Scenario(cliff_at=22_500),
    "drafter": Scenario(
        plateau_at=16_000, lost_per_step=0.9e-6, norm_exponent=0.68, entries=ENTRIES, history=ENTRIES, brisk=0
    ),
}
"""By name. `drafter` is the run that Milepost was made for, whole, from its first entry to its last."""


def simulate(
    scenario: str = "default", *, entries: int | None = None, seed: int = 0
) -> Iterator[dict[str, float]]:
    """Yield the entries of a run's log, fields in the order of the log; the same seed gives the same run.

    Args:
        scenario: A key of `SCENARIOS`.
        entries: How many; None is as many as the scenario has, which is no end of them except for `drafter`.
        seed: Any whole number; of all that is random.

    Raises:
        KeyError: There is no such scenario.
    """
    plan = SCENARIOS[scenario]
    return islice(_entries(plan, seed), plan.entries if entries is None else entries)


def write_line(entry: dict[str, float]) -> str:
    """The entry as a line of JSON, spaced as Python's own encoder does, with its newline."""
    return json.dumps(entry) + "\n"


def _entries(plan: Scenario, seed: int) -> Iterator[dict[str, float]]:
    elapsed_s = 0.0
    for block in count():
        index = np.arange(block * _BLOCK, (block + 1) * _BLOCK)
        columns = _columns(plan, index, np.random.default_rng((seed % 2**64, block)))
        columns["elapsed"] = np.round(elapsed_s + columns["elapsed"], 1)
        elapsed_s = float(columns["elapsed"][-1])
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        yield from (dict(zip(columns, row, strict=True)) for row in rows)


def _columns(plan: Scenario, index: Integers, rng: np.random.Generator) -> dict[str, npt.NDArray[Any]]:
    """Every field of the entries at `index` (n,); `elapsed` in seconds since the entry before the first."""
    steps = _steps(index)
    step = steps.astype(float)
    hardness = _skewed(rng, len(step))  # of the batch: what raises its loss lowers its accuracy
    accuracy = _accuracy(plan, step) * (1 - 0.035 * hardness + 0.045 * rng.standard_normal(len(step)))
    accuracy = np.clip(accuracy, 0.001, 0.95)
    top4 = 1 - (1 - accuracy) ** 1.92  # 0.066 where accuracy is 0.035
    top8 = 1 - (1 - accuracy) ** 3.05  # 0.103
    tok_per_sec = 26_000 * (1 + 0.012 * rng.standard_normal(len(step)))
    steps_each = np.diff(steps, prepend=np.maximum(_steps(index[:1] - 1), 0))
    return {
        "step": steps,
        "loss": np.round(_loss(plan, step) + 0.11 * hardness, 4),
        "accuracy": np.round(accuracy, 4),
        "avg_streak": np.round(_streak(accuracy), 3),
        "top4_acc": np.round(top4, 4),
        "top8_acc": np.round(top8, 4),
        "ddtree_streak4": np.round(_streak(top4), 3),
        "ddtree_streak8": np.round(_streak(top8), 3),
        "grad_norm": np.round(_grad_norm(plan, step) * _spiky(rng, len(step)), 4),
        "noise_std": np.round(rng.normal(0.289, 0.006, len(step)), 4),  # of noise levels uniform in 0 to 1
        "lr": _lr(step),
        "tok_per_sec": np.round(tok_per_sec, 1),
        "elapsed": np.cumsum(steps_each * TOKENS_PER_STEP / tok_per_sec),
    }


def _steps(index: Integers) -> Integers:
    """The step of each entry, in whole numbers: one or two a time, 1.65 on average."""
    return 1 + index * (LAST_STEP - 1) // (ENTRIES - 1)


def _loss(plan: Scenario, step: Floats) -> Floats:
    """A power law from 3.8 to 0.94 at step 21,784; the cliff adds 2.7 times the noise, for good."""
    return 0.6 + 3.45 * (1 + step / 3) ** -0.26 + 0.30 * (step >= plan.cliff_at)


def _accuracy(plan: Scenario, step: Floats) -> Floats:
    """A power law from 0.035 to 0.253 at step 16,000, until the plateau."""
    learned = np.minimum(step, plan.plateau_at)
    lost = plan.lost_per_step * np.maximum(step - plan.plateau_at, 0)
    return 0.253 * ((learned + 1.8) / 16_000) ** 0.228 - lost


def _grad_norm(plan: Scenario, step: Floats) -> Floats:
    """From 0.37 over 0.68 at step 150 to 0.47 at step 1,000, then a power law, and a collapse to 0.06."""
    early = np.interp(step, [1, 150, 1_000], [0.37, 0.68, 0.47])
    healthy = early * np.maximum(step / 1_000, 1) ** -plan.norm_exponent
    fallen = np.exp(-np.maximum(step - plan.collapse_at, 0) / 400)
    return 0.06 + (healthy - 0.06) * fallen if plan.collapse_at < _NEVER else healthy


def _lr(step: Floats) -> Floats:
    decayed = np.clip((step - WARMUP_STEPS) / DECAY_STEPS, 0, 1)
    rate: Floats = PEAK_LR * np.minimum(step / WARMUP_STEPS, (1 + np.cos(np.pi * decayed)) / 2)
    return rate


def _streak(share: Floats) -> Floats:
    """Tokens accepted in a row: a run of successes is share / (1 - share) long; the first ones are easier."""
    return 2.2 * share / (1 - share)


def _skewed(rng: np.random.Generator, n: int) -> Floats:
    """White noise (n,) of unit scale as training losses have it: right-skewed, 20 in 10,000 far outside."""
    body = (rng.gamma(12.0, size=n) - 12) / np.sqrt(12)
    outliers = np.where(rng.random(n) < 0.002, 5 + rng.exponential(2.0, n), 0.0)
    noise: Floats = body + outliers
    return noise


def _spiky(rng: np.random.Generator, n: int) -> Floats:
    """Factors (n,) about 1 as gradient norms have them: log-normal, with one-sided spikes."""
    spike = np.where(rng.random(n) < 0.004, rng.exponential(0.6, n), 0.0)
    factors: Floats = np.exp(rng.normal(0, 0.09, n) + spike)
    return factors
