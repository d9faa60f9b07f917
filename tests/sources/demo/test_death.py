"""However a demo dies, none of its processes outlives it; and only the hardest death leaves its files."""

import asyncio
import os
import pty
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.processes import processes_that_say
from tests.waiting import eventually


@asynccontextmanager
async def demo_on_a_terminal(tmp_path: Path) -> AsyncIterator[Process]:
    """`milepost demo`, followed to the point where its client reads the log; its files lie in `tmp_path`."""
    screen, terminal = pty.openpty()
    environment = {**os.environ, "TMPDIR": str(tmp_path), "TERM": "xterm-256color"}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tui", "demo", stdin=terminal, stdout=terminal, stderr=terminal, env=environment
    )
    os.close(terminal)
    loop = asyncio.get_running_loop()
    loop.add_reader(screen, _drain, screen)
    try:
        await eventually(lambda: processes_that_say(f"{tmp_path}/milepost-demo-"))
        yield process
    finally:
        loop.remove_reader(screen)
        os.close(screen)
        if process.returncode is None:
            process.kill()
        await process.wait()


def _drain(screen: int) -> None:
    try:
        os.read(screen, 65536)
    except OSError:  # nobody is at the other side any more
        asyncio.get_running_loop().remove_reader(screen)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
async def test_a_demo_that_is_told_to_end_leaves_nothing(tmp_path: Path, number: signal.Signals) -> None:
    async with demo_on_a_terminal(tmp_path) as process:
        process.send_signal(number)
        await process.wait()
        await eventually(lambda: not processes_that_say(f"{tmp_path}/"))
    assert not list(tmp_path.iterdir())


async def test_a_demo_that_is_killed_leaves_no_process(tmp_path: Path) -> None:
    async with demo_on_a_terminal(tmp_path) as process:
        process.kill()
        await process.wait()
        await eventually(lambda: not processes_that_say(f"{tmp_path}/"))
