"""A watch without a screen is killed again and again; its events are those of one that never was."""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.real.fixtures import Container, Sshd
from tests.waiting import eventually
from tui.health.present import FIRST_NUMBER

pytestmark = pytest.mark.real

KILLS = 6

PATIENCE_S = 60.0
"""How long a watch may take to start and to read what is there, on a busy machine."""


@asynccontextmanager
async def writing(log: Path, chance: random.Random) -> AsyncIterator[list[int]]:
    """Something that writes entries, of which the first item of the list is the count; some are alarming."""
    written = [0]

    async def write() -> None:
        while True:
            with log.open("a") as file:
                for _ in range(chance.choice([1, 10, 100])):
                    written[0] += 1
                    loss = "NaN" if written[0] % 700 == 0 else "1.5"
                    file.write(f'{{"step": {written[0]}, "loss": {loss}}}\n')
            await asyncio.sleep(chance.uniform(0, 0.1))

    task = asyncio.create_task(write())
    try:
        yield written
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def start(sshd: Sshd, *words: str | Path) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tui", "watch", "--headless"),
        *map(str, words),
        env=sshd.environment | {"PYTHONPATH": str(Path.cwd())},
        stdout=asyncio.subprocess.DEVNULL,
    )


async def stop(process: asyncio.subprocess.Process) -> None:
    process.kill()
    await process.wait()


async def finish(process: asyncio.subprocess.Process) -> None:
    process.terminate()
    assert await process.wait() == 0


def told(file: Path) -> list[dict[str, Any]]:
    """The events that a log gives, without those of the link and of the present moment."""
    events = [
        json.loads(line) for line in file.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")
    ]
    return [event for event in events if event["event"] != "link" and event.get("number", 0) < FIRST_NUMBER]


def size(file: Path) -> int:
    """How many bytes of events there are."""
    return file.stat().st_size if file.exists() else 0


def has_told(file: Path, step: int) -> bool:
    """Whether the entry of a step is one of the last events; only those are read, for this is asked often."""
    with file.open("rb") as events:
        events.seek(max(0, size(file) - 2000))
        return f'"step": {step},'.encode() in events.read()


async def test_no_event_is_lost_or_told_twice_when_the_watch_is_killed_at_any_moment(
    sshd: Sshd, lxc: Container, tmp_path: Path
) -> None:
    chance = random.Random(11)
    log, out, whole = lxc.file("resumed.jsonl"), tmp_path / "events.jsonl", tmp_path / "whole.jsonl"
    address = f"{sshd.address}/{lxc.hop}:{lxc.path('resumed.jsonl')}"
    log.touch()
    words = (address, "--json-events", out, "--state", tmp_path / "state.json")
    async with writing(log, chance) as written:
        for _ in range(KILLS):
            before = size(out)
            process = await start(sshd, *words)
            try:
                await eventually(lambda before=before: size(out) > before + 20_000, PATIENCE_S)  # type: ignore[misc]
                await asyncio.sleep(chance.uniform(0, 0.3))  # at any moment, waiting for nothing
            finally:
                await stop(process)
    process = await start(sshd, *words)
    with log.open("a") as file:  # so that it has something to tell before it is ended
        written[0] += 1
        file.write(f'{{"step": {written[0]}, "loss": 1.5}}\n')
    try:
        await eventually(lambda: has_told(out, written[0]), PATIENCE_S)
    finally:
        await finish(process)
    process = await start(sshd, address, "--json-events", whole)
    try:
        await eventually(lambda: whole.exists() and has_told(whole, written[0]), PATIENCE_S)
    finally:
        await finish(process)
    assert [event["step"] for event in told(out) if event["event"] == "entry"] == list(
        range(1, written[0] + 1)
    )
    assert told(out) == told(whole)
