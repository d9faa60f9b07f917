"""How notifications go to channels: none waits for another, and a fault is told once."""

import asyncio

from tests.notify.feeds import Run
from tests.waiting import eventually
from tui.commands.notify import SAMPLE
from tui.config import NotifyConfig
from tui.notify.channel import NobodyThere, NotSent
from tui.notify.notification import Notification
from tui.notify.notifier import WAITING, Notifier


class Heard:
    """A channel that remembers; it fails or hangs where a test says so."""

    def __init__(self, name: str = "heard", fault: str | None = None) -> None:
        self.name = name
        self.fault = fault
        self.heard: list[Notification] = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def send(self, notification: Notification) -> str:
        """Remember it."""
        await self.gate.wait()
        self.heard.append(notification)
        if self.fault:
            raise NotSent(self.fault)
        return "heard"


async def test_every_channel_hears_of_an_alert_though_another_hangs() -> None:
    run, stuck, well = Run(), Heard("stuck"), Heard("well")
    stuck.gate.clear()
    notifier = Notifier(NotifyConfig(), [stuck, well], lambda text: None)
    watching = asyncio.create_task(notifier.keep_watch(lambda: [run.feed]))
    await asyncio.sleep(0)
    run.logs(float("nan"))
    await eventually(lambda: well.heard)
    assert [each.kind for each in well.heard] == ["nonfinite"]
    for _ in range(3 * WAITING):
        notifier.send(SAMPLE)
    stuck.gate.set()
    await eventually(lambda: len(stuck.heard) >= WAITING)
    assert len(stuck.heard) <= WAITING + 1
    watching.cancel()


async def test_a_fault_is_told_once_until_the_channel_works_again() -> None:
    told: list[str] = []
    channel = Heard("command", fault="it broke")
    notifier = Notifier(NotifyConfig(), [channel], told.append)
    watching = asyncio.create_task(notifier.keep_watch(list))

    async def send(fault: str | None) -> None:
        channel.fault, before = fault, len(channel.heard)
        notifier.send(SAMPLE)
        await eventually(lambda: len(channel.heard) > before)

    await send("it broke")
    await send("it broke")
    assert told == ["no notification by command: it broke"]
    await send(None)
    await send("it broke anew")
    assert told[1:] == ["no notification by command: it broke anew"]
    watching.cancel()


async def test_that_nobody_is_there_to_be_told_is_told_nobody() -> None:
    class Deserted(Heard):
        async def send(self, notification: Notification) -> str:
            self.heard.append(notification)
            raise NobodyThere("no terminal is attached")

    told: list[str] = []
    deserted, broken = Deserted(), Heard("broken", fault="it broke")
    watching = asyncio.create_task(Notifier(NotifyConfig(), [deserted], told.append).keep_watch(list))
    notifier = Notifier(NotifyConfig(), [deserted, broken], told.append)
    also = asyncio.create_task(notifier.keep_watch(list))
    notifier.send(SAMPLE)
    await eventually(lambda: deserted.heard and told)
    assert told == ["no notification by broken: it broke"]
    watching.cancel()
    also.cancel()


async def test_the_end_of_a_watch_looks_once_more_and_waits_for_its_channels() -> None:
    run, channel = Run(), Heard()
    notifier = Notifier(NotifyConfig(), [channel], lambda text: None)
    watching = asyncio.create_task(notifier.keep_watch(lambda: [run.feed]))
    await asyncio.sleep(0)
    run.writes("Training finished.")
    await notifier.finish([run.feed])
    assert [each.kind for each in channel.heard] == ["end"]
    watching.cancel()
