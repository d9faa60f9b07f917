from __future__ import annotations

import asyncio
import selectors
import shutil
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest

from tests.waiting import PATIENCE_S
from tui.sources.waking import changes


async def _next(events: AsyncIterator[None]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        await anext(events)


async def test_a_line_that_is_appended_wakes(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("one\n")
    async with aclosing(changes(tmp_path)) as events:  # type: ignore[type-var]
        waiting = asyncio.ensure_future(_next(events))
        await asyncio.sleep(0)
        with log.open("a") as file:
            file.write("two\n")
        await waiting


async def test_what_changes_between_two_looks_is_not_lost(tmp_path: Path) -> None:
    async with aclosing(changes(tmp_path)) as events:  # type: ignore[type-var]
        waiting = asyncio.ensure_future(_next(events))
        await asyncio.sleep(0)
        for number in range(5):
            (tmp_path / f"{number}").write_text("1")
            await waiting
            waiting = asyncio.ensure_future(_next(events))
        (tmp_path / "last").write_text("2")
        await waiting


async def test_a_folder_that_goes_ends_it(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()

    async def count() -> int:
        return len([None async for _ in changes(folder)])

    waiting = asyncio.ensure_future(count())
    await asyncio.sleep(0)
    shutil.rmtree(folder)
    async with asyncio.timeout(PATIENCE_S):
        assert await waiting >= 1


async def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        await _next(changes(tmp_path / "none"))


class Counting(selectors.DefaultSelector):
    """Counts how often the loop looks for something to do."""

    looks = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.looks += 1
        return super().select(timeout)


def test_what_waits_to_be_read_does_not_wake_the_loop_over_and_over(tmp_path: Path) -> None:
    selector = Counting()

    async def wait() -> int:
        async with aclosing(changes(tmp_path)) as events:  # type: ignore[type-var]
            waiting = asyncio.ensure_future(_next(events))
            await asyncio.sleep(0)
            (tmp_path / "first").write_text("1")
            await waiting
            waiting = asyncio.ensure_future(_next(events))
            await asyncio.sleep(0)
            before = selector.looks
            (tmp_path / "second").write_text("2")  # within the pause after the first
            await waiting
            return selector.looks - before

    loop = asyncio.SelectorEventLoop(selector)
    try:
        assert loop.run_until_complete(wait()) < 20
    finally:
        loop.close()
