import asyncio

from tests.waiting import eventually
from tui.sources.turnstile import Turnstile

FOREVER_S = 3600.0


async def enter(turnstile: Turnstile, inside: list[int], number: int, leave: asyncio.Event) -> None:
    async with turnstile.passing():
        inside.append(number)
        await leave.wait()
        inside.remove(number)


async def has_let_in(inside: list[int], count: int) -> None:
    await eventually(lambda: len(inside) == count)


async def test_so_many_are_in_it_at_a_time_and_the_next_comes_when_one_leaves() -> None:
    turnstile, inside = Turnstile(2, FOREVER_S), list[int]()
    leaves = [asyncio.Event() for _ in range(3)]
    tasks = [asyncio.create_task(enter(turnstile, inside, at, leave)) for at, leave in enumerate(leaves)]
    await eventually(lambda: inside == [0, 1])
    leaves[0].set()
    await eventually(lambda: inside == [1, 2])
    for leave in leaves:
        leave.set()
    await asyncio.gather(*tasks)
    assert inside == []


async def test_those_that_hang_hold_up_nobody() -> None:
    turnstile, inside = Turnstile(2, 0.01), list[int]()
    never = asyncio.Event()
    tasks = [asyncio.create_task(enter(turnstile, inside, number, never)) for number in range(20)]
    await eventually(lambda: len(inside) == 20)
    never.set()
    await asyncio.gather(*tasks)


async def test_one_that_is_cancelled_or_fails_gives_its_place_back_once() -> None:
    turnstile, inside = Turnstile(1, 0.02), list[int]()
    never = asyncio.Event()
    for number in range(3):
        task = asyncio.create_task(enter(turnstile, inside, number, never))
        await has_let_in(inside, number + 1)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    await asyncio.sleep(0)
    assert turnstile._places._value == 1
