"""A log as long as a month of training: the drafter's thirteen fields, in twelve digits, some 358 bytes a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tui.decode.batch import Floats

ENTRIES = 1_000_000
"""How many entries make a log of 358 MB."""

FIELDS = (
    "step loss accuracy avg_streak top4_acc top8_acc ddtree_streak4 ddtree_streak8 grad_norm noise_std lr"
    " tok_per_sec elapsed"
).split()
PIECE = 20_000

_LINE = "{" + ", ".join(f'"{name}": %.12g' for name in FIELDS) + "}\n"


def write_log(path: Path, entries: int = ENTRIES) -> None:
    """Write such a log."""
    with path.open("wb") as file:
        file.writelines(pieces(entries))


def pieces(entries: int) -> Iterator[bytes]:
    """Its bytes, in pieces of whole lines: a long one need not be held at once."""
    for table in tables(entries):
        yield "".join([_LINE % tuple(row) for row in table.tolist()]).encode()


def tables(entries: int, seed: int = 0) -> Iterator[Floats]:
    """Its values (n, 13), piece by piece: a loss that falls, qualities that rise, and their noise."""
    rng = np.random.default_rng(seed)
    for start in range(0, entries, PIECE):
        yield _make(np.arange(start, min(start + PIECE, entries), dtype=np.float64), entries, rng)


def _make(at: Floats, entries: int, rng: np.random.Generator) -> Floats:
    done = at / entries
    loss = (1.0 + 2.5 * np.exp(-8 * done)) * (1 + 0.06 * rng.standard_normal(len(at)))
    quality = 0.3 * (0.02 + done) ** 0.2 * (1 + 0.05 * rng.standard_normal((6, len(at))))
    scale = np.array([1.0, 2.4, 1.7, 2.2, 5.0, 8.5])[:, None]
    norm = 0.4 * np.exp(0.1 * rng.standard_normal(len(at)))
    lr = 6e-4 * np.minimum(at / 2801, 0.5 * (1 + np.cos(np.pi * done)))
    pace = 26_000 * (1 + 0.01 * rng.standard_normal(len(at)))
    noise = 0.3 - 0.1 * done + 1e-4 * rng.standard_normal(len(at))
    return np.stack(
        [at + 1, loss, *(quality * scale), norm, noise, lr, pace, 6.25 * at + pace * 1e-5], axis=1
    )
