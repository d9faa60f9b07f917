"""How fast logs are decoded, in lines a second: `python -m tests.bench decode`."""

from __future__ import annotations

import io
import json
import math
import time
from collections.abc import Callable, Iterable

from tests.bench.row import Row
from tests.recorded import scenario_log
from tui.decode.decoder import Decoder
from tui.sources.base import CHUNK_BYTES


def measure(entries: int = 100_000, lines: int = 20_000) -> Iterable[Row]:
    """JSON lines beside a bare `json.loads` loop, and the text of a language-model trainer."""
    data = scenario_log("healthy", entries).encode()
    ours, bare = lines_per_s(decode, data), lines_per_s(load, data)
    yield Row("decode JSON lines", f"{ours:,.0f} a second of CPU", "", f"bare json.loads: {bare:,.0f}")
    yield Row("decode key=value text", f"{lines_per_s(decode, text_log(lines)):,.0f} lines a second of CPU")


def text_log(lines: int) -> bytes:
    """Key-value lines as a language-model trainer prints them."""
    out = io.StringIO()
    for step in range(lines):
        out.write(
            f"2026-01-01 10:00:{step % 60:02d},637 - root - INFO - step: {step}  loss: {9 - step / 9999:.5f}"
            f"  grad_norm: {1 + step % 7:.4f}  memory: 73.74GiB(97.42%)  tps: 6,483  mfu: 41.1%\n"
        )
    return out.getvalue().encode()


def lines_per_s(work: Callable[[bytes], object], data: bytes, rounds: int = 3) -> float:
    """Lines a second of CPU, the best of some rounds."""
    best_s = math.inf
    for _ in range(rounds):
        began_s = time.process_time()
        work(data)
        best_s = min(best_s, time.process_time() - began_s)
    return data.count(b"\n") / best_s


def decode(data: bytes) -> None:
    """Decode a log in chunks, as they come."""
    decoder = Decoder()
    for at in range(0, len(data), CHUNK_BYTES):
        decoder.feed(data[at : at + CHUNK_BYTES])


def load(data: bytes) -> None:
    """What Python's own parser does with the same lines."""
    for line in data.splitlines():
        json.loads(line)
