"""Looks at runs while they are watched, and hands what is new to every channel without waiting for any."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from tui.config import NotifyConfig
from tui.feed import Feed
from tui.notify.channel import Channel, NobodyThere, NotSent
from tui.notify.lookout import Lookout
from tui.notify.notification import Notification

LOOK_S = 1.0
"""Seconds between two looks."""

WAITING = 8
"""How many notifications may wait for one channel; what comes then is left out, for a late flood tells nothing."""

FINISH_S = 15.0
"""How long the end of a watch may wait for channels, in seconds."""

Tell = Callable[[str], None]
"""Tells a person who is at the screen, in one sentence."""


class Notifier:
    """Keeps watch over runs.

    Args:
        settings: What the configuration says of notifications.
        channels: Where they go.
        tell: Is told when a channel fails: once, until it has worked again. That nobody is at its end is no failure.
    """

    def __init__(self, settings: NotifyConfig, channels: Sequence[Channel], tell: Tell) -> None:
        self._lookout = Lookout(settings)
        self._channels = channels
        self._queues: list[asyncio.Queue[Notification]] = [asyncio.Queue(WAITING) for _ in channels]
        self._tell = tell

    async def keep_watch(self, feeds: Callable[[], Sequence[Feed]]) -> None:
        """Look at the runs that there are at each moment, until cancelled."""
        try:
            async with asyncio.TaskGroup() as group:
                for channel, queue in zip(self._channels, self._queues, strict=True):
                    group.create_task(self._serve(channel, queue))
                while True:
                    self.look(feeds())
                    await asyncio.sleep(LOOK_S)
        except Exception as error:  # noqa: BLE001 - a task's top level: told, and the watch itself goes on
            self._tell(f"notifications have failed ({error!r}); please report it")

    async def finish(self, feeds: Sequence[Feed]) -> None:
        """Look for a last time, and wait, not for long, until every channel has passed on what it has."""
        self.look(feeds)
        with suppress(TimeoutError):
            async with asyncio.timeout(FINISH_S):
                for queue in self._queues:
                    await queue.join()

    def look(self, feeds: Sequence[Feed]) -> None:
        """Send what is new in these runs at this moment."""
        for notification in self._lookout.look(feeds, time.monotonic()):
            self.send(notification)

    def send(self, notification: Notification) -> None:
        """Hand it to every channel; those that are behind do without it."""
        for queue in self._queues:
            if not queue.full():
                queue.put_nowait(notification)

    async def _serve(self, channel: Channel, queue: asyncio.Queue[Notification]) -> None:
        has_failed = False
        while True:
            notification = await queue.get()
            try:
                await channel.send(notification)
                has_failed = False
            except NobodyThere:
                has_failed = False
            except NotSent as error:
                if not has_failed:
                    self._tell(f"no notification by {channel.name}: {error}")
                has_failed = True
            finally:
                queue.task_done()
