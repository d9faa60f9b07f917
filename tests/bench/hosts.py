"""How soon many runs on many hosts are all on the screen, and what following them costs: `python -m tests.bench hosts`.

One OpenSSH server on loopback, with MaxSessions 10, stands behind all aliases but two: one is dead from the start, and
one has a server of its own that is killed in between and started again. Every entry has to arrive, once.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from tests.bench.fleet import MEMORY_LIMIT_MB, SHARE_LIMIT
from tests.bench.process import resident_bytes
from tests.bench.row import Row, at_most
from tests.bench.terminal import SIZE
from tests.onscreen import reads
from tests.real.harbour import PAST_ENTRIES, Harbour, harbour

RUNS, ALIASES = 200, 50
ROUNDS = 10


def measure(runs: int = RUNS, aliases: int = ALIASES, rounds: int = ROUNDS) -> Iterable[Row]:
    """Follow them while one host dies and comes back."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commands = folder / "commands"
        commands.mkdir()
        with harbour(folder, commands, runs, aliases) as port:
            yield from asyncio.run(
                follow(port, f"{runs} runs behind {aliases} hosts, SSH on loopback", rounds)
            )


async def follow(port: Harbour, what: str, rounds: int) -> list[Row]:
    """The rows, once every entry is known to have arrived."""
    began_s = time.monotonic()
    async with port.make_app().run_test(size=SIZE) as pilot:
        await port.all_read()
        await reads(pilot, f"{len(port.runs)} runs", f"✓ {len(port.runs) - len(port.of('dead'))}")
        shown_s, connections = time.monotonic() - began_s, len(port.server.sessions())
        share = 100 * await _log(port, rounds)
        await port.raise_again()
        alive = [run for run in port.runs if run.alias != "dead"]
        await port.all_exact(alive)
        entries, held_mb = sum(run.feed.run.entries for run in alive), resident_bytes() / 1e6
    told = f"all {PAST_ENTRIES} entries of each after {shown_s:.1f} s over {connections} connections"
    return [
        Row(what, told),
        at_most("an entry a second of each", f"{share:.1f} % of a core", share, SHARE_LIMIT, "", " %"),
        at_most("memory of that", f"{held_mb:.0f} MB", held_mb, MEMORY_LIMIT_MB, "", " MB"),
        Row("arrived after one host died and came back", f"{entries:,} of {entries:,} entries"),
    ]


async def _log(port: Harbour, rounds: int) -> float:
    """An entry of each every second; the share of a core that takes. Halfway one host dies."""
    cpu_s, began_s = time.process_time(), time.monotonic()
    for turn in range(rounds):
        for run in port.runs:
            run.log(1)
        if turn == rounds // 2:
            await port.sink()
        await asyncio.sleep(1.0)
    return (time.process_time() - cpu_s) / (time.monotonic() - began_s)
