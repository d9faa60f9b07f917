"""A run's checkpoints and GPUs: as JSON, in words, and as tables."""

from __future__ import annotations

import math

from tui.decode.text import clean
from tui.feed import Feed
from tui.report.document import Grid
from tui.report.plain import Json, step_to_json, to_json
from tui.store.checkpoints import Best, Checkpoint, Shelf
from tui.store.gpus import Gpu
from widgets.numbers import format_age, format_bytes, format_step, format_value

ROWS = 30
"""How many checkpoints a report lists, the newest first."""


def checkpoints_to_json(feed: Feed) -> Json | None:
    """The checkpoints and their disk; None where there are none to be seen. Sizes are in bytes."""
    shelf = feed.shelf
    if shelf is None:
        return None
    best = feed.best_checkpoint()
    return {
        "folder": shelf.folder,
        "disk": _disk_to_json(shelf),
        "list": [_checkpoint_to_json(each, shelf) for each in shelf.checkpoints],
        "latest": shelf.latest.name if shelf.latest else None,
        "best": None if best is None else _best_to_json(best),
    }


def gpus_to_json(feed: Feed) -> list[Json]:
    """The last reading of each GPU; null stands for what one does not tell."""
    return [_gpu_to_json(gpu) for gpu in feed.gpus.now]


def describe_checkpoints(feed: Feed) -> str | None:
    """How many there are and where, the last one, the best one, and the room for more; None without any."""
    shelf = feed.shelf
    if shelf is None:
        return None
    latest = shelf.latest
    if latest is None:
        return f"no checkpoint in {clean(shelf.folder)} yet"
    count = len(shelf.checkpoints)
    told = [
        f"{count:,} checkpoint{'s' * (count > 1)} in {clean(shelf.folder)}",
        f"last {clean(latest.name)}, {format_age(_age_s(latest, shelf))} ago, {format_bytes(latest.size)}",
    ]
    if best := feed.best_checkpoint():
        told.append(describe_best(best))
    if shelf.disk:
        told.append(f"{format_bytes(shelf.disk.free)} free")
    return " · ".join(told)


def describe_best(best: Best) -> str:
    """Which checkpoint is the best, and by what."""
    return f"best by {clean(best.metric)} ({format_value(best.mean)}): {clean(best.checkpoint.name)}"


def describe_gpus(feed: Feed) -> str | None:
    """All GPUs in one line; None without any."""
    return feed.gpus.summary()


def checkpoint_grid(feed: Feed) -> Grid | None:
    """The checkpoints as a table, the newest first; None without any."""
    shelf = feed.shelf
    if shelf is None or not shelf.checkpoints:
        return None
    best = feed.best_checkpoint()
    rows = [_row(each, shelf, best) for each in reversed(shelf.checkpoints)]
    return Grid(
        ("checkpoint", "step", "epoch", "size", "age", ""), tuple(rows[:ROWS]), is_left=frozenset({5})
    )


def _row(checkpoint: Checkpoint, shelf: Shelf, best: Best | None) -> tuple[str, ...]:
    notes = []
    if checkpoint is shelf.latest:
        notes.append("latest")
    if best and checkpoint is best.checkpoint:
        notes.append(f"best by {clean(best.metric)}: {format_value(best.mean)}")
    return (
        clean(checkpoint.name),
        "" if checkpoint.step is None else format_step(checkpoint.step),
        "" if checkpoint.epoch is None else format_step(checkpoint.epoch),
        format_bytes(checkpoint.size),
        format_age(_age_s(checkpoint, shelf)),
        ", ".join(notes),
    )


def _age_s(checkpoint: Checkpoint, shelf: Shelf) -> float:
    return max(shelf.seen_at_s - checkpoint.modified_s, 0.0)


def _checkpoint_to_json(checkpoint: Checkpoint, shelf: Shelf) -> Json:
    return {
        "name": checkpoint.name,
        "step": step_to_json(checkpoint.step),
        "epoch": step_to_json(checkpoint.epoch),
        "size": checkpoint.size,
        "age_s": round(_age_s(checkpoint, shelf), 1),
    }


def _best_to_json(best: Best) -> Json:
    checkpoint = best.checkpoint
    step = step_to_json(checkpoint.step)
    return {"name": checkpoint.name, "step": step, "metric": best.metric, "mean": to_json(best.mean)}


def _disk_to_json(shelf: Shelf) -> Json | None:
    if shelf.disk is None:
        return None
    full_s = shelf.seconds_until_full()
    return {
        "size": shelf.disk.size,
        "free": shelf.disk.free,
        "full_in_s": None if full_s is None else round(full_s),
    }


def _gpu_to_json(gpu: Gpu) -> Json:
    is_share = gpu.memory_total <= 1  # rocm-smi tells no bytes
    return {
        "index": gpu.index,
        "name": gpu.name,
        "utilisation": _known(gpu.utilisation),
        "memory_used": None if is_share else _known(gpu.memory_used),
        "memory_total": None if is_share else _known(gpu.memory_total),
        "memory_share": _known(gpu.memory_used / gpu.memory_total) if gpu.memory_total > 0 else None,
        "temperature": _known(gpu.temperature),
        "power": _known(gpu.power),
        "power_limit": _known(gpu.power_limit),
    }


def _known(value: float) -> float | None:
    return round(value, 4) if math.isfinite(value) else None
