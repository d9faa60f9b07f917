from collections.abc import AsyncIterator, Sequence

from hypothesis import given
from hypothesis import strategies as st

from tui.events import CaughtUp, FileReplaced, LinkChanged, LinkState, Observed, Received, SourceEvent
from tui.sources.gather import GATHER_BYTES, WAIT_S, gather


async def tell(events: Sequence[SourceEvent]) -> AsyncIterator[SourceEvent]:
    for event in events:
        yield event


async def gathered(events: Sequence[SourceEvent], step_s: float = 0.0) -> list[SourceEvent]:
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += step_s
        return now

    return [event async for event in gather(tell(events), clock)]


async def test_bytes_that_follow_one_another_are_joined_up_to_the_next_event() -> None:
    events: list[SourceEvent] = [
        Received(b"ab", 0), Received(b"cd", 2), LinkChanged(LinkState.LIVE), Received(b"e", 4), CaughtUp()
    ]  # fmt: skip
    assert await gathered(events) == [
        Received(b"abcd", 0), LinkChanged(LinkState.LIVE), Received(b"e", 4), CaughtUp()
    ]  # fmt: skip


async def test_a_look_at_the_file_waits_with_the_bytes_and_the_last_one_stands_for_all() -> None:
    first, last = Observed(1.0, 1.0, 4), Observed(2.0, 1.5, 9)
    events: list[SourceEvent] = [first, Received(b"ab", 0), first, Received(b"cd", 2), last, CaughtUp()]
    assert await gathered(events) == [first, Received(b"abcd", 0), last, CaughtUp()]


async def test_bytes_of_another_place_are_not_joined() -> None:
    events = [Received(b"ab", 0), Received(b"cd", 0), Received(b"ef", 9)]
    assert await gathered(events) == events


async def test_a_piece_that_is_large_enough_is_handed_on() -> None:
    half = b"x" * (GATHER_BYTES // 2)
    told = await gathered([Received(half, 0), Received(half, len(half)), Received(b"y", 2 * len(half))])
    assert [(len(each.data), each.offset) for each in told if isinstance(each, Received)] == [
        (GATHER_BYTES, 0),
        (1, GATHER_BYTES),
    ]


async def test_bytes_wait_for_no_others_on_a_slow_link() -> None:
    events = [Received(b"ab", 0), Received(b"cd", 2)]
    assert await gathered(events, step_s=2 * WAIT_S) == events


@given(
    st.lists(
        st.one_of(
            st.binary(max_size=5).map(lambda data: Received(data, 0)),
            st.sampled_from([CaughtUp(), FileReplaced("rotated"), LinkChanged(LinkState.LIVE)]),
        ),
        max_size=12,
    )
)
async def test_nothing_is_lost_and_no_byte_passes_an_event(events: list[SourceEvent]) -> None:
    def flat(told: Sequence[SourceEvent]) -> list[object]:
        return [part for event in told for part in (event.data if isinstance(event, Received) else [event])]

    at = 0
    placed: list[SourceEvent] = []
    for event in events:
        placed.append(Received(event.data, at) if isinstance(event, Received) else event)
        at += len(event.data) if isinstance(event, Received) else 0
    assert flat(await gathered(placed)) == flat(events)
