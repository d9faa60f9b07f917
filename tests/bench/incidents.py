"""What can go wrong with a synthetic run: sixteen incidents, each of a size that is drawn."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.bench.families import Plan

OVERFIT_ENTRIES = 3000
"""Entries after its onset within which overfitting counts as seen."""


def find_onset(plan: Plan, incident: str | None) -> int:
    low, high = {"early_plateau": (0.2, 0.35), "plateau": (0.35, 0.5), "decline": (0.35, 0.5)}.get(
        incident or "", (0.3, 0.8)
    )
    if incident == "slow_collapse":
        low, high = 0.25, 0.4
    return int(len(plan) * plan.rng.uniform(low, high))


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
    size = float(plan.rng.uniform(0.15, 0.6))
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


BEFORE: dict[str | None, Callable[[Plan, int], float]] = {
    "plateau": _stagnate,
    "early_plateau": _stagnate,
    "decline": _unlearn,
}

AFTER: dict[str | None, Callable[[Plan, int], tuple[int, float]]] = {
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
