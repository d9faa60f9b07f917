"""Standard input is read to its end, from a pipe, a file or a terminal."""

from __future__ import annotations

import asyncio
import os
import pty
import tty
from pathlib import Path

from tests.sources.listening import following
from tests.waiting import eventually
from tui.events import CaughtUp, LinkChanged, LinkState, Received
from tui.sources.open import open_source
from tui.target import parse_target


async def test_a_pipe_is_followed_until_its_writer_closes_it() -> None:
    reading, writing = os.pipe()
    async with following(open_source(parse_target("-"), stdin=reading)) as heard:
        os.write(writing, b"1\n")
        await heard.has(b"1\n")
        assert not heard.is_caught_up
        os.write(writing, b"2")
        await heard.has(b"1\n2")
        os.close(writing)
        await eventually(lambda: heard.links == [LinkState.LIVE, LinkState.ENDED])
        assert heard.is_caught_up
    os.close(reading)


async def test_a_file_is_read_to_its_end(tmp_path: Path) -> None:
    data = os.urandom(700_000)
    (tmp_path / "log").write_bytes(data)
    with (tmp_path / "log").open("rb") as file:
        source = open_source(parse_target("-"), stdin=file.fileno())
        events = [event async for event in source.events(follow=False)]
    assert b"".join(event.data for event in events if isinstance(event, Received)) == data
    assert events[-2:] == [CaughtUp(), LinkChanged(LinkState.ENDED)]


async def test_a_terminal_is_read_to_its_end() -> None:
    master, slave = pty.openpty()
    tty.setraw(slave)
    async with following(open_source(parse_target("-"), stdin=slave)) as heard:
        os.write(master, b"1\n")
        await heard.has(b"1\n")
    os.close(master)
    os.close(slave)


async def test_a_closed_input_is_told() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    os.close(writing)
    events = [event async for event in open_source(parse_target("-"), stdin=reading).events(follow=True)]
    last = events[-1]
    assert isinstance(last, LinkChanged)
    assert last.state is LinkState.MISSING
    assert "standard input can't be read" in (last.detail or "")


async def test_a_cancelled_reader_leaves_no_thread_waiting() -> None:
    reading, writing = os.pipe()
    async with following(open_source(parse_target("-"), stdin=reading)) as heard:
        await eventually(lambda: heard.links)
    os.write(writing, b"1\n")
    assert await asyncio.to_thread(os.read, reading, 10) == b"1\n"
    os.close(reading)
    os.close(writing)
