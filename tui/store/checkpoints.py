"""Which checkpoints a run has, from the names, sizes and times of the files in its folder."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tui.decode.batch import Floats
from tui.ordered import distinct, median
from tui.regex import Regex
from tui.roles import Role, is_evaluation
from tui.sources.checkpoints import Disk, Listing, Stored
from tui.store.milestones import Table

FEWEST = 3
"""Below so many checkpoints nothing is said of their rhythm."""

LATE = 2.0
"""A checkpoint is overdue after so many of the usual distances between two, in steps and in time."""

MEAN_ENTRIES = 50
"""Entries over which a metric is averaged around a checkpoint, as everywhere else."""

_ENDINGS = Regex(
    r"(\.(pt|pth|ckpt|safetensors|bin|pkl|npz|npy|h5|hdf5|keras|msgpack|tar|orbax|pdparams|pdopt|params|t7|gguf|index|data"
    r"|orbax-checkpoint(-tmp)?|distcp|zip|gz)|-\d{5}-of-\d{5})+$",
    re.IGNORECASE,
)
_STEPPED = Regex(
    r"(?:^|[^a-z])(?:(?:global_?)?steps?|iter(?:ation)?s?|it|checkpoint|ckpt|chkpt|model|updates?|batch|ba|save|state|weights?"
    r"|optim(?:izer)?|snapshot|network-snapshot|s)[-_=]?0*(\d+)(?![\d.])",
    re.IGNORECASE,
)
_EPOCH = Regex(r"(?:^|[^a-z])(?:epochs?|ep)[-_=]?0*(\d+)(?!\d)", re.IGNORECASE)
_HALF = Regex(r"^\.?te?mp[-_.]|[-_.](te?mp|part|partial|incomplete)$", re.IGNORECASE)  # not yet whole
_BARE = Regex(r"^0*(\d+)$")
_HINTS = Regex(
    r"ck?pt|checkpoint|model|weights|state|step|epoch|iter|snapshot|optim|save|last|latest|best|final", re.I
)
_THOUSANDS = Regex(r"(?:step|iter|kimg)[a-z_-]*0*(\d+)(k|m)(?![a-z])", re.IGNORECASE)


class Checkpoint(Struct, frozen=True):
    """What was saved at one moment, in one file or several: model and optimizer, or the shards of either.

    `step` is None where its name tells none (`last.ckpt`); then `epoch` may be known.
    """

    name: str
    step: float | None
    epoch: float | None
    size: int
    modified_s: float


class Shelf(Struct, frozen=True):
    """The checkpoints of a run as they were found, oldest first, and the disk that they are on.

    `seen_at_s` is the far clock, in UTC epoch seconds, when they were looked at.
    """

    folder: str
    checkpoints: tuple[Checkpoint, ...]
    seen_at_s: float
    disk: Disk | None = None

    @property
    def latest(self) -> Checkpoint | None:
        """The one that was written last."""
        return max(self.checkpoints, key=lambda each: each.modified_s, default=None)

    def near(self, step: float, within: float) -> Checkpoint | None:
        """The checkpoint nearest to a step, None where none is within so many steps."""
        known = [each for each in self.checkpoints if each.step is not None]
        nearest = min(known, key=lambda each: abs((each.step or 0.0) - step), default=None)
        return nearest if nearest and abs((nearest.step or 0.0) - step) <= within else None

    def rhythm(self) -> tuple[float | None, float | None]:
        """The usual distance between two checkpoints, in steps and in seconds; None where that can't be told."""
        known = [each for each in self.checkpoints if each.step is not None]
        steps = distinct([each.step or 0.0 for each in known])
        times = np.sort([each.modified_s for each in known])
        return _usual(steps), _usual(times)

    @property
    def usual_size(self) -> float | None:
        """What the last few take, in bytes, on the mean; None without any."""
        sizes = [each.size for each in self.checkpoints[-FEWEST:]]
        return sum(sizes) / len(sizes) if sizes else None

    def seconds_until_full(self) -> float | None:
        """How long the disk lasts if checkpoints go on being written as they were; None where none is known."""
        _, every_s = self.rhythm()
        size = self.usual_size
        if self.disk is None or not every_s or not size or not _is_growing(self.checkpoints):
            return None
        return self.disk.free / size * every_s


class Best(Struct, frozen=True):
    """The checkpoint around which a metric was best: its mean there, over the entries nearest to the checkpoint."""

    checkpoint: Checkpoint
    metric: str
    mean: float


def find_best(shelf: Shelf, metric: str, steps: Floats, values: Floats, sign: int) -> Best | None:
    """The checkpoint with the best mean of a metric around it; None where none was logged near to any.

    The mean is over at most `MEAN_ENTRIES` finite entries, those that are nearest to the checkpoint's step and no
    farther from it than half the usual distance between two: of a noisy metric many, of an evaluation the one.

    Args:
        shelf: The checkpoints.
        metric: Its name.
        steps: Where it was logged (n,), rising.
        values: What it was there (n,).
        sign: 1 where higher is better, -1 where lower is.
    """
    is_finite = np.isfinite(values)
    steps, values = steps[is_finite], values[is_finite]
    reach = (shelf.rhythm()[0] or math.inf) / 2
    found = [
        Best(each, metric, mean)
        for each in shelf.checkpoints
        if each.step is not None and (mean := _mean_near(steps, values, each.step, reach)) is not None
    ]
    return max(found, key=lambda best: (sign * best.mean, best.checkpoint.step or 0.0), default=None)


