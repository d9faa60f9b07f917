"""Goes through machines and the containers on them, a look at a time, and tells what is in each."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, Iterable
from contextlib import AsyncExitStack, aclosing

from msgspec import Struct, field
from msgspec.structs import replace

from tui.find.logs import FoundLog, judge
from tui.find.places import Place
from tui.sources.listings import Container
from tui.sources.pace import Pace
from tui.sources.ssh import Connections
from tui.sources.survey import LEAST_S, RECENT_DAYS, Survey, survey
from tui.sources.trouble import Trouble

MOST_CONTAINERS = 40
"""Of so many containers of a machine each is looked into, one after the other; of more only the first."""

DEPTH = 2
"""How far in: a container on the machine, and one within that, as Docker in a Proxmox container is."""

MACHINES = 8
"""So many machines are looked at at a time."""


class FoundPlace(Struct, frozen=True):
    """A machine or a container, and the logs there, the newest first.

    `address` stands before a path there, `state` is the word of the container's list. `error` says why nothing is
    known of it, `notes` what else could not be told.
    """

    name: str
    address: str
    state: str = "running"
    logs: tuple[FoundLog, ...] = ()
    error: str | None = None
    notes: tuple[str, ...] = ()
    is_container: bool = False

    @property
    def age_s(self) -> float:
        """The age of the newest log; infinite where there is none."""
        return min((log.age_s for log in self.logs), default=float("inf"))


class Bounds(Struct, frozen=True):
    """How much is asked of one machine.

    `timeout_s` is for all of it, in seconds, `container_s` for each container; logs older than `days` are left out.
    """

    timeout_s: float = 10.0
    container_s: float = 5.0
    days: int = RECENT_DAYS


def sort_places(found: Iterable[FoundPlace]) -> list[FoundPlace]:
    """Those with the newest log first, then those without any."""
    return sorted(found, key=lambda each: (each.age_s, each.error is not None, each.name))


async def look_around(
    places: list[Place], connections: Connections, bounds: Bounds | None = None
) -> AsyncGenerator[FoundPlace, None]:
    """What there is on several machines, as it is found; a machine that is slow keeps no other waiting."""
    turns, found = asyncio.Semaphore(MACHINES), asyncio.Queue[FoundPlace | None]()

    async def explore(place: Place) -> None:
        try:
            async with turns, aclosing(look_into(place, connections, bounds)) as told:
                async for each in told:
                    found.put_nowait(each)
        finally:
            found.put_nowait(None)

    tasks = [asyncio.create_task(explore(place)) for place in places]
    try:
        left = len(tasks)
        while left:
            each = await found.get()
            if each is None:
                left -= 1
            else:
                yield each
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def look_into(
    place: Place, connections: Connections, bounds: Bounds | None = None
) -> AsyncGenerator[FoundPlace, None]:
    """A machine first, then the containers on it, the outer ones before those within them; over one login."""
    tour = _Tour(connections, bounds or Bounds())
    tour.enter(place, None)
    async with AsyncExitStack() as stack:
        try:
            async with asyncio.timeout(tour.left_s):
                if place.target.host:
                    await stack.enter_async_context(connections.kept(place.target.host, Pace()))
        except (Trouble, TimeoutError) as error:
            yield tour.fail(place, error)
            return
        while tour.waiting:
            yield await tour.next()


class _Tour(Struct):
    """One machine's places that wait for a look, with the time that is left for them."""

    connections: Connections
    bounds: Bounds
    waiting: deque[tuple[Place, Container | None, int]] = field(default_factory=deque)
    entered: int = 0
    end_s: float = 0.0

    def __post_init__(self) -> None:
        self.end_s = time.monotonic() + self.bounds.timeout_s

    def enter(self, place: Place, container: Container | None, depth: int = 0) -> None:
        self.waiting.append((place, container, depth))

    @property
    def left_s(self) -> float:
        """Seconds until the time for this machine is up."""
        return self.end_s - time.monotonic()

    def fail(self, place: Place, error: Trouble | TimeoutError) -> FoundPlace:
        """A machine of which nothing can be told."""
        return FoundPlace(place.name, place.address, error=self._explain(place, error))

    async def next(self) -> FoundPlace:
        """The next place; the containers there wait from now on."""
        place, container, depth = self.waiting.popleft()
        found = FoundPlace(place.name, place.address, is_container=container is not None)
        if container is not None and not container.is_running:
            return replace(found, state=container.state)
        if container is not None and self.left_s < LEAST_S:
            return replace(found, error=self._say_late("it was not looked into"))
        share_s = self.left_s if container is None else min(self.left_s, self.bounds.container_s)
        try:
            async with asyncio.timeout(share_s):
                told = await survey(place.target, self.connections, share_s, self.bounds.days)
        except (Trouble, TimeoutError) as error:
            return replace(found, error=self._explain(place, error))
        return replace(
            found, logs=judge_all(place, told), notes=(*told.notes, *self._go_on(place, told, depth))
        )

    def _go_on(self, place: Place, told: Survey, depth: int) -> list[str]:
        """Let the containers of a place wait for their turn; what is to be said of those that are left out."""
        if depth >= DEPTH:
            return []
        room = MOST_CONTAINERS - self.entered
        taken = told.containers[:room]
        self.entered += len(taken)
        for container in taken:
            self.enter(place.within(container), container, depth + 1)
        left = len(told.containers) - len(taken)
        if not left:
            return []
        return [f"{left:,} more containers are left out: {MOST_CONTAINERS} of a machine are looked at"]

    def _explain(self, place: Place, error: Trouble | TimeoutError) -> str:
        if isinstance(error, Trouble):
            return str(error)
        if self.left_s > 0:
            return f"{place.name} did not answer within {self.bounds.container_s:g} s"
        return self._say_late(f"{place.name} did not answer")

    def _say_late(self, what: str) -> str:
        return f"{what} within {self.bounds.timeout_s:g} s; allow more with --timeout"


def judge_all(place: Place, told: Survey) -> tuple[FoundLog, ...]:
    """Those files of a place that are training logs, the one written last first."""
    found = []
    for ends in told.files:
        verdict = judge(ends)
        if verdict is not None:
            address = place.address_of(ends.path)
            found.append(FoundLog(address, verdict.format, verdict.last_step, ends.age_s, ends.size))
    return tuple(sorted(found, key=lambda log: log.age_s))
