import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.waiting import eventually
from tui.sources.turnstile import Place, Turnstile

FOREVER_S = 3600.0
PLACES = 2


@dataclass
class Hall:
    """A turnstile, and who is in it."""

    patience_s: float = FOREVER_S
    inside: list[str] = field(default_factory=list)
    begun: list[str] = field(default_factory=list)
    most: int = 0

    def __post_init__(self) -> None:
        self.turnstile = Turnstile(PLACES, self.patience_s)

    def enter(
        self, name: str, wait: Callable[[], Awaitable[object]], *, asks: bool = False, is_slow: bool = False
    ) -> asyncio.Task[str]:
        """Somebody who stays as long as `wait` takes; with `asks` a person is waited for."""

        async def attempt(place: Place) -> str:
            self.begun.append(name)
            self.inside.append(name)
            self.most = max(self.most, len(self.inside))
            try:
                if asks:
                    place.wait_for_person()
                await wait()
            finally:
                self.inside.remove(name)
            return name

        return asyncio.create_task(self.turnstile.run(attempt, is_slow=is_slow))

    def is_empty(self) -> bool:
        """Whether all places are free."""
        lanes = (self.turnstile._quick, self.turnstile._slow, self.turnstile._asking)
        return not self.inside and all(lane._free == PLACES for lane in lanes)


async def end(*tasks: asyncio.Task[str]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_so_many_are_in_it_at_a_time_and_the_next_comes_when_one_leaves() -> None:
    hall, leave = Hall(), [asyncio.Event() for _ in range(3)]
    tasks = [hall.enter(str(number), event.wait) for number, event in enumerate(leave)]
    await eventually(lambda: hall.inside == ["0", "1"])
    leave[0].set()
    await eventually(lambda: hall.inside == ["1", "2"])
    for event in leave:
        event.set()
    assert await asyncio.gather(*tasks) == ["0", "1", "2"]
    assert hall.is_empty()


async def test_those_that_hang_hold_up_nobody_and_there_are_never_more_of_them_than_places() -> None:
    hall = Hall(patience_s=0.01)
    dead = [hall.enter(f"dead {number}", asyncio.Event().wait) for number in range(20)]
    good = [hall.enter(f"good {number}", lambda: asyncio.sleep(0)) for number in range(10)]
    await asyncio.gather(*good)
    assert hall.most <= 2 * PLACES
    await end(*dead)
    assert hall.is_empty()


async def test_one_that_takes_long_goes_on_where_it_is_as_long_as_there_is_room() -> None:
    hall, done = Hall(patience_s=0.01), asyncio.Event()
    slow = [hall.enter("slow", done.wait) for _ in range(PLACES)]
    await eventually(lambda: hall.turnstile._slow._free == 0)
    await asyncio.gather(*(hall.enter("quick", lambda: asyncio.sleep(0)) for _ in range(2 * PLACES)))
    done.set()
    await asyncio.gather(*slow)
    assert hall.begun.count("slow") == PLACES
    assert hall.is_empty()


async def test_one_that_takes_long_comes_to_its_end_among_many_that_take_longer() -> None:
    hall = Hall(patience_s=0.01)
    dead = [hall.enter(f"dead {number}", lambda: asyncio.sleep(0.2)) for number in range(10)]
    slow = hall.enter("slow", lambda: asyncio.sleep(0.05))
    assert await slow == "slow"
    assert hall.most <= 2 * PLACES
    await end(*dead)


async def test_one_that_is_known_to_take_long_takes_no_place_of_the_quick() -> None:
    hall, never = Hall(), asyncio.Event()
    slow = [hall.enter("slow", never.wait, is_slow=True) for _ in range(5)]
    await eventually(lambda: hall.inside == ["slow"] * PLACES)
    await asyncio.gather(*(hall.enter("quick", lambda: asyncio.sleep(0)) for _ in range(5)))
    await end(*slow)
    assert hall.is_empty()


async def test_those_that_wait_for_a_person_are_left_in_peace_and_hold_up_nobody() -> None:
    hall, answer = Hall(patience_s=0.01), asyncio.Event()
    asking = [hall.enter(f"asking {number}", answer.wait, asks=True) for number in range(5)]
    await eventually(lambda: hall.inside == ["asking 0", "asking 1"] and len(hall.begun) == 5)
    dead = [hall.enter("dead", asyncio.Event().wait) for _ in range(5)]
    await asyncio.gather(*(hall.enter("quick", lambda: asyncio.sleep(0)) for _ in range(5)))
    assert hall.most <= 3 * PLACES
    answer.set()
    await asyncio.gather(*asking)
    assert hall.begun.count("asking 0") == hall.begun.count("asking 1") == 1
    await end(*dead)
    assert hall.is_empty()


async def test_what_goes_wrong_is_told_and_is_not_tried_again() -> None:
    async def fail() -> None:
        raise TimeoutError("the host does not answer")

    hall = Hall(patience_s=0.01)
    with pytest.raises(TimeoutError, match="does not answer"):
        await hall.enter("failing", fail)
    assert hall.begun == ["failing"]
    assert hall.is_empty()


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 12), st.booleans(), st.booleans(), st.none() | st.integers(0, 12)),
        max_size=20,
    )
)
async def test_every_place_is_given_back_whatever_happens(
    visits: list[tuple[int, bool, bool, int | None]],
) -> None:
    """Each stays for some milliseconds, perhaps asks, perhaps is slow, and perhaps is cancelled after some."""
    hall, loop = Hall(patience_s=0.003), asyncio.get_running_loop()
    tasks = []
    for stay_ms, asks, is_slow, cancel_ms in visits:
        task = hall.enter("one", lambda stay=stay_ms: asyncio.sleep(stay / 1000), asks=asks, is_slow=is_slow)  # type: ignore[misc]
        if cancel_ms is not None:
            loop.call_later(cancel_ms / 1000, task.cancel)
        tasks.append(task)
    async with asyncio.timeout(20):
        await asyncio.gather(*tasks, return_exceptions=True)
    assert hall.most <= 3 * PLACES
    assert hall.is_empty()
