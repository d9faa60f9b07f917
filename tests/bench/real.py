"""Real logs that are healthy as far as anybody knows, from the folder that MILEPOST_CORPUS names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from tui.decode.batch import Column, Span

CORPUS = "MILEPOST_CORPUS"
"""The environment variable with the folder's path."""

_LLAMAFACTORY = (
    r'\{"current_steps": (?P<step>\d+), "total_steps": (?P<total>\d+), "loss": (?P<loss>[\d.]+).*?'
    r'"(?:lr|learning_rate)": (?P<lr>[-\d.e]+)'
)
_PATTERNS: Mapping[str, str] = {
    "llmc-01.log": r"s:(?P<step>\d+) trl:(?P<loss>\S+) lr:(?P<lr>\S+) norm:(?P<grad_norm>\S+)",
    "buildnanogpt-01.txt": r"(?P<step>\d+) train (?P<loss>\S+)",
    "moddednanogpt-01.txt": r"step:(?P<step>\d+)/\d+ train_loss:(?P<loss>\S+)",
    "paramgolf-01.log": r"step:(?P<step>\d+)/\d+ train_loss:(?P<loss>\S+)",
    "paramgolf-02.log": r"step:(?P<step>\d+)/\d+ train_loss:(?P<loss>\S+)",
    "nanochat-01.log": r"step (?P<step>\d+) .*? loss: (?P<loss>[\d.]+)",
    "minimind-01.log": r"Epoch:\[1/1\]\((?P<step>\d+)/\d+\), loss: (?P<loss>[\d.]+).* lr: (?P<lr>[\d.]+)",
    "llamafactory-01.jsonl": _LLAMAFACTORY,
    "llamafactory-02.jsonl": _LLAMAFACTORY,
}
"""How an entry reads in each file. Only for this benchmark: the product's decoders are not at stake here."""


def healthy_logs() -> Iterator[tuple[str, Span, float | None]]:
    """Each log that is there: file name, entries, planned steps; none where the variable is not set."""
    folder = os.environ.get(CORPUS)
    if not folder:
        return
    for name, pattern in _PATTERNS.items():
        path = Path(folder) / name
        if path.exists():
            yield name, *read_log(path, pattern)


def read_log(path: Path, pattern: str) -> tuple[Span, float | None]:
    """The entries of a log whose lines match a pattern with a group for each field and one for the step."""
    matches = [match for line in path.open(errors="replace") if (match := re.match(pattern, line))]
    rows = [{name: float(text) for name, text in match.groupdict().items()} for match in matches]
    steps = np.array([row.pop("step") for row in rows])
    totals = [row.pop("total", None) for row in rows]
    every = np.arange(len(rows))
    names = rows[0] if rows else {}
    span = Span(steps, {name: Column(every, np.array([row[name] for row in rows])) for name in names})
    return span, totals[-1] if totals else None
