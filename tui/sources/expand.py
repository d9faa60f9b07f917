"""From a pattern to the logs that it matches, here or at the far end of the way."""

from __future__ import annotations

import asyncio
import os
import secrets
from dataclasses import dataclass
from glob import glob
from pathlib import Path

from tui.sources.explain import explain_end
from tui.sources.hops import through
from tui.sources.open import find_way
from tui.sources.pace import Pace
from tui.sources.scripts import read_script
from tui.sources.ssh import Connections
from tui.sources.trouble import lost, no_file
from tui.sources.wire import Wire
from tui.target import Target

MOST = 500
"""The most logs that one pattern opens: more were a slip, such as a pattern that takes in every checkpoint."""


@dataclass(frozen=True, slots=True)
class Matches:
    """What a target stands for: itself, or the logs that its pattern matches, in the order of their paths.

    `count` is how many there are; `targets` holds the first `MOST`.
    """

    targets: tuple[Target, ...]
    count: int = 1


async def expand(target: Target, connections: Connections, pace: Pace | None = None) -> Matches:
    """The logs of a target. An address without a pattern is its own match, and nothing is connected for it.

    A path that exists as written is that path, whatever characters it holds.

    Raises:
        Trouble: Nothing matches, or the far end can't be reached.
    """
    if not target.has_pattern:
        return Matches((target,))
    paths, count = await (_match_here(target) if target.is_plain else _match_there(target, connections, pace))
    if not paths:
        raise no_file(
            f"nothing matches {target.path} on {target.place}; check the pattern, or start the runs that write there"
        )
    return Matches(tuple(target.at(path) for path in paths), count)


async def _match_here(target: Target) -> tuple[list[str], int]:
    path = os.path.expanduser(target.path)  # noqa: PTH111 - a Path would drop the ./ that keeps it local
    if Path(path).exists():
        return [path], 1
    found = sorted(await asyncio.to_thread(glob, path))
    return found[:MOST], len(found)


async def _match_there(target: Target, connections: Connections, pace: Pace | None) -> tuple[list[str], int]:
    pace = pace or Pace()
    nonce = secrets.token_hex(8)
    command = through(target, ["sh", "-c", read_script("glob.sh"), "milepost", nonce, target.path, str(MOST)])
    try:
        async with find_way(target, connections, pace).run(command) as channel:
            wire = Wire(channel, nonce)
            async with asyncio.timeout(pace.connect_s):
                answer = await wire.answer()
                data = await wire.data(int(answer[2])) if answer else None
            if answer is None or data is None:
                raise explain_end(target, *await channel.last_words(), was_up=wire.is_up)
    except TimeoutError as error:
        raise lost(
            f"{target.place} does not tell within {pace.connect_s:.0f} s what {target.path} matches; try again"
        ) from error
    return [os.fsdecode(path) for path in data.split(b"\0")[:-1]], int(answer[1])