def _mean_near(steps: Floats, values: Floats, step: float, reach: float) -> float | None:
    if not len(steps) or not steps[0] - reach <= step <= steps[-1] + reach:
        return None
    at = int(np.searchsorted(steps, step))
    around = slice(max(at - MEAN_ENTRIES, 0), at + MEAN_ENTRIES)
    distances = np.abs(steps[around] - step)
    nearest = np.argsort(distances, kind="stable")[:MEAN_ENTRIES]
    nearest = nearest[distances[nearest] <= reach]
    return float(values[around][nearest].mean()) if len(nearest) else None


def choose_metric(roles: Mapping[str, Role]) -> str | None:
    """The metric by which checkpoints are told apart: a quality, else a loss; of each rather one on held-out data."""
    for role in (Role.QUALITY, Role.LOSS):
        names = [name for name, own in roles.items() if own is role]
        if names:
            return next((name for name in names if is_evaluation(name)), names[0])
    return None


def mark_rows(table: Table, shelf: Shelf | None, cadence: float | None) -> Table:
    """The milestone table, each row that has a checkpoint with its name; `cadence` is in steps between entries."""
    if shelf is None or not shelf.checkpoints:
        return table
    rows = []
    for row in table.rows:
        within = max(abs((row.step or 0.0) - row.milestone), cadence or 0.0)
        near = shelf.near(row.milestone, within) if row.is_reached else None
        rows.append(replace(row, checkpoint=near.name) if near else row)
    return replace(table, rows=tuple(rows))


def choose_shelf(listings: Sequence[Listing], *, is_given: bool) -> Shelf | None:
    """The folder that holds a run's checkpoints; None where none does.

    Args:
        listings: The folders that come into question, that of the log first.
        is_given: Whether it was named, so that it counts also while it is empty.
    """
    shelves = [
        Shelf(each.folder, find_checkpoints(each.stored), each.seen_at_s, each.disk) for each in listings
    ]
    fullest = max(shelves, key=lambda shelf: len(shelf.checkpoints), default=None)
    return fullest if fullest and (is_given or fullest.checkpoints) else None


def find_checkpoints(stored: Iterable[Stored]) -> tuple[Checkpoint, ...]:
    """The checkpoints among the entries of a folder, oldest first: what belongs to one step is one checkpoint.

    Entries whose names have nothing of a checkpoint are left out.
    """
    groups: dict[tuple[float | None, float | None, str], list[Stored]] = {}
    for entry in stored:
        place = read_name(entry.name, is_folder=entry.is_folder)
        if place is None:
            continue
        step, epoch = place
        key = (step, epoch, "" if step is not None or epoch is not None else entry.name)
        groups.setdefault(key, []).append(entry)
    found = [
        Checkpoint(
            name=min((entry.name for entry in entries), key=lambda name: (len(name), name)),
            step=step,
            epoch=epoch,
            size=sum(entry.size for entry in entries),
            modified_s=max(entry.modified_s for entry in entries),
        )
        for (step, epoch, _), entries in groups.items()
    ]
    return tuple(sorted(found, key=lambda each: (each.modified_s, each.step or 0.0, each.name)))


def read_name(name: str, *, is_folder: bool = False) -> tuple[float | None, float | None] | None:
    """The step and the epoch that a checkpoint's name tells; None where it is no checkpoint's.

    >>> read_name("checkpoint-16000", is_folder=True), read_name("epoch=3-step=1200.ckpt")
    ((16000.0, None), (1200.0, 3.0))
    >>> read_name("last.ckpt"), read_name("train_log.jsonl")
    ((None, None), None)
    """
    if _HALF.search(name):
        return None
    stem = _ENDINGS.sub("", name)
    has_ending = stem != name
    if not has_ending and not is_folder:
        return None
    if thousands := _THOUSANDS.search(stem):
        factor = 1e3 if thousands[2].lower() == "k" else 1e6
        return float(thousands[1]) * factor, None
    epoch = _EPOCH.search(stem)
    stepped = list(_STEPPED.finditer(_EPOCH.sub(" ", stem)))
    bare = _BARE.match(stem)
    if stepped or bare:
        digits = stepped[-1][1] if stepped else bare[1] if bare else "0"
        return float(digits), float(epoch[1]) if epoch else None
    if epoch:
        return None, float(epoch[1])
    return (None, None) if _HINTS.search(stem) and has_ending else None


def overdue_by(shelf: Shelf, step: float | None) -> float | None:
    """How many usual distances ago the last checkpoint was, where that is too long ago; None while it is in time.

    Both clocks must agree that it is late, steps and time, so that neither a slow stretch nor a pause is blamed.

    Args:
        shelf: The checkpoints.
        step: The run's present step.
    """
    every_steps, every_s = shelf.rhythm()
    latest = shelf.latest
    if latest is None or not every_s or (late_s := (shelf.seen_at_s - latest.modified_s) / every_s) <= LATE:
        return None
    if step is not None and latest.step is not None and every_steps:
        late_steps = (step - latest.step) / every_steps
        return min(late_s, late_steps) if late_steps > LATE else None
    return late_s


def _usual(places: Sequence[float] | np.ndarray) -> float | None:
    if len(places) < FEWEST:
        return None
    distance = median(np.diff(places))
    return distance if math.isfinite(distance) and distance > 0 else None


def _is_growing(checkpoints: Sequence[Checkpoint]) -> bool:
    """Whether old ones are kept: with a limit on their number, new ones take no more room."""
    stepped = [each.step for each in checkpoints if each.step is not None]
    if len(stepped) < FEWEST + 1:
        return False
    distances = np.diff(np.sort(stepped))
    return bool(np.min(stepped) <= 2 * median(distances))
