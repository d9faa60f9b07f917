"""Makes batches out of plain dicts, and runs out of batches, as tests want them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from tui.decode.jsonl import JsonLines
from tui.store.run import Run, StreamPiece

Entry = Mapping[str, float]


def make_run(entries: Iterable[Entry], cuts: Sequence[int] = (), run: Run | None = None) -> Run:
    """A run that has taken in these entries, in batches that end before the indices in `cuts`."""
    run = Run() if run is None else run
    feed(run, list(entries), cuts)
    return run


def feed(run: Run, entries: Sequence[Entry], cuts: Sequence[int] = ()) -> list[StreamPiece]:
    decoder = JsonLines()
    edges = sorted({min(max(cut, 0), len(entries)) for cut in cuts} | {0, len(entries)})
    pieces: list[StreamPiece] = []
    for start, stop in pairwise(edges):
        lines = [json.dumps(entry).encode() for entry in entries[start:stop]]
        pieces += run.add(decoder.decode(lines)).pieces
    return pieces


def steps(*numbers: float, **fields: float) -> list[dict[str, float]]:
    """Entries at these steps, with a loss that is the step, and more fields where given."""
    return [{"step": number, "loss": number, **fields} for number in numbers]
