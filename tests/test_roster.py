"""Runs join a roster over time, keep their places, and are named apart."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.recorded import Recorded
from tests.sources.listening import BRISK
from tests.waiting import eventually
from tui.feed import Feed, FeedOptions
from tui.roster import Member, Pattern, Roster
from tui.sources.search import Search
from tui.sources.ssh import Connections
from tui.target import Target, parse_target


def open_run(target: Target) -> Feed:
    return Feed(target, Recorded(), FeedOptions(name=target.path))


def feed(address: str) -> Feed:
    return open_run(parse_target(address))


def pattern_for(folder: Path, *, is_named: bool = False) -> Pattern:
    search = Search(parse_target(f"{folder}/*/log.jsonl"), Connections(), BRISK, 0.05)
    return Pattern(search, open_run, is_named=is_named)


def names(roster: Roster) -> list[str]:
    return [run.name for run in roster.runs]


def make_run(folder: Path, name: str) -> None:
    (folder / name).mkdir()
    (folder / name / "log.jsonl").touch()


@asynccontextmanager
async def following(roster: Roster, pattern: Pattern) -> AsyncIterator[None]:
    task = asyncio.create_task(roster.follow(pattern))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def test_names_grow_as_neighbours_come() -> None:
    roster = Roster()
    roster.add(feed("box:/runs/a/log.jsonl"))
    assert names(roster) == ["log.jsonl"]
    roster.add(feed("box:/runs/b/log.jsonl"))
    assert names(roster) == ["a/log.jsonl", "b/log.jsonl"]
    roster.add(feed("gpu2:/runs/b/log.jsonl"))
    assert names(roster) == ["a/log.jsonl", "box:runs/b/log.jsonl", "gpu2:runs/b/log.jsonl"]


def test_a_name_of_the_configuration_stays() -> None:
    roster = Roster()
    named = Feed(parse_target("box:/runs/a/log.jsonl"), Recorded(), FeedOptions(name="drafter"))
    roster.add(named, is_named=True)
    roster.add(feed("box:/runs/b/log.jsonl"))
    assert names(roster) == ["drafter", "b/log.jsonl"]


def test_whoever_asks_is_told_of_all_that_is_there_and_all_that_comes() -> None:
    first, second = feed("box:/a.jsonl"), feed("box:/b.jsonl")
    roster = Roster([first])
    told: list[Member] = []
    roster.tell(told.append)
    revision = roster.revision
    roster.add(second)
    assert told == [first, second]
    assert roster.revision > revision
    assert roster.find("box:/b.jsonl") is second
    assert roster.find("box:/c.jsonl") is None


def test_a_member_that_leaves_gives_its_name_free() -> None:
    first, second = feed("box:/a/log.jsonl"), feed("box:/b/log.jsonl")
    roster = Roster()
    roster.add(first)
    roster.add(second)
    roster.drop(first)
    assert roster.places == (second,)
    assert names(roster) == ["log.jsonl"]


async def test_the_runs_of_a_pattern_stand_at_its_place_in_the_order_of_their_coming(tmp_path: Path) -> None:
    roster, pattern, last = Roster(), pattern_for(tmp_path), feed("box:/z.jsonl")
    told: list[Member] = []
    roster.tell(told.append)
    roster.seek(pattern)
    roster.add(last)
    assert roster.places == (pattern, last)
    async with following(roster, pattern):
        make_run(tmp_path, "b")
        await eventually(lambda: names(roster) == ["log.jsonl", "z.jsonl"])
        make_run(tmp_path, "a")
        await eventually(lambda: names(roster) == ["b/log.jsonl", "a/log.jsonl", "z.jsonl"])
    assert told == [pattern, last, *pattern.runs]
    assert list(roster.places) == [*pattern.runs, last]


async def test_a_run_whose_log_vanishes_stays_and_comes_only_once(tmp_path: Path) -> None:
    roster, pattern = Roster(), pattern_for(tmp_path)
    roster.seek(pattern)
    make_run(tmp_path, "a")
    async with following(roster, pattern):
        await eventually(lambda: len(roster.runs) == 1)
        (tmp_path / "a" / "log.jsonl").rename(tmp_path / "gone")
        make_run(tmp_path, "b")
        await eventually(lambda: len(roster.runs) == 2)
        (tmp_path / "gone").rename(tmp_path / "a" / "log.jsonl")
        make_run(tmp_path, "c")
        await eventually(lambda: len(roster.runs) == 3)
    assert names(roster) == ["a/log.jsonl", "b/log.jsonl", "c/log.jsonl"]


async def test_a_pattern_that_is_named_names_its_only_run(tmp_path: Path) -> None:
    search = Search(parse_target(f"{tmp_path}/*/log.jsonl"), Connections(), BRISK, 0.05)
    pattern = Pattern(
        search, lambda target: Feed(target, Recorded(), FeedOptions(name="drafter")), is_named=True
    )
    roster = Roster()
    roster.seek(pattern)
    make_run(tmp_path, "a")
    async with following(roster, pattern):
        await eventually(lambda: names(roster) == ["drafter"])
        make_run(tmp_path, "b")
        await eventually(lambda: names(roster) == ["a/log.jsonl", "b/log.jsonl"])
