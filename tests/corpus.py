"""Reads the corpus of real logs and sets what was found beside what is known of them: `python -m tests.corpus`."""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tui.decode.batch import Batch
from tui.decode.decoder import Decoder
from tui.roles import Role
from tui.store.run import Run

CHUNK_BYTES = 50_000

EXPLAINED = {
    "mxnet-01.log": (
        "batches are counted anew in each epoch, with no word on how many there are: steps go on through the epochs"
        " by what was seen of them (known: epoch times 10,000); 210 rows more are the epochs' own sums"
    ),
}
"""Files in which the log itself says otherwise than the simple script that measured it, and why."""

NO_SERIES = {"tqdm-only-01.out", "torchtitan-01.log"}
"""Logs that hold no series at all: progress bars of data preparation, and a crash before the first step."""

ROUNDED = {"baselines-table", "openai-table", "lerobot"}
"""Kinds of logs whose steps are printed to three digits: what is found must print alike."""


@dataclass(frozen=True, slots=True)
class Point:
    """A loss of one entry, with its step and its epoch where it has one."""

    step: float
    epoch: float | None
    value: float


@dataclass(frozen=True, slots=True)
class Found:
    """What was read from one file.

    `points` are those of the field that is known as the loss, `first_losses` the first loss of each entry, whatever its
    name: a script that looks for the word finds those.
    """

    file: str
    format: str
    run: Run
    field: str | None
    points: list[Point]
    first_losses: list[Point]
    error: str | None


def read(path: Path, known: dict[str, Any], chunk_bytes: int = CHUNK_BYTES) -> Found:
    """Read one log through the decoder and the store."""
    decoder, run = Decoder(), Run()
    entries: list[tuple[float, dict[str, float]]] = []
    data = path.read_bytes()
    pieces = (data[at : at + chunk_bytes] for at in range(0, len(data), chunk_bytes))
    for batch in (*map(decoder.feed, pieces), decoder.finish()):
        steps = run.add(batch).steps
        entries += [(float(steps[at]), entry) for at, entry in enumerate(_entries(batch))]
    field = _choose(run, known)
    points = [_point(step, entry, field) for step, entry in entries if field in entry]
    losses = [(step, entry, next(_losses(run, entry), None)) for step, entry in entries]
    first = [_point(step, entry, name) for step, entry, name in losses if name is not None]
    return Found(path.name, decoder.format_name, run, field, points, first, decoder.error)


def _entries(batch: Batch) -> list[dict[str, float]]:
    entries: list[dict[str, float]] = [{}] * batch.entries
    for rows in batch.rows:
        for at, values in zip(rows.at, rows.values.tolist(), strict=True):
            entries[at] = dict(zip(rows.fields, values, strict=True))
    return entries


def _point(step: float, entry: dict[str, float], name: str | None) -> Point:
    return Point(step, entry.get("epoch"), entry[name or ""])


def _losses(run: Run, names: Iterable[str]) -> Iterator[str]:
    return (name for name in names if run.role(name) is Role.LOSS)


def _choose(run: Run, known: dict[str, Any]) -> str | None:
    """The field that is the loss: by its known name, else the first loss that most entries have."""
    told = re.search(r"loss=(?:value after )?([^\s,;(]+)", known["fields"])
    for name in (known.get("loss_field"), told and told[1].removesuffix(".mean").removeprefix("data.")):
        for field in run.fields:
            if name and field.removeprefix("data/") == name:
                return field
    losses = list(_losses(run, run.fields))
    counts = {name: len(run.stream_of(name).series[name]) for name in losses}
    most = max(counts.values(), default=0)
    return next((name for name in losses if counts[name] >= 0.9 * most), None)


def judge(found: Found, known: dict[str, Any]) -> list[str]:
    """What differs from what is known, in words; nothing where all is right."""
    if known.get("entries_with_loss") is None:
        return (
            [] if bool(found.run.entries) != (found.file in NO_SERIES) else [f"{found.run.entries} entries"]
        )
    return min((_compare(points, known) for points in (found.points, found.first_losses)), key=len)


def _compare(points: list[Point], known: dict[str, Any]) -> list[str]:
    redraws = known["repeated_steps"] if "tqdm" in known["kind"] else 0
    wrong = []
    if len(points) not in (known["entries_with_loss"], known["entries_with_loss"] - redraws):
        wrong.append(f"{len(points)} entries")
    for word, point, (step, value) in zip(
        ("first", "last"),
        points[:1] + points[-1:],
        (known["first_step_loss"], known["last_step_loss"]),
        strict=False,
    ):
        if known["step_field"] is not None and step is not None and not _is_at(point, step, known["kind"]):
            wrong.append(f"{word} step {point.step:g}")
        if not _is_close(point.value, value):
            wrong.append(f"{word} loss {point.value:g}")
    return wrong


def _is_at(point: Point, step: float, kind: str) -> bool:
    if kind in ROUNDED:
        return f"{point.step:.2e}" == f"{step:.2e}"
    return _is_close(point.step, step) or (point.epoch is not None and _is_close(point.epoch, step))


def _is_close(one: float, other: float | str) -> bool:
    other = float(other)
    return (math.isnan(one) and math.isnan(other)) or math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-9)


def load_truth(folder: Path) -> list[dict[str, Any]]:
    """What is known of each file."""
    return list(json.loads((folder / "truth.json").read_text()))


def main() -> int:
    """Print the table; 0 where nothing is wrong but what is explained."""
    folder = Path(os.environ.get("MILEPOST_CORPUS", ""))
    if not (folder / "truth.json").is_file():
        print("MILEPOST_CORPUS names no folder with a truth.json", file=sys.stderr)
        return 3
    unexplained = right = 0
    truth = load_truth(folder)
    for known in truth:
        found = read(folder / known["file"], known)
        wrong = judge(found, known)
        why = EXPLAINED.get(found.file, "") if wrong else ""
        right += not wrong
        unexplained += bool(wrong and not why)
        print(_describe(found, known, wrong, why))
    print(
        f"\n{right} of {len(truth)} as known, {len(truth) - right - unexplained} explained, {unexplained} wrong"
    )
    return 1 if unexplained else 0


def _describe(found: Found, known: dict[str, Any], wrong: list[str], why: str) -> str:
    mark = "ok" if not wrong else "why" if why else "NO"
    run, points = found.run, found.points
    counts = f"{len(points):,} of {known.get('entries_with_loss') or '-'}"
    ends = " .. ".join(f"{point.step:g}: {point.value:.5g}" for point in points[:1] + points[-1:]) or "-"
    text = (
        f"{mark:<4}{found.file:<32}{found.format:<17}{run.entries:>6} {counts:<15}{found.field or '-':<17.17}{ends:<39}"
        f"{run.noise:>6} noise{run.malformed:>4} malformed"
    )
    if wrong:
        text += f"\n      {'; '.join(wrong)}; known: {known.get('first_step_loss')} .. {known.get('last_step_loss')}"
    if found.error:
        text += f"\n      ends in {found.error[:120]}"
    return text + (f"\n      {why}" if why else "")


if __name__ == "__main__":
    sys.exit(main())
