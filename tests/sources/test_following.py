"""A log is followed exactly, on this machine and through the far end's script alike."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.sources.listening import BRISK, Heard, following, read_once
from tests.waiting import eventually
from tui.events import CaughtUp, LinkState, Received
from tui.sources.base import CHUNK_BYTES, Source
from tui.sources.follow import Follower
from tui.sources.open import open_source
from tui.sources.pace import Pace
from tui.sources.position import Position
from tui.target import parse_target


@dataclass
class Way:
    """How the tests reach a log: read here, or through a command that runs the script."""

    via: tuple[str, ...]

    def source(self, log: Path, start: Position | None = None, pace: Pace = BRISK) -> Source:
        """A source of a log."""
        return open_source(parse_target(str(log), self.via), pace=pace, start=start)

    async def read(self, log: Path) -> Heard:
        """Read a log once."""
        return await read_once(str(log), via=self.via)


@pytest.fixture(params=["here", "far"])
def way(request: pytest.FixtureRequest) -> Way:
    return Way(("env",) if request.param == "far" else ())


@pytest.fixture
def log(tmp_path: Path) -> Path:
    (tmp_path / "log.jsonl").write_bytes(b"1\n")
    return tmp_path / "log.jsonl"


LINES = b"".join(b'{"step": %d, "loss": 0.5}\n' % step for step in range(30))
"""Enough of a log to be known again by."""


def append(log: Path, data: bytes) -> None:
    with log.open("ab") as file:
        file.write(data)


def changes(heard: Heard) -> list[tuple[str, bool]]:
    return [(event.reason, event.gap) for event in heard.replaced]


async def test_what_is_there_is_read_once_to_its_end(way: Way, log: Path) -> None:
    heard = await way.read(log)
    assert heard.data == b"1\n"
    assert isinstance(heard.events[-1], CaughtUp)
    assert heard.links == [LinkState.CONNECTING, LinkState.LIVE]


async def test_an_empty_log_is_read_to_its_end_at_once(way: Way, log: Path) -> None:
    log.write_bytes(b"")
    heard = await way.read(log)
    assert (heard.data, heard.is_caught_up) == (b"", True)


async def test_any_bytes_arrive_as_they_are(way: Way, log: Path) -> None:
    data = bytes(range(256)) * 20_000
    log.write_bytes(data)
    heard = await way.read(log)
    assert heard.data == data
    assert all(0 < len(event.data) <= CHUNK_BYTES for event in heard.events if isinstance(event, Received))


async def test_the_far_end_tells_size_and_time(way: Way, log: Path) -> None:
    os.utime(log, (1_000_000, 1_000_000))
    heard = await way.read(log)
    assert (heard.observed[-1].size, heard.observed[-1].modified_s) == (2, 1_000_000)
    assert abs(heard.observed[-1].remote_now_s - log.parent.stat().st_mtime) < 60


async def test_what_is_appended_arrives(way: Way, log: Path) -> None:
    async with following(way.source(log)) as heard:
        await heard.has(b"1\n")
        append(log, b"half")
        await heard.has(b"1\nhalf")
        append(log, b" line\n")
        await heard.has(b"1\nhalf line\n")
    assert heard.links == [LinkState.CONNECTING, LinkState.LIVE]


async def test_a_quiet_log_is_still_observed(way: Way, log: Path) -> None:
    async with following(way.source(log)) as heard:
        await eventually(lambda: len(heard.observed) > 5)
    assert heard.data == b"1\n"


async def test_a_missing_log_is_told_and_read_when_it_appears(way: Way, log: Path) -> None:
    log.unlink()
    async with following(way.source(log)) as heard:
        await eventually(lambda: LinkState.MISSING in heard.links)
        assert f"{log} is not there" in (heard.last_link.detail or "")
        log.write_bytes(b"late\n")
        await heard.has(b"late\n")
    assert heard.links == [LinkState.CONNECTING, LinkState.MISSING, LinkState.LIVE]


async def test_a_log_in_a_missing_folder_is_read_when_both_appear(way: Way, tmp_path: Path) -> None:
    log = tmp_path / "later" / "log.jsonl"
    async with following(way.source(log)) as heard:
        await eventually(lambda: LinkState.MISSING in heard.links)
        log.parent.mkdir()
        log.write_bytes(b"late\n")
        await heard.has(b"late\n")


async def test_a_folder_without_a_log_is_told(way: Way, tmp_path: Path) -> None:
    (tmp_path / "model.pt").write_bytes(b"weights")
    heard = await way.read(tmp_path)
    assert heard.last_link.state is LinkState.MISSING
    assert "holds no log yet" in (heard.last_link.detail or "")


async def test_a_fifo_is_told_and_not_waited_for(way: Way, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    heard = await way.read(tmp_path / "fifo")
    assert heard.last_link.state is LinkState.MISSING
    assert "is no regular file" in (heard.last_link.detail or "")


async def test_a_renamed_log_is_finished_before_its_successor(way: Way, log: Path) -> None:
    async with following(way.source(log)) as heard:
        await heard.has(b"1\n")
        old = log.rename(log.with_suffix(".1"))
        append(old, b"2\n")
        log.write_bytes(b"3\n")
        await heard.has(b"1\n2\n3\n")
    assert changes(heard) == [("rotated", False)]


async def test_a_renamed_log_is_read_on_while_its_successor_is_empty(way: Way, log: Path) -> None:
    async with following(way.source(log)) as heard:
        await heard.has(b"1\n")
        old = log.rename(log.with_suffix(".1"))
        log.touch()
        seen = len(heard.observed)
        await eventually(lambda: len(heard.observed) > seen + 10)
        append(old, b"2\n")
        await heard.has(b"1\n2\n")
        assert not heard.replaced


async def test_a_removed_log_is_told_and_its_successor_read(way: Way, log: Path) -> None:
    async with following(way.source(log)) as heard:
        await heard.has(b"1\n")
        log.unlink()
        await eventually(lambda: heard.last_link.state is LinkState.MISSING)
        assert "gone from" in (heard.last_link.detail or "")
        log.write_bytes(b"2\n")
        await heard.has(b"1\n2\n")
        assert heard.last_link.state is LinkState.LIVE
    assert changes(heard) == [("replaced", False)]


async def test_a_log_that_is_moved_away_and_back_is_known_to_its_end_again(way: Way, log: Path) -> None:
    async with following(way.source(log)) as heard:
        await heard.has(b"1\n")
        log.rename(log.with_suffix(".away"))
        await eventually(lambda: heard.last_link.state is LinkState.MISSING)
        log.with_suffix(".away").rename(log)
        await eventually(lambda: heard.last_link.state is LinkState.LIVE)
        await eventually(lambda: sum(isinstance(event, CaughtUp) for event in heard.events) == 2)
    assert not heard.replaced


async def test_a_log_cut_to_nothing_goes_on_from_its_start_and_the_gap_is_told(way: Way, log: Path) -> None:
    append(log, b"2\n3\n")
    async with following(way.source(log)) as heard:
        await heard.has(b"1\n2\n3\n")
        os.truncate(log, 0)
        await eventually(lambda: heard.replaced)
        append(log, b"4\n")
        await heard.has(b"1\n2\n3\n4\n")
    assert changes(heard) == [("truncated", True)]


async def test_a_log_cut_and_grown_beyond_the_old_size_unseen_is_noticed(way: Way, log: Path) -> None:
    async with following(way.source(log, pace=replace(BRISK, poll_s=0.3, beat_s=0.3))) as heard:
        await heard.has(b"1\n")
        log.write_bytes(b"another text\n")
        await heard.has(b"1\nanother text\n")
    assert changes(heard) == [("truncated", True)]


async def test_a_copy_put_in_the_logs_place_is_gone_on_in(way: Way, log: Path, tmp_path: Path) -> None:
    """As rsync updates a file: a new one with the old bytes and more, renamed over it."""
    expected = LINES
    log.write_bytes(expected)
    async with following(way.source(log)) as heard:
        await heard.has(expected)
        for number in range(3):
            copy = tmp_path / ".copy"
            shutil.copy(log, copy)
            append(copy, b"%d\n" % number)
            copy.rename(log)
            expected += b"%d\n" % number
            await heard.has(expected)
    assert not heard.replaced
    assert set(heard.links) == {LinkState.CONNECTING, LinkState.LIVE}


async def test_a_symbolic_link_is_followed_to_its_new_end(way: Way, log: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_bytes(b"2\n")
    link = tmp_path / "latest"
    link.symlink_to(log)
    async with following(way.source(link)) as heard:
        await heard.has(b"1\n")
        (tmp_path / "new").symlink_to(other)
        (tmp_path / "new").rename(link)
        await heard.has(b"1\n2\n")
    assert changes(heard) == [("rotated", False)]


async def position_after(way: Way, log: Path) -> Position:
    source = way.source(log)
    assert isinstance(source, Follower)
    async with following(source) as heard:
        await heard.has(log.read_bytes())
    return source.position


async def test_a_position_is_gone_on_from(way: Way, log: Path) -> None:
    start = await position_after(way, log)
    append(log, b"2\n")
    source = way.source(log, start)
    events = [event async for event in source.events(follow=False)]
    assert [event for event in events if isinstance(event, Received)] == [Received(b"2\n", 2)]


@pytest.mark.parametrize(
    ("change", "data", "expected"),
    [
        ("rotate", b"2\n3\n", [("rotated", False)]),
        ("rotate twice", b"2\n4\n", [("rotated", True)]),
        ("replace", b"3\n", [("replaced", True)]),
        ("cut", b"", [("truncated", True)]),
        ("rewrite", b"x" * 2000, [("replaced", True)]),
        ("restore", b"2\n", []),
        ("restore beside a backup", b"2\n", []),
    ],
)
async def test_what_happened_to_a_log_meanwhile_is_told(
    way: Way, log: Path, change: str, data: bytes, expected: list[tuple[str, bool]]
) -> None:
    log.write_bytes(LINES)
    start = await position_after(way, log)
    CHANGES[change](log)
    events = [event async for event in way.source(log, start).events(follow=False)]
    heard = Heard()
    heard.events = events
    assert (heard.data, changes(heard)) == (data, expected)
    assert heard.is_caught_up


def _rotate(log: Path) -> None:
    append(log, b"2\n")
    log.rename(f"{log}.1")
    log.write_bytes(b"3\n")


def _rotate_twice(log: Path) -> None:
    _rotate(log)
    Path(f"{log}.1").rename(f"{log}.2")
    log.rename(f"{log}.1")
    log.write_bytes(b"4\n")


def _replace(log: Path) -> None:
    other = log.with_name("other")
    other.write_bytes(b"3\n")
    other.rename(log)


def _restore(log: Path) -> None:
    """As from a backup: the same bytes in a new file."""
    copy = log.with_name("copy")
    copy.write_bytes(log.read_bytes() + b"2\n")
    copy.rename(log)


def _restore_beside_backup(log: Path) -> None:
    copy = log.with_name("copy")
    copy.write_bytes(log.read_bytes() + b"2\n")
    log.rename(f"{log}~")
    copy.rename(log)


def _rewrite(log: Path) -> None:
    log.write_bytes(b"x" * 2000)


CHANGES: dict[str, Callable[[Path], object]] = {
    "rotate": _rotate,
    "rotate twice": _rotate_twice,
    "replace": _replace,
    "cut": lambda log: os.truncate(log, 0),
    "rewrite": _rewrite,
    "restore": _restore,
    "restore beside a backup": _restore_beside_backup,
}


async def test_a_successor_that_begins_alike_is_not_taken_for_the_same_log(way: Way, tmp_path: Path) -> None:
    """As tables do, whose header is all that was read."""
    log = tmp_path / "log.csv"
    log.write_bytes(b"step,loss\n")
    start = await position_after(way, log)
    append(log, b"1,4.0\n")
    log.rename(f"{log}.1")
    log.write_bytes(b"step,loss\n2,3.0\n")
    events = [event async for event in way.source(log, start).events(follow=False)]
    heard = Heard()
    heard.events = events
    assert (heard.data, changes(heard)) == (b"1,4.0\nstep,loss\n2,3.0\n", [("rotated", False)])


async def test_a_successor_that_nothing_was_read_of_is_not_forgotten(way: Way, log: Path) -> None:
    """The connection broke just after the change of file, and the file was changed again."""
    start = replace(Position(), stat=(await position_after(way, log)).stat)
    _rotate(log)
    events = [event async for event in way.source(log, start).events(follow=False)]
    heard = Heard()
    heard.events = events
    assert (heard.data, changes(heard)) == (b"1\n2\n3\n", [("rotated", False)])
