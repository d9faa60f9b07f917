"""A pattern is looked for again and again, here and at the far end alike."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.sources.listening import BRISK
from tests.waiting import eventually
from tui.events import LinkChanged, LinkState
from tui.sources.search import Search
from tui.sources.ssh import Connections
from tui.target import parse_target

LOOK_S = 0.05


@pytest.fixture(params=[(), ("env",)], ids=["here", "far"])
def via(request: pytest.FixtureRequest) -> tuple[str, ...]:
    prefix: tuple[str, ...] = request.param
    return prefix


@asynccontextmanager
async def searching(search: Search) -> AsyncIterator[list[LinkChanged]]:
    """The link's states, as they come while the search goes on."""
    links: list[LinkChanged] = []

    async def listen() -> None:
        async for event in search.events(follow=True):
            if isinstance(event, LinkChanged):
                links.append(event)

    task = asyncio.create_task(listen())
    try:
        yield links
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def search_for(pattern: Path, via: tuple[str, ...], look_s: float = LOOK_S) -> Search:
    return Search(parse_target(str(pattern), via), Connections(), BRISK, look_s)


def names(search: Search) -> list[str]:
    return [Path(target.path).name for target in search.matches.targets]


async def test_what_comes_later_is_found_too_and_what_goes_is_no_match(
    via: tuple[str, ...], tmp_path: Path
) -> None:
    search = search_for(tmp_path / "*.jsonl", via)
    async with searching(search) as links:
        await eventually(lambda: links and links[-1].state is LinkState.MISSING)
        assert "nothing matches" in (links[-1].detail or "")
        (tmp_path / "one.jsonl").touch()
        await eventually(lambda: names(search) == ["one.jsonl"])
        await eventually(lambda: links[-1].state is LinkState.LIVE)
        (tmp_path / "größe 2.jsonl").touch()
        await eventually(lambda: names(search) == ["größe 2.jsonl", "one.jsonl"])
        (tmp_path / "one.jsonl").unlink()
        await eventually(lambda: names(search) == ["größe 2.jsonl"])


async def test_a_retry_looks_at_once(via: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").touch()
    search = search_for(tmp_path / "*.jsonl", via, look_s=3600)
    async with searching(search):
        await eventually(lambda: names(search) == ["one.jsonl"])
        (tmp_path / "two.jsonl").touch()

        def look_again() -> bool:
            search.retry_now()
            return names(search) == ["one.jsonl", "two.jsonl"]

        await eventually(look_again)


async def test_a_search_that_is_lost_comes_back(tmp_path: Path) -> None:
    """The far end is told to give up; the next connection goes on looking."""
    (tmp_path / "one.jsonl").touch()
    target = parse_target(str(tmp_path / "*.jsonl"), ("env",))
    search = Search(target, Connections(), replace(BRISK, patience_s=0.2), 2.0)
    async with searching(search) as links:
        await eventually(lambda: LinkState.RETRYING in [link.state for link in links])
        (tmp_path / "two.jsonl").touch()
        await eventually(lambda: names(search) == ["one.jsonl", "two.jsonl"])
