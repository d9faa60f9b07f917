"""Five families of healthy synthetic runs: their schedules, what they learn, and how noisily they log it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.bench.noise import autoregressive, drift, skewed, spikes
from tui.decode.batch import Floats

FAMILIES = ("pretrain", "smallbatch", "smoothed", "mix", "drafter")
"""Noise: white and small; white and large; averaged by the logger; with a slow drift of the data's mixture; and the
run that this tool was made for."""

VALIDATE_EVERY = 100
"""Entries between two evaluations."""


@dataclass(slots=True, eq=False)
class Plan:
    """What a run is made from: steps and learning time (n,), the latter behind the former where it stagnates.

    `drifts` is false for a drafter whose noise is white.

    `validation` (n,) is what evaluations would show without noise.
    """

    rng: np.random.Generator
    family: str
    steps: Floats
    warmup: float
    total: float
    has_lr: bool
    time: Floats
    sigma: float
    columns: dict[str, Floats]
    drifts: bool = True
    validation: Floats | None = None
    restart_at: int | None = None

    def __len__(self) -> int:
        return len(self.steps)


def make_plan(family: str, rng: np.random.Generator) -> Plan:
    is_drafter = family == "drafter"
    n = 13_190 if is_drafter else int(np.exp(rng.uniform(np.log(3000), np.log(20_000))))
    cadence = 1.6516 if is_drafter else float(rng.choice([1, 1, 1.65, 10, 25]))
    steps = np.floor(1 + cadence * np.arange(n))
    if not is_drafter and rng.random() < 0.2:
        steps = _lose_chunks(rng, steps)
    last = float(steps[-1])
    warmup = 2801.0 if is_drafter else last * float(rng.uniform(0.01, 0.1))
    sigma = {
        "pretrain": rng.uniform(0.008, 0.03),
        "smallbatch": rng.uniform(0.04, 0.15),
        "smoothed": rng.uniform(0.005, 0.03),
        "mix": rng.uniform(0.01, 0.05),
        "drafter": 0.11,
    }[family]
    total = 70_000.0 if is_drafter else last
    has_lr = is_drafter or rng.random() < 0.8
    return Plan(rng, family, steps, warmup, total, has_lr, steps.copy(), float(sigma), {})


def _lose_chunks(rng: np.random.Generator, steps: Floats) -> Floats:
    kept = np.ones(len(steps), bool)
    for start in rng.integers(200, len(steps) - 200, size=3):
        kept[start : start + int(rng.integers(20, 150))] = False
    return steps[kept]


# Columns


def fill(plan: Plan) -> None:
    """Log what the run has learned by its learning time, with the family's noise."""
    rng, n = plan.rng, len(plan)
    if plan.has_lr:
        plan.columns["lr"] = _learning_rate(plan)
    loss = _loss(plan)
    noise = _noise(plan)
    spread = (
        plan.sigma if plan.family == "drafter" else plan.sigma * loss / loss[len(loss) // 2] * loss[n // 2]
    )
    plan.columns["loss"] = loss + spread * _changing_scale(plan) * noise
    accuracy = _accuracy(plan)
    accuracy_noise = 0.6 * rng.standard_normal(n) - 0.8 * noise
    plan.columns["accuracy"] = accuracy * (
        1 + (0.07 if plan.family == "drafter" else plan.sigma) * accuracy_noise
    )
    plan.columns["grad_norm"] = np.exp(_log_norm(plan))
    rate = float(rng.uniform(5e3, 5e5))
    plan.columns["tok_per_sec"] = rate * (1 + 0.01 * autoregressive(rng, n, 0.2))
    at = np.arange(VALIDATE_EVERY - 1, n, VALIDATE_EVERY)
    plan.validation = loss
    validation = np.full(n, np.nan)
    validation[at] = loss[at] * 1.03 * (1 + 0.004 * rng.standard_normal(len(at)))
    plan.columns["val_loss"] = validation


def _learning_rate(plan: Plan) -> Floats:
    kind = "cosine" if plan.family == "drafter" else plan.rng.choice(["cosine", "linear", "wsd", "constant"])
    done = np.clip((plan.steps - plan.warmup) / (plan.total - plan.warmup), 0, 1)
    decay = {
        "cosine": 0.5 * (1 + np.cos(np.pi * done)) * 0.95 + 0.05,
        "linear": 1 - 0.95 * done,
        "wsd": np.minimum(1, np.maximum(0.05, (1 - done) / 0.15)),
        "constant": np.ones(len(plan)),
    }[str(kind)]
    rates: Floats = 6e-4 * np.minimum(plan.steps / plan.warmup, 1) * decay
    return rates


def _loss(plan: Plan) -> Floats:
    rng, time = plan.rng, plan.time
    if plan.family == "drafter":
        loss = 0.6 + 3.2 * (1 + time / 12) ** -0.3
    else:
        start, floor = rng.uniform(4, 11), rng.uniform(0.3, 2)
        scale = plan.warmup * rng.uniform(0.05, 0.5)
        loss = floor + (start - floor) * (1 + time / scale) ** -rng.uniform(0.2, 0.6)
    if plan.family == "drafter" or rng.random() < 0.3:
        bump = np.exp(-0.5 * ((np.arange(len(plan)) - 30) / 10) ** 2)
        loss = loss + 3 * loss[0] * bump
    explored: Floats = loss
    return explored


def _accuracy(plan: Plan) -> Floats:
    rng = plan.rng
    if plan.family == "drafter":
        learned: Floats = 0.253 * ((plan.time + 1.8) / 16_000) ** 0.228
        return learned
    top, scale = rng.uniform(0.3, 0.7), plan.warmup * rng.uniform(0.3, 2)
    rising: Floats = top * (1.02 - (1 + plan.time / scale) ** -rng.uniform(0.2, 0.5))
    return rising


def _noise(plan: Plan) -> Floats:
    """Unit noise (n,), for the worse skewed to the right."""
    rng, n = plan.rng, len(plan)
    white = skewed(rng, n, float(rng.uniform(5, 60)))
    if plan.family == "smoothed":
        return autoregressive(rng, n, float(rng.uniform(0.6, 0.95)), white)
    if plan.family in ("mix", "drafter") and plan.drifts:
        share = float(rng.uniform(0.2, 0.6 if plan.family == "mix" else 0.3))
        return white + share * drift(rng, n, float(rng.uniform(30, 300)))
    return white


def _changing_scale(plan: Plan) -> Floats:
    scale: Floats = np.exp(0.15 * drift(plan.rng, len(plan), 2000))
    return scale


def _log_norm(plan: Plan) -> Floats:
    rng, n = plan.rng, len(plan)
    noise = rng.uniform(0.08, 0.2) * autoregressive(rng, n, float(rng.uniform(0.04, 0.35)))
    noise = noise + spikes(rng, n, float(rng.uniform(23, 109)))
    if plan.family == "drafter":
        early = np.interp(plan.steps, [1, 150, 1000], np.log([0.37, 0.68, 0.47]))
        return early - 0.12 * np.log(np.maximum(plan.steps / 1000, 1)) + noise
    after = np.maximum(plan.steps / plan.warmup, 1)
    start = np.log(rng.uniform(1, 13)) * np.exp(-plan.steps / (0.25 * plan.warmup))
    fall: Floats = np.log(rng.uniform(0.1, 2)) + start - rng.uniform(0, 0.25) * np.log(after) + noise
    return fall
