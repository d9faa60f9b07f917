"""How long after an entry is appended on the host it is painted in the terminal: `python -m tests.bench painted`.

The true program runs on a pty of its own; an entry counts as painted when its step is in what was written there.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tests.bench import peers
from tests.bench.row import Row
from tests.bench.terminal import Terminal, running
from tests.real.fixtures import running_sshd
from tests.recorded import scenario_log

LOG = "train_log.jsonl"
ENTRIES = 2_000
APPENDS = 60
SETTLING = 3
"""The first entries are not counted: they find the program still at its start."""

PAUSE_S = 0.4
"""Seconds between two entries, so that each is painted for itself."""

START_S, LATE_S = 60.0, 10.0
P50_LIMIT_MS, P99_LIMIT_MS = 60.0, 150.0


def delays_ms(terminal: Terminal, log: Path, ready: str, style: str, appends: int) -> list[float]:
    """From each append to its step on the screen, in milliseconds, rising; the step is written in that style."""
    found = []
    terminal.await_text(ready.encode(), START_S)
    with log.open("a") as file:
        for number in range(SETTLING + appends):
            time.sleep(PAUSE_S * (0.8 + number % 5 * 0.1))
            step = 1_000_000 + 1_111 * number
            began_s = time.monotonic()
            file.write(f'{{"step": {step}, "loss": 1.25, "accuracy": 0.14, "grad_norm": 0.5}}\n')
            file.flush()
            found.append((terminal.await_text(format(step, style).encode(), LATE_S) - began_s) * 1e3)
    return sorted(found[SETTLING:])


def measure(appends: int = APPENDS) -> Iterable[Row]:
    """Locally, and over an OpenSSH server on loopback; beside each a bare `tail -F` by the same way."""
    with tempfile.TemporaryDirectory() as name:
        log = Path(name) / LOG
        yield _compare("local", log, str(log), ("tail", "-F", str(log)), os.environ, appends)
    with tempfile.TemporaryDirectory() as name, running_sshd(Path(name), Path(name)) as sshd:
        log, alias = Path(name) / LOG, ("ssh", "-F", str(sshd.home / ".ssh/config"), "milepost-test")
        tail = (*alias, "tail", "-F", str(log))
        yield _compare("SSH on loopback", log, f"{sshd.address}{log}", tail, sshd.environment, appends)


def _compare(
    way: str, log: Path, address: str, tail: Sequence[str], environment: Mapping[str, str], appends: int
) -> Row:
    found = []
    for command, ready, style in ((tail, '"step"', "d"), (peers.milepost(address), "healthy", ",d")):
        log.write_text(scenario_log("healthy", ENTRIES))
        with running(command, {**environment, "XDG_STATE_HOME": str(log.parent)}) as terminal:
            found.append(delays_ms(terminal, log, ready, style, appends))
    (tail_p50, tail_p99), (p50, p99) = ((each[len(each) // 2], each[int(len(each) * 0.99)]) for each in found)
    return Row(
        f"appended to painted, {way}",
        f"p50 {p50:.0f} ms, p99 {p99:.0f} ms of {appends}",
        f"p50 ≤ {P50_LIMIT_MS:g}, p99 ≤ {P99_LIMIT_MS:g} ms",
        f"tail -F there: {tail_p50:.0f} and {tail_p99:.0f} ms",
        p50 <= P50_LIMIT_MS and p99 <= P99_LIMIT_MS,
    )
