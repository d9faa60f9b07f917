"""Synthetic training runs with known health: five families, sixteen incidents, one seed each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tests.bench.noise import autoregressive, drift, skewed, spikes
from tui.decode.batch import Column, Floats, Span

FAMILIES = ("pretrain", "smallbatch", "smoothed", "mix", "drafter")
"""Noise: white and small; white and large; averaged by the logger; with a slow drift of the data's mixture;
and
the run that this tool was made for."""

INCIDENTS = (
    "plateau", "early_plateau", "decline", "slow_collapse", "sudden_collapse", "explosion", "cliff",
    "accuracy_cliff", "spike", "divergence", "nan", "slowdown", "restart", "discontinuity", "regime", "overfit",
)  # fmt: skip

VALIDATE_EVERY = 100
"""Entries between two evaluations."""

OVERFIT_ENTRIES = 3000
"""Entries after its onset within which overfitting counts as seen."""


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


@dataclass(slots=True, eq=False)
class Plan:
    """What a run is made from: steps and learning time (n,), the latter behind the former where it stagnates.

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
    validation: Floats | None = None
    restart_at: int | None = None

    def __len__(self) -> int:
        return len(self.steps)


def make_run(family: str, seed: int, incident: str | None = None) -> Run:
    """The run of a family by its seed, healthy or with one incident; equal arguments give equal runs."""
    rng = np.random.default_rng(
        (seed, FAMILIES.index(family), INCIDENTS.index(incident) + 1 if incident else 0)
    )
    plan = _plan(family, rng)
    first = _onset(plan, incident)
    last, size = len(plan), 0.0
    if incident in _BEFORE:
        size = _BEFORE[incident](plan, first)
    _fill(plan)
    if incident in _AFTER:
        last, size = _AFTER[incident](plan, first)
    truth = Truth(incident, first, last, size) if incident else None
    return Run(family, seed, _to_span(plan), truth, plan.restart_at)


# Plans


def _plan(family: str, rng: np.random.Generator) -> Plan:
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


def _onset(plan: Plan, incident: str | None) -> int:
    low, high = {"early_plateau": (0.2, 0.35), "plateau": (0.35, 0.5), "decline": (0.35, 0.5)}.get(
        incident or "", (0.3, 0.8)
    )
    if incident == "slow_collapse":
        low, high = 0.25, 0.4
    return int(len(plan) * plan.rng.uniform(low, high))


# Columns


def _fill(plan: Plan) -> None:
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
    if plan.family in ("mix", "drafter"):
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


# Incidents: what changes the learning itself, and what changes what is logged of it


def _stagnate(plan: Plan, first: int) -> float:
    plan.time = np.minimum(plan.time, plan.steps[first])
    return 0.0


def _unlearn(plan: Plan, first: int) -> float:
    rate = float(plan.rng.uniform(0.3, 1.0))
    ago = np.maximum(plan.steps / plan.steps[first], 1)
    plan.time = np.minimum(plan.time, plan.steps[first] * ago**-rate)
    return rate


def _shift(plan: Plan, name: str, first: int, last: int, sigmas: float) -> None:
    column = plan.columns[name]
    near = column[first - 200 : first]
    sigma = 1.4826 * float(np.median(np.abs(near - np.median(near))))
    column[first:last] += sigmas * sigma


def _cliff(plan: Plan, first: int) -> tuple[int, float]:
    size = float(plan.rng.uniform(2, 6))
    _shift(plan, "loss", first, len(plan), size)
    return len(plan), size


def _accuracy_cliff(plan: Plan, first: int) -> tuple[int, float]:
    size = float(plan.rng.uniform(2, 6))
    _shift(plan, "accuracy", first, len(plan), -size)
    return len(plan), size


def _spike(plan: Plan, first: int) -> tuple[int, float]:
    size, length = float(plan.rng.uniform(4, 12)), int(plan.rng.integers(60, 250))
    last = min(first + length, len(plan))
    _shift(plan, "loss", first, last, size)
    return last, size


