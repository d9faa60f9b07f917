"""The logs of several ranks on a real host are watched as one run."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.ranklogs import rank_log
from tests.real.fixtures import Sshd

pytestmark = pytest.mark.real

RANKS, PAST, NOW = 4, 600, 900
PATIENCE_S = 30.0


@asynccontextmanager
async def watching(address: str, environment: dict[str, str]) -> AsyncIterator[asyncio.StreamReader]:
    """The events of `milepost watch --ranks`, line by line."""
    words = ("-m", "tui", "watch", "--ranks", "--headless", "--json-events", "-", address)
    process = await asyncio.create_subprocess_exec(
        sys.executable, *words, stdout=asyncio.subprocess.PIPE, env=environment
    )
    assert process.stdout is not None
    try:
        yield process.stdout
    finally:
        process.terminate()
        assert await process.wait() == 0


async def events_until(stream: asyncio.StreamReader, step: float) -> list[dict[str, Any]]:
    """All events up to the entry of a step."""
    found: list[dict[str, Any]] = []
    async with asyncio.timeout(PATIENCE_S):
        while not (found and found[-1]["event"] == "entry" and found[-1]["step"] == step):
            found.append(json.loads(await stream.readline()))
    return found


async def test_ranks_on_a_host_are_one_run_that_goes_on_and_the_slow_one_is_named(
    sshd: Sshd, tmp_path: Path
) -> None:
    logs = [rank_log(rank, NOW, restart=False).splitlines(keepends=True) for rank in range(RANKS)]
    files = [tmp_path / f"rank{rank}.jsonl" for rank in range(RANKS)]
    pasts = [next(at for at, line in enumerate(log) if json.loads(line)["step"] > PAST) for log in logs]
    for file, log, past in zip(files, logs, pasts, strict=True):
        file.write_text("".join(log[:past]))
    async with watching(f"{sshd.address}{tmp_path}/rank*.jsonl", sshd.environment) as stream:
        found = await events_until(stream, PAST - 1)
        for file, log, past in zip(files, logs, pasts, strict=True):
            with file.open("a") as handle:
                handle.write("".join(log[past:]))
        found += await events_until(stream, NOW - 1)
    steps = [each["step"] for each in found if each["event"] == "entry" and "loss" in each["values"]]
    assert steps == [*range(1, NOW)]  # the last one waits for what a rank may still have to say of it
    told = [each for each in found if each["event"] == "alert"]
    assert [each["kind"] for each in told] == ["straggler"]
    assert "rank 3" in told[0]["message"]
