"""When a screen looks."""

import asyncio

from tests.waiting import eventually
from tui.screens.clock import Clock


async def test_what_comes_after_a_pause_is_looked_at_at_once() -> None:
    looks: list[None] = []
    Clock(lambda: looks.append(None)).hurry()
    assert len(looks) == 1


async def test_of_what_comes_closely_one_look_is_had_later() -> None:
    looks: list[None] = []
    clock = Clock(lambda: looks.append(None))
    for _ in range(5):
        clock.hurry()
    assert len(looks) == 1
    await eventually(lambda: len(looks) == 2)


async def test_a_look_for_another_reason_keeps_nothing_waiting() -> None:
    looks: list[None] = []
    clock = Clock(lambda: looks.append(None))
    clock.note_look()
    clock.hurry()
    assert len(looks) == 1


async def test_an_earlier_look_stands_in_for_a_later_one() -> None:
    looks: list[None] = []
    clock = Clock(lambda: looks.append(None))
    clock.look_in(0.0)
    clock.look_in(60.0)
    await eventually(lambda: len(looks) == 1)


async def test_an_earlier_look_takes_the_place_of_a_later_one() -> None:
    looks: list[None] = []
    clock = Clock(lambda: looks.append(None))
    clock.look_in(60.0)
    clock.look_in(0.0)
    await eventually(lambda: len(looks) == 1)


async def test_a_stopped_clock_wakes_nobody() -> None:
    looks: list[None] = []
    clock = Clock(lambda: looks.append(None))
    clock.look_in(0.0)
    clock.stop()
    await asyncio.sleep(0.01)
    assert not looks
