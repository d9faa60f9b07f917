"""Where no more than the end of a log is asked for, its first whole line there is where reading begins."""

from pathlib import Path

import pytest

from tests.sources.listening import BRISK
from tui.events import FileReplaced, Received, Skipped, SourceEvent
from tui.sources.follow import Follower
from tui.sources.open import open_source
from tui.target import parse_target

LOG = b"".join(b'{"step": %d}\n' % step for step in range(10_000, 20_000))
LINE_BYTES = len(b'{"step": 10000}\n')


@pytest.fixture(params=[(), ("env",)], ids=["local", "through sh"])
def via(request: pytest.FixtureRequest) -> tuple[str, ...]:
    return tuple(request.param)


async def read(log: Path, via: tuple[str, ...], last_bytes: int) -> list[SourceEvent]:
    source = open_source(parse_target(str(log), via), last_bytes=last_bytes)
    return [event async for event in source.events(follow=False)]


def data_of(events: list[SourceEvent]) -> bytes:
    return b"".join(event.data for event in events if isinstance(event, Received))


@pytest.mark.parametrize("surplus", [0, 1, LINE_BYTES - 1])
async def test_reading_begins_at_the_first_line_that_is_whole(
    tmp_path: Path, via: tuple[str, ...], surplus: int
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(LOG)
    events = await read(log, via, 100 * LINE_BYTES + surplus)
    assert data_of(events) == LOG[-100 * LINE_BYTES :]
    (skipped,) = [event for event in events if isinstance(event, Skipped)]
    assert skipped == Skipped(LOG[:1024], len(LOG) - 100 * LINE_BYTES)


async def test_a_log_that_is_no_longer_than_that_is_read_whole(tmp_path: Path, via: tuple[str, ...]) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(LOG)
    events = await read(log, via, len(LOG))
    assert data_of(events) == LOG
    assert not any(isinstance(event, Skipped) for event in events)


async def test_the_place_is_found_again_after_a_break(tmp_path: Path, via: tuple[str, ...]) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(LOG)
    source = open_source(parse_target(str(log), via), pace=BRISK, last_bytes=100 * LINE_BYTES)
    assert isinstance(source, Follower)
    async for event in source.events(follow=False):
        assert not isinstance(event, FileReplaced)
    later = open_source(parse_target(str(log), via), start=source.position)
    with log.open("ab") as more:
        more.write(b"more\n")
    events = [event async for event in later.events(follow=False)]
    assert data_of(events) == b"more\n"
    assert not any(isinstance(event, FileReplaced) for event in events)
