"""The end of a long log comes first where that is asked for, and then all of it in order."""

from pathlib import Path

import pytest

from tests.sources.listening import BRISK, Heard, following
from tests.waiting import eventually
from tui.events import Glimpsed, Received
from tui.sources.base import GLIMPSE_BYTES, LONG_BYTES
from tui.sources.open import open_source
from tui.target import parse_target

LONG = b"".join(b'{"step": %d}\n' % step for step in range(LONG_BYTES // 14))
SHORT = LONG[: LONG_BYTES // 2]


def glimpses(heard: Heard) -> list[Glimpsed]:
    return [event for event in heard.events if isinstance(event, Glimpsed)]


@pytest.fixture(params=["local", "through sh"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, tuple[str, ...]]:
    return str(tmp_path / "log.jsonl"), () if request.param == "local" else ("env",)


async def follow_to_the_end(address: tuple[str, tuple[str, ...]], data: bytes, *, asked: bool) -> Heard:
    path, via = address
    Path(path).write_bytes(data)
    source = open_source(parse_target(path, via), pace=BRISK, has_glimpses=asked)
    async with following(source) as heard:
        await eventually(lambda: heard.is_caught_up)
    assert heard.data == data
    return heard


async def test_the_end_of_a_long_log_comes_before_its_beginning(
    address: tuple[str, tuple[str, ...]],
) -> None:
    assert len(LONG) > LONG_BYTES
    heard = await follow_to_the_end(address, LONG, asked=True)
    at = len(LONG) - GLIMPSE_BYTES
    assert glimpses(heard) == [Glimpsed(LONG[at:], at, len(LONG))]
    first = next(event for event in heard.events if isinstance(event, Glimpsed | Received))
    assert isinstance(first, Glimpsed)


async def test_a_short_log_has_no_glimpse(address: tuple[str, tuple[str, ...]]) -> None:
    assert not glimpses(await follow_to_the_end(address, SHORT, asked=True))


async def test_nobody_who_did_not_ask_gets_a_glimpse(address: tuple[str, tuple[str, ...]]) -> None:
    assert not glimpses(await follow_to_the_end(address, LONG, asked=False))


async def test_reading_once_needs_none(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(LONG)
    source = open_source(parse_target(str(log)), has_glimpses=True)
    events = [event async for event in source.events(follow=False)]
    assert not any(isinstance(event, Glimpsed) for event in events)
