"""The logs of eight ranks, made up: one that is slow, one that ends early, and a restart of all of them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

SLOW, SILENT = 3, 5


def rank_log(
    rank: int, stop: int = 1200, *, slow_from: int = 500, silent_from: int | None = 700, restart: bool = True
) -> str:
    """What a rank logs up to step `stop`; all go back from 402 or 403 to 350, and rank 5 ends early."""
    noise = np.random.default_rng(rank)
    steps = [*range(1, 403 + rank % 2), *range(350, stop + 1)] if restart else [*range(1, stop + 1)]
    lines = []
    for number, step in enumerate(steps):
        if rank == SILENT and silent_from is not None and step >= silent_from:
            break
        is_slow = rank == SLOW and step >= slow_from and number > slow_from
        time_s = 1.2 * noise.lognormal(0, 0.03) * (1.18 if is_slow else 1.0)
        loss = 2 + 3 / np.sqrt(1 + step / 100) + noise.normal(0, 0.05)
        row = {"step": step, "loss": round(float(loss), 4), "lr": 6e-4, "step_time": round(float(time_s), 4)}
        lines.append(json.dumps(row))
        if rank == 0 and step % 100 == 0:
            lines.append(json.dumps({"step": step, "eval_loss": round(float(loss) + 0.1, 4)}))
    return "\n".join(lines) + "\n"


def write_ranks(folder: Path, *, without: int | None = None) -> Path:
    """Write the logs of all ranks but one into a folder, and return it."""
    for rank in range(8):
        if rank != without:
            (folder / f"rank{rank}.jsonl").write_text(rank_log(rank))
    return folder
