"""How fast logs are decoded, in lines a second: `python -m tests.bench.decode`."""

from __future__ import annotations

import io
import time
from collections.abc import Callable

from tui.decode.decoder import Decoder
from tui.sources.demo.trainer import simulate, write_line

CHUNK_BYTES = 64 * 1024


def drafter_log(entries: int = 100_000) -> bytes:
    """The JSON lines of a healthy simulated run."""
    return "".join(write_line(entry) for entry in simulate("healthy", entries=entries)).encode()


def text_log(lines: int = 20_000) -> bytes:
    """Key-value lines as a language-model trainer prints them."""
    out = io.StringIO()
    for step in range(lines):
        out.write(
            f"2026-01-01 10:00:{step % 60:02d},637 - root - INFO - step: {step}  loss: {9 - step / 9999:.5f}"
            f"  grad_norm: {1 + step % 7:.4f}  memory: 73.74GiB(97.42%)  tps: 6,483  mfu: 41.1%\n"
        )
    return out.getvalue().encode()


def measure(make: Callable[[], bytes], rounds: int = 3) -> float:
    """Lines a second, the best of some rounds."""
    data = make()
    count = data.count(b"\n")
    best = float("inf")
    for _ in range(rounds):
        decoder = Decoder()
        start = time.perf_counter()
        for at in range(0, len(data), CHUNK_BYTES):
            decoder.feed(data[at : at + CHUNK_BYTES])
        best = min(best, time.perf_counter() - start)
    return count / best


if __name__ == "__main__":
    print(f"JSON lines  {measure(drafter_log):>12,.0f} lines/s")
    print(f"text        {measure(text_log):>12,.0f} lines/s")
