"""What the screen costs while nobody touches it: the process's user and system CPU, by size and by rate of entries.

    python -m tests.bench.screen [SECONDS]

The true program runs on a terminal of its own (a pty), on a local log that grows; reading and judging are part of it.
"""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import sys
import tempfile
import termios
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from tests.recorded import scenario_log

SPAN_S = 30.0
"""Seconds that each case is looked at."""

SETTLE_S = 8.0
"""Seconds that the program has to start and to read what is there."""

ENTRIES = 20_000
"""Entries that the log has at first."""

CASES = ((0, (120, 40)), (1, (120, 40)), (1, (40, 20)), (50, (120, 40)))
"""Entries a second, and the size of the terminal."""

_TICKS_S = os.sysconf("SC_CLK_TCK")


@contextmanager
def watched(log: Path, size: tuple[int, int]) -> Iterator[int]:
    """The program on this log; its process id."""
    pid, terminal = pty.fork()
    if pid == 0:
        environ = os.environ | {
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "XDG_STATE_HOME": f"{log.parent}",
        }
        os.execve(sys.executable, [sys.executable, "-m", "tui", "watch", str(log)], environ)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
    threading.Thread(target=_empty, args=(terminal,), daemon=True).start()
    try:
        yield pid
    finally:
        os.write(terminal, b"q")
        os.waitpid(pid, 0)
        os.close(terminal)


def _empty(terminal: int) -> None:
    """Read what the program writes, as a terminal does."""
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        return


def cpu_s(pid: int) -> float:
    """The user and system CPU seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_S


def measure(rate: int, size: tuple[int, int], span_s: float) -> float:
    """Percent of one processor while so many entries a second come."""
    lines = scenario_log("healthy", ENTRIES + int(rate * (SETTLE_S + span_s)) + 1).splitlines(keepends=True)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "train_log.jsonl"
        log.write_text("".join(lines[:ENTRIES]))
        with watched(log, size) as pid, log.open("a") as growing:
            coming = iter(lines[ENTRIES:])
            _grow(growing, coming, rate, SETTLE_S)
            started, before_s = time.monotonic(), cpu_s(pid)
            _grow(growing, coming, rate, span_s)
            return 100 * (cpu_s(pid) - before_s) / (time.monotonic() - started)


def _grow(growing: TextIO, coming: Iterator[str], rate: int, span_s: float) -> None:
    """Write entries at an even pace."""
    end_s = time.monotonic() + span_s
    while (now_s := time.monotonic()) < end_s:
        if rate:
            growing.write(next(coming))
            growing.flush()
        time.sleep(min(1 / rate if rate else span_s, end_s - now_s))


def main() -> None:
    """Print a row a case."""
    span_s = float(sys.argv[1]) if len(sys.argv) > 1 else SPAN_S
    print("entries a second    size   CPU")
    for rate, size in CASES:
        print(f"{rate:>16}  {size[0]:>4}x{size[1]}  {measure(rate, size, span_s):4.1f} %", flush=True)


if __name__ == "__main__":
    main()
