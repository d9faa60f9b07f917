"""Marked lines and counted bytes are told apart however a channel cuts them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.sources.channel import Words
from tui.sources.trouble import Trouble
from tui.sources.wire import Wire


class Canned:
    """A channel that gives what it was given, in pieces, and then ends."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces = list(pieces)
        self.sent = b""
        self.words = Words()

    def send(self, data: bytes) -> None:
        self.sent += data

    async def receive(self) -> bytes:
        return self.pieces.pop(0) if self.pieces else b""

    async def last_words(self) -> tuple[str, int | None]:
        return "", None

    def distrust(self) -> None:
        pass


async def test_what_a_login_prints_before_the_mark_is_dropped() -> None:
    wire = Wire(Canned(b"Welcome!\n\x1b[0m no newline @n@ ready\n"), "n")
    assert not wire.is_up
    assert await wire.answer() == ["ready"]
    assert wire.is_up


async def test_a_line_of_noise_between_answers_is_dropped() -> None:
    wire = Wire(Canned(b"@n@ ready\nkernel: something\n@n@ missing\n"), "n")
    assert (await wire.answer(), await wire.answer(), await wire.answer()) == (["ready"], ["missing"], None)


async def test_bytes_that_look_like_an_answer_are_bytes() -> None:
    data = b"@n@ ready\n@n@\n"
    wire = Wire(Canned(b"@n@ data 14\n" + data + b"@n@\n@n@ next\n"), "n")
    assert await wire.answer() == ["data", "14"]
    assert await wire.data(14) == data
    assert await wire.answer() == ["next"]


@pytest.mark.parametrize("rest", [b"", b"@n@ data 0\n", b"@n@ missing\n" * 9])
async def test_fewer_bytes_than_were_announced_are_those_before_the_mark(rest: bytes) -> None:
    """The file was cut short while it was copied: the answers to others on the wire are not lost by that."""
    wire = Wire(Canned(b"12345@n@\n", rest), "n")
    assert await wire.data(8) == b"12345"
    words = await wire.answer()
    assert words == (rest.decode().splitlines()[0].split()[1:] if rest else None)


async def test_bytes_without_a_mark_after_them_are_not_handed_on() -> None:
    wire = Wire(Canned(b"123456789 and no mark"), "n")
    with pytest.raises(Trouble, match="something else"):
        await wire.data(8)


async def test_an_end_within_the_bytes_is_an_end() -> None:
    assert await Wire(Canned(b"123"), "n").data(8) is None


async def test_endless_noise_is_given_up() -> None:
    wire = Wire(Canned(*[b"x" * 65536] * 20), "n")
    with pytest.raises(Trouble, match="something else"):
        await wire.answer()


async def test_silence_counts_only_while_an_answer_is_due() -> None:
    wire = Wire(Canned(b"@n@ ready\n"), "n")
    assert wire.silent_s() >= 0
    await wire.answer()
    assert wire.silent_s() == 0
    wire.ask("clock")
    assert wire._due == 1


@given(
    st.lists(st.binary(max_size=40), max_size=5),
    st.lists(st.integers(0, 400), max_size=30),
    st.binary(max_size=20).filter(lambda noise: b"@n@" not in noise),
)
async def test_any_cut_gives_the_same_answers(bodies: list[bytes], cuts: list[int], noise: bytes) -> None:
    stream = noise + b"@n@ ready\n"
    stream += b"".join(b"@n@ data %d\n%s@n@\n" % (len(body), body) for body in bodies)
    places = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    wire = Wire(Canned(*(stream[start:stop] for start, stop in pairwise(places))), "n")
    assert await wire.answer() == ["ready"]
    for body in bodies:
        assert await wire.answer() == ["data", str(len(body))]
        assert await wire.data(len(body)) == body
    assert await wire.answer() is None
