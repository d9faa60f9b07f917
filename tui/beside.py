"""What lies beside a run's log: its checkpoints, and what the GPUs of its machine are doing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from msgspec.structs import replace

from tui.sources.checkpoints import list_checkpoints
from tui.sources.gpus import follow_gpus, read_gpus
from tui.sources.pace import Pace
from tui.sources.ssh import Connections
from tui.sources.trouble import Trouble
from tui.store.checkpoints import Shelf, choose_shelf
from tui.target import Target

LOOK_S = 60.0
"""Seconds between two looks at a run's checkpoints."""

SEARCH_S = 600.0
"""Seconds between two looks for checkpoints while there are none beside the log."""

GRACE_S = 0.8
"""How much longer than a single reading of the log a single look beside it may take, in seconds."""

CLOSE_S = 0.5
"""And how long what it has started may then take to end, before it is forced; that is seldom more than a moment."""

TakeLine = Callable[[str | None], None]
"""Takes a line of the GPUs' tool; None when no more come."""


class Beside:
    """Looks at what is beside a log, over the connections of the log, and never in its way.

    Args:
        target: The run's log, and the way to the machine that it is on.
        connections: Those to share.
        folder: That of its checkpoints; None looks for them beside the log.
        has_gpus: Whether its GPUs are asked for.
        pace: The intervals of following.

    Attributes:
        shelf: The checkpoints as they were seen last; None without any.
        trouble: Why the folder that was named can't be seen; None where it can.
        revision: Counts the changes of both.
    """

    def __init__(
        self,
        target: Target,
        connections: Connections,
        *,
        folder: str | None = None,
        has_gpus: bool = True,
        pace: Pace | None = None,
    ) -> None:
        self.shelf: Shelf | None = None
        self.trouble: str | None = None
        self.revision = 0
        self._target = target
        self._connections = connections
        self._folder = folder
        self._has_gpus = has_gpus and not target.is_stdin
        self._may_search = not (target.is_stdin or target.is_pane)
        self._pace = pace or Pace()
        self._reached = asyncio.Event()

    def reach(self, *, is_open: bool) -> None:
        """Note whether the way to the log is open: while it is not, none is made for what is beside it."""
        if is_open:
            self._reached.set()
        else:
            self._reached.clear()

    async def follow(self, take_line: TakeLine) -> None:
        """Look again and again, until cancelled."""
        async with asyncio.TaskGroup() as both:  # which waits for the end of what each has started
            both.create_task(self._follow_shelf())
            both.create_task(self._follow_gpus(take_line))

    @asynccontextmanager
    async def reading(self, take_line: TakeLine) -> AsyncIterator[None]:
        """Look once, at the same time as the log is read in the context, and leave off soon after that."""
        pace = replace(self._pace, close_s=CLOSE_S)
        looking = asyncio.create_task(self._look_once(pace))
        asking = asyncio.create_task(self._ask_once(take_line, pace))
        try:
            yield
            if self._reached.is_set():
                _, late = await asyncio.wait({looking, asking}, timeout=GRACE_S)
                if looking in late:
                    self._fail(f"{self._folder} on {self._target.place} could not be listed in time")
        finally:
            for task in (looking, asking):
                task.cancel()
            await asyncio.gather(looking, asking, return_exceptions=True)

    async def _follow_shelf(self) -> None:
        while self._folder is not None or self._may_search:
            await self._look_once(self._pace)
            await asyncio.sleep(SEARCH_S if self.shelf is None and self._folder is None else LOOK_S)

    async def _follow_gpus(self, take_line: TakeLine) -> None:
        if self._has_gpus:
            await self._reached.wait()
            await follow_gpus(self._target, self._connections, take_line, self._reached.is_set, self._pace)

    async def _look_once(self, pace: Pace) -> None:
        if self._folder is None and not self._may_search:
            return
        await self._reached.wait()
        try:
            listings = await list_checkpoints(self._target, self._folder, self._connections, pace)
        except Trouble as trouble:
            self._fail(str(trouble))
            return
        self.shelf = choose_shelf(listings, is_given=self._folder is not None)
        self.trouble = None
        self.revision += 1

    async def _ask_once(self, take_line: TakeLine, pace: Pace) -> None:
        if self._has_gpus:
            await self._reached.wait()
            for line in await read_gpus(self._target, self._connections, pace):
                take_line(line)

    def _fail(self, why: str) -> None:
        """It is a person's business only where a person has named the folder."""
        if self._folder is not None:
            self.trouble = f"checkpoints: {why}"
            self.revision += 1
