"""How soon many runs on many hosts are all on the screen, and whether every entry arrives.

    python -m tests.bench.hosts [RUNS] [ALIASES]

One OpenSSH server on loopback, with MaxSessions 10, stands behind all aliases but two: one is dead from the start, and
one has a server of its own that is killed in between and started again.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.onscreen import reads
from tests.real.harbour import PAST_ENTRIES, harbour

RUNS, ALIASES = 200, 50
ROUNDS = 10


async def measure(runs: int, aliases: int) -> None:
    """Follow them, and print how that went."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commands = folder / "commands"
        commands.mkdir()
        with harbour(folder, commands, runs, aliases) as port:
            began = time.monotonic()
            app = port.make_app()
            async with app.run_test(size=(120, 40)) as pilot:
                await port.all_read()
                await reads(pilot, f"{runs} runs", f"✓ {runs - len(port.of('dead'))}")
                told = f"{time.monotonic() - began:.1f} s for {runs} runs of {PAST_ENTRIES} entries"
                print(f"all on the screen  {told}, {len(port.server.sessions())} connections", flush=True)
                cpu, began = time.process_time(), time.monotonic()
                for turn in range(ROUNDS):
                    for run in port.runs:
                        run.log(1)
                    if turn == ROUNDS // 2:
                        await port.sink()
                    await asyncio.sleep(1.0)
                share = (time.process_time() - cpu) / (time.monotonic() - began)
                await port.raise_again()
                alive = [run for run in port.runs if run.alias != "dead"]
                await port.all_exact(alive)
                entries = sum(run.feed.run.entries for run in alive)
                print(
                    f"exact              {entries:,} entries of {len(alive)} runs, after one host died and came back"
                )
                print(f"processor          {100 * share:.0f} % of a core at an entry a second of each")
                resident = (
                    int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6
                )
                print(f"memory             {resident:.0f} MB")


if __name__ == "__main__":
    asyncio.run(
        measure(*(int(text) for text in (sys.argv[1:] + [str(RUNS), str(ALIASES)][len(sys.argv) - 1 :])[:2]))
    )
