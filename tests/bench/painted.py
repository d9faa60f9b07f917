"""How long after an entry is appended on the host it is painted in the terminal: `python -m tests.bench painted`.

The true program runs on a pty of its own; an entry counts as painted when its step is in what was written there.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.bench.row import Row
from tests.real.fixtures import running_sshd
from tests.recorded import scenario_log

LOG = "train_log.jsonl"
ENTRIES = 2_000
APPENDS = 60
SETTLING = 3
"""The first entries are not counted: they find the program still at its start."""

PAUSE_S = 0.5
"""Seconds between two entries, so that each is painted for itself."""

SIZE = (120, 40)
START_S, LATE_S = 60.0, 10.0
P50_LIMIT_MS, P99_LIMIT_MS = 60.0, 150.0

_SEQUENCE = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]")


class Screen:
    """What a program has written to its terminal since somebody last looked."""

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self._seen = b""

    def await_text(self, text: bytes, limit_s: float) -> float:
        """Read until this text has been written; the time at which it was there.

        Raises:
            TimeoutError: It has not been written within `limit_s` seconds.
        """
        end_s = time.monotonic() + limit_s
        while (left_s := end_s - time.monotonic()) > 0:
            if select.select([self._terminal], [], [], left_s)[0]:
                self._seen += os.read(self._terminal, 1 << 16)
                if text in _SEQUENCE.sub(b"", self._seen):
                    self._seen = b""
                    return time.monotonic()
        raise TimeoutError(f"{text!r} is not on the screen after {limit_s:g} s")


@contextmanager
def running(command: Sequence[str], environment: Mapping[str, str]) -> Iterator[Screen]:
    """A command on a pty, ended as a closed window ends it."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe(command[0], list(command), dict(environment))
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
    try:
        yield Screen(terminal)
    finally:
        os.kill(pid, signal.SIGTERM)
        os.close(terminal)
        os.waitpid(pid, 0)


def delays_ms(screen: Screen, log: Path, ready: str, style: str, appends: int) -> list[float]:
    """From each append to its step on the screen, in milliseconds, rising; the step is written in that style."""
    found = []
    screen.await_text(ready.encode(), START_S)
    with log.open("a") as file:
        for number in range(SETTLING + appends):
            time.sleep(PAUSE_S * (0.8 + number % 5 * 0.1))
            step = 1_000_000 + 1_111 * number
            began_s = time.monotonic()
            file.write(f'{{"step": {step}, "loss": 1.25, "accuracy": 0.14, "grad_norm": 0.5}}\n')
            file.flush()
            found.append((screen.await_text(format(step, style).encode(), LATE_S) - began_s) * 1e3)
    return sorted(found[SETTLING:])


def measure(appends: int = APPENDS) -> Iterable[Row]:
    """Locally, and over an OpenSSH server on loopback; beside each a bare `tail -F` by the same way."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield from _compare(
            "local", folder, str(folder / LOG), ("tail", "-F", str(folder / LOG)), os.environ, appends
        )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            with running_sshd(folder, folder) as sshd:
                ssh = (
                    "ssh",
                    "-F",
                    str(sshd.home / ".ssh/config"),
                    "milepost-test",
                    "tail",
                    "-F",
                    str(folder / LOG),
                )
                address = f"{sshd.address}{folder / LOG}"
                yield from _compare("SSH on loopback", folder, address, ssh, sshd.environment, appends)
        except pytest.skip.Exception as skipped:
            yield Row("appended to painted, SSH on loopback", f"not measured: {skipped}")


def _compare(
    way: str, folder: Path, address: str, tail: Sequence[str], environment: Mapping[str, str], appends: int
) -> Iterable[Row]:
    log = folder / LOG
    terminal = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "XDG_STATE_HOME": str(folder)}
    ours = (sys.executable, "-m", "tui", "watch", "--fresh", address)
    found = []
    for command, ready, style in ((tail, '"step"', "d"), (ours, "healthy", ",d")):
        log.write_text(scenario_log("healthy", ENTRIES))
        with running(command, {**environment, **terminal}) as screen:
            found.append(delays_ms(screen, log, ready, style, appends))
    (tail_p50, tail_p99), (p50, p99) = ((each[len(each) // 2], each[int(len(each) * 0.99)]) for each in found)
    yield Row(
        f"appended to painted, {way}",
        f"p50 {p50:.0f} ms, p99 {p99:.0f} ms of {appends}",
        f"p50 ≤ {P50_LIMIT_MS:g}, p99 ≤ {P99_LIMIT_MS:g} ms",
        f"tail -F there: {tail_p50:.0f} and {tail_p99:.0f} ms",
        p50 <= P50_LIMIT_MS and p99 <= P99_LIMIT_MS,
    )
