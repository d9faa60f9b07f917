"""Whatever breaks on the way and whatever happens to the file, each line arrives exactly once, in order."""

from __future__ import annotations

import asyncio
import os
import random
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.sources.listening import BRISK, Heard, following
from tests.sources.servers import Proxy, Server, serving, through_proxy
from tests.waiting import eventually
from tui.events import FileReplaced, Received
from tui.sources.open import open_source
from tui.sources.ssh import Connections
from tui.target import parse_target

FAULTS = 16
PATIENCE_S = 60.0


@dataclass
class Writer:
    """Numbers its lines, and does to its log what loggers and administrators do."""

    log: Path
    written: int = 0
    rotations: int = 0
    lost: set[int] = field(default_factory=set)

    def write(self, lines: int) -> None:
        """Append lines."""
        with self.log.open("ab") as file:
            for _ in range(lines):
                self.written += 1
                file.write(b'{"step": %d}\n' % self.written)

    def rotate(self) -> None:
        """Rename the log and begin a new one."""
        self.rotations += 1
        self.log.rename(f"{self.log}.{self.rotations}")
        self.write(1)

    def cut(self) -> None:
        """Cut the log short in place, as copytruncate does: what nobody has read is lost."""
        os.truncate(self.log, 0)
        self.write(1)


def numbers(heard: Heard) -> list[int]:
    """The numbers of the lines, with those lines left out that a cut of the file has broken."""
    lines: list[bytes] = []
    part = b""
    for event in heard.events:
        if isinstance(event, FileReplaced):
            part = b""
        elif isinstance(event, Received):
            *whole, part = (part + event.data).split(b"\n")
            lines += whole
    return [int(match[1]) for line in lines if (match := re.fullmatch(rb'{"step": (\d+)}', line))]


@dataclass
class Scene:
    """A log behind a server behind a proxy."""

    server: Server
    proxy: Proxy
    writer: Writer

    async def strike(self, fault: str) -> None:
        """Let one fault happen."""
        match fault:
            case "reset":
                self.proxy.cut()
            case "server":
                self.server.cut()
            case "clog":
                self.proxy.is_clogged = True
                await asyncio.sleep(BRISK.lost_s * 1.2)  # a fault that lasts, nothing is waited for
                self.proxy.is_clogged = False
            case "rotate":
                self.writer.rotate()
            case "cut":
                self.writer.cut()


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    log = tmp_path / "log.jsonl"
    log.touch()
    async with serving(Server(tmp_path / "server")) as server, through_proxy(server.port) as proxy:
        server.write_files(proxy.port)
        yield Scene(server, proxy, Writer(log))


def follow(scene: Scene) -> AbstractAsyncContextManager[Heard]:
    target = parse_target(f"ssh://someone@127.0.0.1:{scene.proxy.port}{scene.writer.log}")
    return following(open_source(target, Connections(scene.server.options), pace=BRISK))


async def test_every_line_arrives_once_while_the_way_breaks_and_the_log_is_rotated(scene: Scene) -> None:
    chance = random.Random(4)
    scene.writer.write(1)
    async with follow(scene) as heard:
        await eventually(lambda: heard.data)
        for fault in chance.choices(["reset", "server", "clog", "rotate"], [8, 8, 1, 4], k=FAULTS):
            scene.writer.write(chance.choice([1, 10, 2000]))
            await scene.strike(fault)
            if (
                fault == "rotate"
            ):  # a second one before this one was seen would be two, and a gap that is told
                await eventually(lambda: len(heard.replaced) == scene.writer.rotations, PATIENCE_S)
        scene.writer.write(10)
        await eventually(lambda: scene.writer.written in numbers(heard)[-1:], PATIENCE_S)
    assert numbers(heard) == list(range(1, scene.writer.written + 1))
    assert [event.gap for event in heard.replaced] == [False] * scene.writer.rotations


async def test_no_line_comes_twice_and_none_goes_untold_while_the_log_is_cut_short_too(scene: Scene) -> None:
    chance = random.Random(5)
    scene.writer.write(1)
    async with follow(scene) as heard:
        await eventually(lambda: heard.data)
        for fault in chance.choices(["reset", "server", "rotate", "cut"], k=FAULTS):
            scene.writer.write(chance.choice([1, 10, 2000]))
            await scene.strike(fault)
            await asyncio.sleep(
                chance.choice([0, 0, 0.3])
            )  # the follower sees each fault, or several at once
        scene.writer.write(10)
        await eventually(lambda: scene.writer.written in numbers(heard)[-1:], PATIENCE_S)
    got = numbers(heard)
    assert got == sorted(set(got))
    missing = scene.writer.written - len(got)
    assert missing == 0 or any(event.gap for event in heard.replaced)


async def test_a_long_log_comes_whole_over_many_cuts(scene: Scene) -> None:
    data = os.urandom(30_000_000)
    scene.writer.log.write_bytes(data)
    async with follow(scene) as heard:
        for share in range(1, 10):
            await heard.has_bytes(share * 3_000_000)
            scene.proxy.cut()
        await heard.has(data, PATIENCE_S)
    assert not heard.replaced


async def test_a_clogged_link_is_stale_before_it_is_given_up(scene: Scene) -> None:
    scene.writer.write(1)
    async with follow(scene) as heard:
        await heard.has(b'{"step": 1}\n')
        scene.proxy.is_clogged = True
        await eventually(lambda: "stale" in heard.links)
        await eventually(lambda: "retrying" in heard.links)
        scene.proxy.is_clogged = False
        scene.writer.write(1)
        await heard.has(b'{"step": 1}\n{"step": 2}\n')


async def test_what_a_login_prints_is_not_in_the_log(scene: Scene) -> None:
    scene.server.noise = b"Welcome to gpu-box!\n\x1b[31m*** maintenance on Monday ***\n no newline"
    scene.writer.write(1)
    async with follow(scene) as heard:
        await heard.has(b'{"step": 1}\n')


@pytest.mark.parametrize("shell", [["bash", "-c"], ["fish", "-c"], ["tcsh", "-f", "-c"], ["zsh", "-c"]])
async def test_any_login_shell_will_do(scene: Scene, shell: list[str]) -> None:
    if shutil.which(shell[0]) is None:
        pytest.skip(f"{shell[0]} is not installed")
    scene.server.shell = shell
    scene.writer.write(1)
    async with follow(scene) as heard:
        await heard.has(b'{"step": 1}\n')
