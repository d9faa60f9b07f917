"""However a demo dies, none of its processes outlives it; and only the hardest death leaves its files."""

import asyncio
import fcntl
import os
import pty
import signal
import sys
import termios
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.processes import processes_that_say
from tests.waiting import eventually

STANDSTILL_S = 2.0
"""How old the log is where the demo's event loop stands still; it writes an entry each second at least."""

PATIENCE_S = 60.0
"""How long the terminal may take to be full of what nobody reads."""


@dataclass(slots=True)
class Terminal:
    """What a demo runs on; the demo's only terminal, as in a window of one's own."""

    screen: int
    process: Process

    def stop_reading(self) -> None:
        """Let it fill up, as one that hangs."""
        asyncio.get_running_loop().remove_reader(self.screen)

    def close(self) -> None:
        """Take it away, as when the window is closed."""
        self.stop_reading()
        with suppress(OSError):  # closed already
            os.close(self.screen)


@asynccontextmanager
async def demo_on_a_terminal(tmp_path: Path) -> AsyncIterator[Terminal]:
    """`milepost demo`, followed to the point where its client reads the log; its files lie in `tmp_path`."""
    screen, side = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tui", "demo",
        stdin=side, stdout=side, stderr=side,
        env={**os.environ, "TMPDIR": str(tmp_path), "TERM": "xterm-256color"},
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )  # fmt: skip
    os.close(side)
    terminal = Terminal(screen, process)
    asyncio.get_running_loop().add_reader(screen, _drain, screen)
    try:
        await eventually(lambda: processes_that_say(f"{tmp_path}/milepost-demo-"))
        yield terminal
    finally:
        terminal.close()
        if process.returncode is None:
            process.kill()
        await process.wait()


def _drain(screen: int) -> None:
    try:
        os.read(screen, 65536)
    except OSError:  # nobody is at the other side any more
        asyncio.get_running_loop().remove_reader(screen)


def _stands_still(folder: Path) -> bool:
    (log,) = folder.glob("milepost-demo-*/**/*.jsonl")
    return time.time() - log.stat().st_mtime > STANDSTILL_S


async def assert_leaves_nothing(process: Process, folder: Path) -> None:
    await asyncio.wait_for(process.wait(), PATIENCE_S)
    await eventually(lambda: not processes_that_say(f"{folder}/"))
    assert not list(folder.iterdir())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
async def test_a_demo_that_is_told_to_end_leaves_nothing(tmp_path: Path, number: signal.Signals) -> None:
    async with demo_on_a_terminal(tmp_path) as terminal:
        terminal.process.send_signal(number)
        await assert_leaves_nothing(terminal.process, tmp_path)


async def test_a_demo_whose_terminal_is_closed_leaves_nothing(tmp_path: Path) -> None:
    async with demo_on_a_terminal(tmp_path) as terminal:
        terminal.close()
        await assert_leaves_nothing(terminal.process, tmp_path)


async def test_a_demo_on_a_terminal_that_hangs_leaves_nothing(tmp_path: Path) -> None:
    """Its event loop stands still, and could not end anything."""
    async with demo_on_a_terminal(tmp_path) as terminal:
        terminal.stop_reading()
        await eventually(lambda: _stands_still(tmp_path), PATIENCE_S)
        terminal.process.send_signal(signal.SIGHUP)
        await assert_leaves_nothing(terminal.process, tmp_path)


async def test_a_demo_that_is_killed_leaves_no_process(tmp_path: Path) -> None:
    async with demo_on_a_terminal(tmp_path) as terminal:
        terminal.process.kill()
        await terminal.process.wait()
        await eventually(lambda: not processes_that_say(f"{tmp_path}/"))
