"""A position can be gone back from: its file, once found, is read from the first byte again."""

from pathlib import Path

import pytest

from tests.sources.listening import BRISK, following
from tests.waiting import eventually
from tui.sources.follow import Follower
from tui.sources.open import open_source
from tui.sources.position import Position
from tui.target import parse_target

OLD = b"".join(b'{"step": %d}\n' % step for step in range(100))


@pytest.fixture(params=[(), ("env",)], ids=["local", "through sh"])
def via(request: pytest.FixtureRequest) -> tuple[str, ...]:
    return tuple(request.param)


async def position_after(log: Path, via: tuple[str, ...]) -> Position:
    source = open_source(parse_target(str(log), via), pace=BRISK)
    assert isinstance(source, Follower)
    async with following(source) as heard:
        await heard.has(log.read_bytes())
        await eventually(lambda: heard.observed)
    return source.position


def reread(log: Path, via: tuple[str, ...], start: Position) -> Follower:
    source = open_source(parse_target(str(log), via), pace=BRISK, start=start, is_reread=True)
    assert isinstance(source, Follower)
    return source


async def test_the_same_file_is_read_from_its_start(tmp_path: Path, via: tuple[str, ...]) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(OLD)
    start = await position_after(log, via)
    with log.open("ab") as more:
        more.write(b"more\n")
    async with following(reread(log, via, start)) as heard:
        await heard.has(OLD + b"more\n")
        assert not heard.replaced


async def test_a_file_that_was_renamed_is_read_from_its_start_to_its_end(
    tmp_path: Path, via: tuple[str, ...]
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(OLD)
    start = await position_after(log, via)
    with log.open("ab") as more:
        more.write(b"more\n")
    log.rename(tmp_path / "log.jsonl.1")
    log.write_bytes(b"new\n")
    async with following(reread(log, via, start)) as heard:
        await heard.has(OLD + b"more\nnew\n")
        assert [(event.reason, event.gap) for event in heard.replaced] == [("rotated", False)]


async def test_another_file_is_told_before_any_of_its_bytes(tmp_path: Path, via: tuple[str, ...]) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(OLD)
    start = await position_after(log, via)
    log.write_bytes(b"new\n")
    async with following(reread(log, via, start)) as heard:
        await heard.has(b"new\n")
        assert [event.gap for event in heard.replaced] == [True]
