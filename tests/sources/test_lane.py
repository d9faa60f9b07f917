"""Requests of many logs go over one channel, and each gets its own answer, however the channel cuts them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from tests.sources.listening import BRISK
from tests.waiting import eventually
from tui.events import LinkState
from tui.sources.answers import Answer, Look, parse_looks, parse_stats, spell
from tui.sources.channel import Words
from tui.sources.lane import Lane
from tui.sources.log import Stat
from tui.sources.trouble import lost

READY = b"@n@ ready bell\n"
CLOCK = b"@n@ clock 1000000\n"


class Fed:
    """A channel that gives what it is fed, and what is kept in `replies` for a request."""

    def __init__(self) -> None:
        self.replies = {"clock": [CLOCK]}
        self.sent: list[str] = []
        self.words = Words()
        self.is_distrusted = False
        self._pieces: asyncio.Queue[bytes] = asyncio.Queue()

    def feed(self, *pieces: bytes) -> None:
        for piece in pieces:
            self._pieces.put_nowait(piece)

    def send(self, data: bytes) -> None:
        for request in data.decode().splitlines():
            self.sent.append(request)
            self.feed(*self.replies.get(request, [])[:1])
            del self.replies.get(request, [])[:1]

    async def receive(self) -> bytes:
        return await self._pieces.get()

    async def last_words(self) -> tuple[str, int | None]:
        return str(self.words), None

    def distrust(self) -> None:
        self.is_distrusted = True


@asynccontextmanager
async def lane() -> AsyncIterator[tuple[Lane, Fed]]:
    channel = Fed()
    channel.feed(b"Welcome!\n", READY)
    one = Lane(channel, "n", BRISK)
    await one.greet()
    channel.sent.clear()
    try:
        yield one, channel
    finally:
        await one.close()


@given(
    st.lists(st.tuples(st.integers(1, 5), st.binary(max_size=40)), max_size=12),
    st.lists(st.integers(0, 800), max_size=30),
)
@example([(1, b"@n@ data 3\n"), (2, b"@n@\n"), (1, b"")], [7])
async def test_each_log_gets_its_own_bytes_however_they_are_cut(
    asked: list[tuple[int, bytes]], cuts: list[int]
) -> None:
    stream = b"".join(b"@n@ data %d %d\n%s@n@\n" % (len(body), log, body) for log, body in asked)
    places = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    async with lane() as (one, channel):
        answers = [one.ask(f"read {log} 0 100") for log, _ in asked]
        channel.feed(*(stream[start:stop] for start, stop in pairwise(places)))
        for (log, body), future in zip(asked, answers, strict=True):
            answer = await future
            assert answer is not None
            assert (answer.words, answer.data) == (("data", str(len(body)), str(log)), body)
        assert one.due == 0


async def test_who_has_left_does_not_take_the_answer_of_another() -> None:
    async with lane() as (one, channel):
        left, other = one.ask("open 1"), one.ask("open 2")
        left.cancel()
        channel.feed(b"@n@ missing\n@n@ denied\n")
        answer = await other
        assert answer is not None
        assert answer.words == ("denied",)


async def test_the_end_answers_all_that_was_asked() -> None:
    async with lane() as (one, channel):
        answers = [one.ask("open 1"), one.ask("open 2")]
        channel.feed(b"")
        assert [await answer for answer in answers] == [None, None]
        assert one.is_over
        assert await one.ask("open 3") is None
        assert one.trouble is None


async def test_an_answer_to_nothing_ends_it_with_a_word() -> None:
    async with lane() as (one, channel):
        channel.feed(b"@n@ missing\n")
        await eventually(lambda: one.is_over)
        assert "was not asked" in str(one.trouble)


async def test_a_lane_that_is_abandoned_ends_for_all_with_one_word() -> None:
    async with lane() as (one, channel):
        answer = one.ask("open 1")
        one.abandon(lost("no answer"))
        assert await answer is None
        assert channel.is_distrusted
        assert one.trouble is not None
        assert one.trouble.state is LinkState.RETRYING


ROOT = "8 2 4096 1 1"
OLD, NEW, OTHER = "8 11 100 1000 1", "8 11 150 1001 1", "8 12 7 1000 1"


def stat(text: str) -> Stat:
    return parse_stats(text.split())[0]


def looked(*lines: str, numbers: str) -> bytes:
    body = "".join(f"{line}\n" for line in (ROOT, *lines)).encode()
    return b"@n@ data %d %s\n%s@n@\n" % (len(body), numbers.encode(), body)


async def test_a_ring_is_one_look_for_all_and_wakes_who_has_changed() -> None:
    async with lane() as (one, channel):
        one.ring(1, 100)
        resting = [
            asyncio.create_task(one.rest(1, Look(stat(OLD), stat(OLD)), 1000)),
            asyncio.create_task(one.rest(2, Look(stat(OTHER), stat(OTHER)), 1000)),
        ]
        await asyncio.sleep(0)
        channel.words.add(b"bytes of the log")
        await eventually(lambda: "look" in channel.sent)
        channel.feed(looked(ROOT, NEW, NEW, ROOT, OTHER, OTHER, numbers="1 2"))
        assert await resting[0] == Look(stat(NEW), stat(NEW))
        assert not resting[1].done()
        assert channel.sent == ["ring 1 100", "look"]
        assert str(channel.words) == ""
        resting[1].cancel()


async def test_a_ring_needs_no_look_where_one_log_rests_alone() -> None:
    async with lane() as (one, channel):
        one.ring(1, 100)
        resting = asyncio.create_task(one.rest(1, Look(stat(OLD), stat(OLD)), 1000))
        await asyncio.sleep(0)
        channel.words.add(b"bytes of the log")
        assert await resting is None
        assert channel.sent == ["ring 1 100"]


async def test_a_rest_that_is_over_without_a_change_says_how_the_log_stands() -> None:
    async with lane() as (one, channel):
        known = Look(stat(OLD), stat(OLD))
        channel.replies["look"] = [looked(ROOT, OLD, OLD, numbers="1"), b"@n@ same\n"]
        for _ in range(2):
            assert await one.rest(1, known, 0.01) == known


async def test_the_end_ends_every_rest() -> None:
    async with lane() as (one, channel):
        resting = asyncio.create_task(one.rest(1, Look(stat(OLD), None), 1000))
        await asyncio.sleep(0)
        channel.feed(b"")
        assert await resting is None


def test_what_a_look_finds_is_told_apart_by_the_root_of_the_file_system() -> None:
    lines = (ROOT, ROOT, OLD, ROOT, OTHER, NEW, ROOT, ROOT, OTHER, OTHER)
    answer = Answer(("data", "0", "4", "7", "8", "9"), "\n".join(lines).encode(), 0.0)
    assert parse_looks(answer) == {
        4: Look(stat(OLD), None),
        7: Look(stat(OTHER), stat(NEW)),
        8: None,
        9: Look(stat(OTHER), stat(OTHER)),
    }


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_a_path_is_one_word_whatever_it_holds(path: str) -> None:
    word = spell(path)
    assert not set(word) - set("\\01234567")
    assert bytes(int(octal, 8) for octal in word.split("\\0")[1:]).decode() == path
