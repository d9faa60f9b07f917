"""The whole scene of a demo: a container, a trainer that writes a log in it, and the SSH server in front."""

from __future__ import annotations

import asyncio
import shlex
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import islice
from pathlib import Path
from typing import TextIO

import asyncssh
from msgspec import Struct

from tui.sources.demo.container import CONTAINER_ID, LOG_PATH, build_container
from tui.sources.demo.server import serve
from tui.sources.demo.trainer import SCENARIOS, Scenario, simulate, write_line
from tui.sources.ssh import SshOptions

_TICK_S = 0.1
"""Seconds between two writes: a log that grows smoothly on the screen, at ten wake-ups a second."""


class Stage(Struct, frozen=True):
    """What a client needs: the address of the log, and what to log in with in place of the user's own files.

    `folder` holds all that the demo has written.
    """

    target: str
    ssh: SshOptions
    folder: Path


@asynccontextmanager
async def demo(scenario: str = "default", seed: int = 0) -> AsyncIterator[Stage]:
    """Run a simulated training run that can be watched over SSH, for as long as the context lasts.

    The log already holds the scenario's history when the context is entered. Neither process nor file is left
    at its end; where this process is killed, its temporary folder stays.

    Args:
        scenario: A key of `SCENARIOS`.
        seed: Any whole number; of the simulated run.

    Raises:
        KeyError: There is no such scenario.
    """
    plan, entries = SCENARIOS[scenario], simulate(scenario, seed=seed)
    with tempfile.TemporaryDirectory(prefix="milepost-demo-", dir=_plain_folder()) as name:
        folder = Path(name)
        container = build_container(folder)
        key = _write_key_pair(folder / "id_ed25519")
        with container.log.open("a", encoding="utf-8") as log:
            _write(log, entries, plan.history)
            trainer = asyncio.create_task(_train(log, entries, plan))
            try:
                async with serve(key, container.root, container.environment) as (port, host_key):
                    known_hosts = folder / "known_hosts"
                    known_hosts.write_text(f"[127.0.0.1]:{port} {host_key}\n", encoding="utf-8")
                    address = f"ssh://root@127.0.0.1:{port}/pct/{CONTAINER_ID}:{LOG_PATH}"
                    yield Stage(address, SshOptions((), (known_hosts,), (key,)), folder)
            finally:
                trainer.cancel()
                await asyncio.wait((trainer,))


def _plain_folder() -> str | None:
    """Where temporary files go, unless the path of that needs quotes, which the container's can't have."""
    usual = tempfile.gettempdir()
    return usual if shlex.quote(usual) == usual else "/tmp"  # noqa: S108 -- its own folder in there has mode 0700


def _write_key_pair(path: Path) -> Path:
    key = asyncssh.generate_private_key("ssh-ed25519")
    key.write_private_key(path)
    path.chmod(0o600)
    key.write_public_key(path.with_suffix(".pub"))
    return path


async def _train(log: TextIO, entries: Iterator[dict[str, float]], plan: Scenario) -> None:
    """Append entries as time passes: briskly while there is something to see, then one a second.

    The pace is kept by the clock and not by the number of waits, so that a busy machine sees the same minute.
    """
    clock = asyncio.get_running_loop().time
    started, written = clock(), 0
    while True:
        await asyncio.sleep(_TICK_S)
        due = entries_due(clock() - started, plan)
        _write(log, entries, due - written)
        written = due


def entries_due(elapsed_s: float, plan: Scenario) -> int:
    """How many entries of the live part have been logged after `elapsed_s` seconds."""
    brisk_s = plan.brisk / plan.entries_per_s
    return int(min(elapsed_s, brisk_s) * plan.entries_per_s + max(elapsed_s - brisk_s, 0))


def _write(log: TextIO, entries: Iterator[dict[str, float]], count: int) -> None:
    log.writelines(map(write_line, islice(entries, count)))
    log.flush()
