"""Many runs on many hosts from one screen: all are there, a host that is dead or dies is no matter to the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.onscreen import reads
from tests.real.harbour import harbour
from tui.sources.ssh import CONNECTIONS

pytestmark = pytest.mark.real

RUNS, ALIASES = 40, 10


async def test_forty_runs_behind_ten_aliases_one_dead_and_one_dying(tmp_path: Path, commands: Path) -> None:
    with harbour(tmp_path, commands, RUNS, ALIASES) as port:
        app = port.make_app()
        async with app.run_test(size=(120, 40)) as pilot:
            await port.all_read()
            well, dead = RUNS - RUNS // ALIASES, RUNS // ALIASES
            await reads(pilot, f"{RUNS} runs", f"? {dead} ✓ {well}")
            assert len(port.server.sessions()) <= CONNECTIONS * (ALIASES - 2)

            for run in port.runs:
                run.log(7)
            await port.all_exact([*port.reachable, *port.of("dying")])
            await port.sink()
            for run in port.runs:
                run.log(5)
            await port.all_exact(port.reachable)
            assert not any(run.is_exact for run in port.of("dying"))
            await pilot.press("slash", *"dying", "enter")
            await reads(pilot, "↻ retrying")

            await port.raise_again()
            await port.all_exact([*port.reachable, *port.of("dying")])
            assert {run.feed.run.entries for run in port.of("dead")} == {0}