def _diverge(plan: Plan, first: int) -> tuple[int, float]:
    loss, n = plan.columns["loss"], len(plan)
    ramp = np.arange(n - first) / plan.rng.uniform(300, 800)
    size = 0.5 * float(np.median(loss[:24]) - np.median(loss[first - 48 : first]))
    loss[first:] += max(size, 0.5) * np.minimum(ramp, 2) ** 2
    plan.columns["grad_norm"][max(first - 20, 0) :] *= 2.5
    return n, size


def _collapse_slowly(plan: Plan, first: int) -> tuple[int, float]:
    size, norm = float(plan.rng.uniform(6, 12)), plan.columns["grad_norm"]
    share = np.linspace(0, 1, len(plan) - first)
    norm[first:] *= size**-share
    return len(plan), size


def _collapse(plan: Plan, first: int) -> tuple[int, float]:
    size = float(plan.rng.uniform(6, 30))
    plan.columns["grad_norm"][first:] /= size
    return len(plan), size


def _explode(plan: Plan, first: int) -> tuple[int, float]:
    size = float(plan.rng.uniform(3, 10))
    plan.columns["grad_norm"][first:] *= size
    return len(plan), size


def _break(plan: Plan, first: int) -> tuple[int, float]:
    plan.columns["loss"][first:] = np.nan
    return len(plan), 1.0


def _slow_down(plan: Plan, first: int) -> tuple[int, float]:
    size = float(plan.rng.uniform(0.2, 0.6))
    plan.columns["tok_per_sec"][first:] *= 1 - size
    return len(plan), size


def _restart(plan: Plan, first: int) -> tuple[int, float]:
    back = int(first * plan.rng.uniform(0.7, 0.95))
    order = np.concatenate((np.arange(first), np.arange(back, back + len(plan) - first)))
    for name, column in plan.columns.items():
        plan.columns[name] = column[order]
    plan.steps = plan.steps[order]
    plan.restart_at = first
    return len(plan), 0.0


def _restart_elsewhere(plan: Plan, first: int) -> tuple[int, float]:
    _restart(plan, first)
    size = float(plan.rng.uniform(3, 8) * plan.rng.choice([-1, 1]))
    _shift(plan, "loss", first, len(plan), size)
    return len(plan), size


def _change_regime(plan: Plan, first: int) -> tuple[int, float]:
    """The cadence changes tenfold, and the loss is another by one sigma: another data mixture, on purpose."""
    later = plan.steps[first:] - plan.steps[first]
    plan.steps = np.concatenate((plan.steps[:first], plan.steps[first] + 10 * later))
    _shift(plan, "loss", first, len(plan), 1.0)
    return len(plan), 1.0


def _overfit(plan: Plan, first: int) -> tuple[int, float]:
    """A growing gap. The size is how much worse validation gets than its best while it counts, without noise."""
    ramp = 1 + np.linspace(0, float(plan.rng.uniform(0.03, 0.25)), len(plan) - first)
    plan.columns["val_loss"][first:] *= ramp
    assert plan.validation is not None
    shown = (plan.validation[first:] * ramp)[:OVERFIT_ENTRIES]
    return len(plan), float(np.max(shown / np.minimum.accumulate(shown))) - 1


_BEFORE: dict[str | None, Callable[[Plan, int], float]] = {
    "plateau": _stagnate,
    "early_plateau": _stagnate,
    "decline": _unlearn,
}

_AFTER: dict[str | None, Callable[[Plan, int], tuple[int, float]]] = {
    "slow_collapse": _collapse_slowly,
    "sudden_collapse": _collapse,
    "explosion": _explode,
    "cliff": _cliff,
    "accuracy_cliff": _accuracy_cliff,
    "spike": _spike,
    "divergence": _diverge,
    "nan": _break,
    "slowdown": _slow_down,
    "restart": _restart,
    "discontinuity": _restart_elsewhere,
    "regime": _change_regime,
    "overfit": _overfit,
}


def _to_span(plan: Plan) -> Span:
    """Evaluations are in the entries they were made at; every other field is in all."""
    every = np.arange(len(plan))
    columns = {}
    for name, values in plan.columns.items():
        at = every[~np.isnan(values)] if name == "val_loss" else every
        columns[name] = Column(at, values[at])
    return Span(plan.steps, columns)
