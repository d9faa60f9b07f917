"""Logs are followed through a real sshd and real containers, over breaks and rotation, exact to the byte."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.real.fixtures import Container, Sshd
from tests.real.test_leaving import FarEnds
from tests.sources.listening import BRISK, following
from tests.waiting import eventually
from tui.events import LinkState
from tui.sources.open import open_source
from tui.sources.ssh import Connections
from tui.target import parse_target

pytestmark = pytest.mark.real


def append(file: Path, data: bytes) -> None:
    with file.open("ab") as log:
        log.write(data)


def kill(processes: list[int]) -> None:
    """Kill them all; one that ends because another was killed is dead too."""
    for pid in processes:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


async def test_what_is_appended_in_a_container_arrives(sshd: Sshd, lxc: Container) -> None:
    lxc.file("grows.jsonl").write_bytes(b"1\n")
    source = open_source(
        parse_target(f"{sshd.address}/{lxc.hop}:{lxc.path('grows.jsonl')}"),
        Connections(sshd.options),
        pace=BRISK,
    )
    async with following(source) as heard:
        await heard.has(b"1\n")
        append(lxc.file("grows.jsonl"), b"2\n3")
        await heard.has(b"1\n2\n3")
        assert heard.links == [LinkState.CONNECTING, LinkState.LIVE]


async def test_the_stream_goes_on_at_the_byte_when_every_connection_is_killed(
    sshd: Sshd, lxc: Container
) -> None:
    log = lxc.file("killed.jsonl")
    log.write_bytes(b"1\n")
    source = open_source(
        parse_target(f"{sshd.address}/{lxc.hop}:{lxc.path('killed.jsonl')}"),
        Connections(sshd.options),
        pace=BRISK,
    )
    async with following(source) as heard:
        await heard.has(b"1\n")
        expected = b"1\n"
        for number in range(2, 5):
            sshd.kill_sessions()
            append(log, b"%d\n" % number)
            expected += b"%d\n" % number
            await heard.has(expected)
        assert LinkState.RETRYING in heard.links
        assert not heard.replaced


async def test_the_stream_goes_on_when_the_far_end_is_killed_in_the_container(
    sshd: Sshd, lxc: Container
) -> None:
    log = lxc.file("far_killed.jsonl")
    log.write_bytes(b"1\n")
    path = lxc.path("far_killed.jsonl")
    source = open_source(
        parse_target(f"{sshd.address}/{lxc.hop}:{path}"), Connections(sshd.options), pace=BRISK
    )
    async with following(source) as heard:
        await heard.has(b"1\n")
        kill(FarEnds(path).running())
        append(log, b"2\n")
        await heard.has(b"1\n2\n")


async def test_a_frozen_far_end_is_stale_and_then_given_up(sshd: Sshd, lxc: Container) -> None:
    log = lxc.file("frozen.jsonl")
    log.write_bytes(b"1\n")
    path = lxc.path("frozen.jsonl")
    source = open_source(
        parse_target(f"{sshd.address}/{lxc.hop}:{path}"), Connections(sshd.options), pace=BRISK
    )
    async with following(source) as heard:
        await heard.has(b"1\n")
        frozen = FarEnds(path).running()
        for pid in frozen:
            os.kill(pid, signal.SIGSTOP)
        try:
            append(log, b"2\n")
            await heard.has(b"1\n2\n")
            assert heard.links[2:5] == [LinkState.STALE, LinkState.RETRYING, LinkState.CONNECTING]
        finally:
            kill(frozen)


async def test_a_container_that_is_removed_and_comes_back_is_told(
    sshd: Sshd, lxc: Container, commands: Path
) -> None:
    """The container's name is changed instead, in the stand-in for pct: all tests share the container."""
    log = lxc.file("away.jsonl")
    log.write_bytes(b"1\n")
    path = lxc.path("away.jsonl")
    source = open_source(
        parse_target(f"{sshd.address}/{lxc.hop}:{path}"), Connections(sshd.options), pace=BRISK
    )
    pct = commands / "pct"
    script = pct.read_text()
    async with following(source) as heard:
        await heard.has(b"1\n")
        pct.write_text("#!/bin/sh\necho \"container '$2' not running!\" >&2; exit 255\n")
        try:
            kill(FarEnds(path).running())
            await eventually(lambda: LinkState.MISSING in heard.links)
        finally:
            pct.write_text(script)
        append(log, b"2\n")
        await heard.has(b"1\n2\n")


async def test_a_log_rotated_in_a_container_is_finished_before_its_successor(
    sshd: Sshd, lxc: Container
) -> None:
    log = lxc.file("rotated.jsonl")
    log.write_bytes(b"1\n")
    source = open_source(
        parse_target(f"{sshd.address}/{lxc.hop}:{lxc.path('rotated.jsonl')}"),
        Connections(sshd.options),
        pace=BRISK,
    )
    async with following(source) as heard:
        await heard.has(b"1\n")
        append(log, b"2\n")
        log.rename(lxc.file("rotated.jsonl.1"))
        log.write_bytes(b"3\n")
        await heard.has(b"1\n2\n3\n")
        assert [(event.reason, event.gap) for event in heard.replaced] == [("rotated", False)]


async def test_a_log_rotated_during_a_break_is_finished_before_its_successor(
    sshd: Sshd, lxc: Container
) -> None:
    log = lxc.file("rotated_away.jsonl")
    log.write_bytes(b"1\n")
    target = parse_target(f"{sshd.address}/{lxc.hop}:{lxc.path('rotated_away.jsonl')}")
    source = open_source(target, Connections(sshd.options), pace=BRISK)
    async with following(source) as heard:
        await heard.has(b"1\n")
        append(log, b"2\n")
        log.rename(lxc.file("rotated_away.jsonl.1"))
        log.write_bytes(b"3\n")
        sshd.kill_sessions()
        await heard.has(b"1\n2\n3\n")
        assert [(event.reason, event.gap) for event in heard.replaced] == [("rotated", False)]


async def test_a_retry_on_request_does_not_wait(sshd: Sshd, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(b"1\n")
    slow = replace(BRISK, first_retry_s=1000, last_retry_s=1000)
    source = open_source(
        parse_target(f"{sshd.address}{tmp_path}/log.jsonl"), Connections(sshd.options), pace=slow
    )
    async with following(source) as heard:
        await heard.has(b"1\n")
        sshd.kill_sessions()
        await eventually(lambda: LinkState.RETRYING in heard.links)
        append(tmp_path / "log.jsonl", b"2\n")
        source.retry_now()
        await heard.has(b"1\n2\n")
