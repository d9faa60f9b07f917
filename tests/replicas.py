"""Replicas of the logs that Milepost was made for, made up from a seed and known in every number."""

from __future__ import annotations

import json

import numpy as np

Entry = dict[str, float]

OLD, NEW, UNIQUE, RESUMED, LAST = 1727, 831, 2097, 15_000, 16_330
"""Entries of the old script and of the new one, distinct steps of both, and where the new one began and stands."""


def two_regimes(loss_of_new: str = "loss", jump: float = 0.0, seed: int = 7) -> list[Entry]:
    """An old script with `step_time`, killed beyond step 15,000, and a new one with `tok_per_sec` from there on.

    461 steps were logged by both. `jump` is what the loss of the new one is worse by.
    """
    rng = np.random.default_rng(seed)
    again = OLD + NEW - UNIQUE
    early = np.unique(np.round(np.linspace(1, RESUMED - 2, OLD - again)))
    doubled = RESUMED + 2.0 * np.arange(again)
    rest = LAST - np.arange(NEW - again - 1, -1, -1.0)
    old = np.concatenate([early, doubled])
    new = np.concatenate([doubled, rest])
    entries = [_entry(step, rng) | {"step_time": 1.2 + 0.01 * rng.normal()} for step in old]
    for step in new:
        entry = _entry(step, rng)
        loss = entry.pop("loss") + jump
        entries.append(
            {"step": step, loss_of_new: loss} | entry | {"tok_per_sec": 26_000 + 100 * rng.normal()}
        )
    return entries


def _entry(step: float, rng: np.random.Generator) -> Entry:
    loss = 0.9 + 6 * step**-0.35 + 0.02 * rng.normal()
    accuracy = 0.3 - 1.2 * step**-0.35 + 0.004 * rng.normal()
    return {"step": step, "loss": float(loss), "accuracy": float(accuracy)}


def text_of(entries: list[Entry]) -> str:
    """The entries as JSON lines."""
    return "".join(json.dumps(entry) + "\n" for entry in entries)
