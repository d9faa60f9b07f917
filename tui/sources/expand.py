"""From a pattern to the logs that it matches, here or at the far end of the way."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from glob import glob
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from tui.sources.farshell import FarShell
from tui.sources.hops import through
from tui.sources.open import find_way
from tui.sources.pace import Pace
from tui.sources.scripts import read_script
from tui.sources.ssh import Connections
from tui.sources.trouble import Trouble, lost, no_file
from tui.target import Target

MOST = 500
"""The most logs that one pattern opens: more were a slip, such as a pattern that takes in every checkpoint."""


class Matches(Struct, frozen=True):
    """What a target stands for: itself, or the logs that its pattern matches, in the order of their paths.

    `count` is how many there are; `targets` holds the first `MOST`.
    """

    targets: tuple[Target, ...] = ()
    count: int = 0


class Lookout(Protocol):
    """A place from which a pattern can be looked for, again and again."""

    async def look(self) -> Matches:
        """What it matches now; nothing is no error.

        Raises:
            Trouble: The far end can't be asked any more.
        """
        ...

    def silent_s(self) -> float:
        """Seconds since the last sign of life while an answer is due; 0 when none is."""
        ...


async def expand(target: Target, connections: Connections, pace: Pace | None = None) -> Matches:
    """The logs of a target. An address without a pattern is its own match, and nothing is connected for it.

    A path that exists as written is that path, whatever characters it holds.

    Raises:
        Trouble: Nothing matches, or the far end can't be reached.
    """
    if not target.has_pattern:
        return Matches((target,), 1)
    pace = pace or Pace()
    try:
        async with reach(target, connections, pace, is_probe=True) as lookout:
            async with asyncio.timeout(pace.connect_s):
                matches = await lookout.look()
    except TimeoutError as error:
        raise lost(
            f"{target.place} does not tell within {pace.connect_s:.0f} s what {target.path} matches; try again"
        ) from error
    if not matches.count:
        raise no_match(target)
    return matches


def no_match(target: Target) -> Trouble:
    """That a pattern matches nothing (yet)."""
    return no_file(
        f"nothing matches {target.path} on {target.place}; check the pattern, or start the runs that write there"
    )


@asynccontextmanager
async def reach(
    target: Target, connections: Connections, pace: Pace, *, is_probe: bool = False
) -> AsyncIterator[Lookout]:
    """Go where a pattern is to be expanded; leaving the context ends everything that was started on the way.

    A probe is for one look: it may take the session that is kept free for such.

    Raises:
        Trouble: There is no way there.
    """
    if target.is_plain:
        yield LocalLookout(target)
        return
    nonce = secrets.token_hex(8)
    script = read_script("beat.sh", "glob.sh")
    words = ["sh", "-c", script, "milepost", nonce, target.path, f"{pace.patience_s:g}"]
    async with find_way(target, connections, pace, is_probe=is_probe).run(through(target, words)) as channel:
        lookout = FarLookout(channel, nonce, target, pace)
        await lookout.greet()
        yield lookout


class LocalLookout:
    """This machine; implements `Lookout`."""

    def __init__(self, target: Target) -> None:
        self._target = target

    async def look(self) -> Matches:
        """Look in a thread: a folder on a network may take its time."""
        found = await asyncio.to_thread(_match, self._target.path)
        return Matches(tuple(self._target.at(path) for path in found[:MOST]), len(found))

    def silent_s(self) -> float:
        """0: there is no link to lose."""
        return 0.0


class FarLookout(FarShell):
    """A shell at the far end that runs `glob.sh`; implements `Lookout`."""

    _matches = Matches()

    async def look(self) -> Matches:
        """Ask; an answer that is the last one's is not sent again."""
        self._wire.ask(f"look {MOST}")
        kind, *words = await self._answer()
        if kind == "matches":
            self._matches = await self._take(int(words[0]), int(words[1]))
        return self._matches

    async def _take(self, count: int, length: int) -> Matches:
        paths = [os.fsdecode(path) for path in (await self._data(length)).split(b"\0")[:-1]]
        return Matches(tuple(self._target.at(path) for path in paths), count)


def _match(path: str) -> list[str]:
    path = os.path.expanduser(path)  # noqa: PTH111 - a Path would drop the ./ that keeps it local
    return [path] if Path(path).exists() else sorted(glob(path))  # noqa: PTH207 - likewise
