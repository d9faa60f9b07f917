"""Logs of one place share far ends and connections, and nothing of one log disturbs another."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.sources.listening import BRISK, Heard, following
from tests.sources.servers import Server, serving, through_proxy
from tests.waiting import eventually
from tui.events import LinkState
from tui.sources.lanes import FEW_LANES, MANY_LOGS
from tui.sources.open import open_source
from tui.sources.ssh import CONNECTIONS, SESSIONS, Connections, SshOptions
from tui.target import parse_target


@dataclass
class Runs:
    """Logs of which all are followed."""

    paths: Sequence[Path]
    heard: Sequence[Heard]

    def append(self, data: bytes) -> None:
        """Write to each, its own number first."""
        for number, path in enumerate(self.paths):
            with path.open("ab") as file:
                file.write(b"%d: %s" % (number, data))

    async def have(self, *parts: bytes) -> None:
        """Wait until each has just these parts."""
        for number, heard in enumerate(self.heard):
            await heard.has(b"".join(b"%d: %s" % (number, part) for part in parts))


@asynccontextmanager
async def followed(
    address: str, folder: Path, count: int, connections: Connections, via: tuple[str, ...] = ()
) -> AsyncIterator[Runs]:
    """So many logs in a folder, each with a first line."""
    paths = [folder / f"log {number}.jsonl" for number in range(count)]
    for number, path in enumerate(paths):
        path.write_bytes(b"%d: first\n" % number)
    async with AsyncExitStack() as stack:
        sources = [
            open_source(parse_target(f"{address}{path}", via), connections, pace=BRISK) for path in paths
        ]
        runs = Runs(paths, [await stack.enter_async_context(following(source)) for source in sources])
        await runs.have(b"first\n")
        yield runs


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    async with serving(Server(tmp_path / "server")) as running:
        yield running


async def test_a_few_logs_have_a_far_end_each_and_many_share(tmp_path: Path, server: Server) -> None:
    connections = Connections(server.options)
    async with followed(server.address, tmp_path, FEW_LANES, connections):
        assert server.sessions == FEW_LANES
    async with followed(server.address, tmp_path, FEW_LANES * MANY_LOGS, connections):
        assert server.sessions == FEW_LANES
        assert len([each for each in server.connections if not each.is_closed()]) == 1
    await eventually(lambda: server.sessions == 0)


async def test_logs_that_share_a_far_end_arrive_each_by_itself(tmp_path: Path) -> None:
    async with followed("", tmp_path, 20, Connections(), ("env",)) as runs:
        for part in (b"second\n", b"half", b" and whole\n" * 5000):
            runs.append(part)
        await runs.have(b"first\n", b"second\n", b"half", b" and whole\n" * 5000)


async def test_a_rotation_a_cut_and_a_removal_disturb_no_other_log(tmp_path: Path) -> None:
    async with followed("", tmp_path, 16, Connections(), ("env",)) as runs:
        rotated, cut, removed = runs.paths[:3]
        runs.append(b"second\n")
        rotated.rename(f"{rotated}.1")
        rotated.write_bytes(b"0: new\n")
        await eventually(lambda: runs.heard[0].replaced)
        await runs.heard[0].has(b"0: first\n0: second\n0: new\n")
        await runs.heard[1].has(b"1: first\n1: second\n")
        os.truncate(cut, 0)
        removed.unlink()
        await eventually(lambda: runs.heard[1].replaced)
        await eventually(lambda: runs.heard[2].last_link.state is LinkState.MISSING)
        for number, heard in enumerate(runs.heard[3:], 3):
            await heard.has(b"%d: first\n%d: second\n" % (number, number))
            assert heard.links == [LinkState.CONNECTING, LinkState.LIVE]
            assert not heard.replaced


async def test_a_missing_log_and_a_folder_disturb_no_other_log(tmp_path: Path) -> None:
    connections = Connections()
    missing = open_source(parse_target(str(tmp_path / "nope.jsonl"), ("env",)), connections, pace=BRISK)
    folder = open_source(parse_target(str(tmp_path), ("env",)), connections, pace=BRISK)
    async with (
        followed("", tmp_path, 6, connections, ("env",)) as runs,
        following(missing) as absent,
        following(folder) as newest,
    ):
        await eventually(lambda: LinkState.MISSING in absent.links)
        await eventually(lambda: newest.data)
        runs.append(b"second\n")
        await runs.have(b"first\n", b"second\n")
        (tmp_path / "nope.jsonl").write_bytes(b"late\n")
        await absent.has(b"late\n")


async def test_a_long_catch_up_does_not_keep_the_others_waiting(tmp_path: Path, server: Server) -> None:
    long = tmp_path / "long.jsonl"
    long.write_bytes(os.urandom(1_000_000) * 100)
    connections = Connections(server.options)
    async with through_proxy(server.port) as proxy:
        server.write_files(proxy.port)
        address = f"ssh://someone@127.0.0.1:{proxy.port}"
        async with followed(address, tmp_path, FEW_LANES * 2, connections) as runs:
            proxy.piece_bytes, proxy.pause_s = 20_000, 0.01  # two megabytes a second
            async with following(
                open_source(parse_target(f"{address}{long}"), connections, pace=BRISK)
            ) as heard:
                await heard.has_bytes(1_000_000)
                for number in range(1, 4):
                    runs.append(b"%d\n" % number)
                    await runs.have(b"first\n", *(b"%d\n" % each for each in range(1, number + 1)))
                assert len(heard.data) < 100_000_000
            proxy.pause_s = 0.0


async def test_all_logs_come_back_at_the_byte_over_one_login(tmp_path: Path, server: Server) -> None:
    connections = Connections(server.options)
    async with followed(server.address, tmp_path, 30, connections) as runs:
        for number in range(3):
            before = server.logins
            server.cut()
            runs.append(b"%d\n" % number)
            await runs.have(b"first\n", *(b"%d\n" % each for each in range(number + 1)))
            assert server.logins == before + 1
        assert not any(heard.replaced for heard in runs.heard)


async def test_a_silent_far_end_is_given_up_for_all_its_logs_at_once(tmp_path: Path, server: Server) -> None:
    connections = Connections(server.options)
    async with through_proxy(server.port) as proxy:
        server.write_files(proxy.port)
        async with followed(f"ssh://someone@127.0.0.1:{proxy.port}", tmp_path, 12, connections) as runs:
            proxy.forget()
            runs.append(b"second\n")
            await runs.have(b"first\n", b"second\n")
            assert all(LinkState.STALE in heard.links for heard in runs.heard)


async def test_more_places_than_two_connections_take_are_told(tmp_path: Path, server: Server) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"1\n")
    connections = Connections(server.options)
    places = [
        open_source(parse_target(f"{server.address}{log}", (f"env PLACE={number}",)), connections, pace=BRISK)
        for number in range(CONNECTIONS * SESSIONS + 1)
    ]
    async with AsyncExitStack() as stack:
        heard = [await stack.enter_async_context(following(place)) for place in places]
        await eventually(lambda: sum(each.data == b"1\n" for each in heard) == len(heard) - 1)
        await eventually(lambda: any("no session left" in (each.last_link.detail or "") for each in heard))
        assert len(server.connections) == CONNECTIONS


async def test_a_file_system_that_hangs_holds_up_the_others_once_only(tmp_path: Path) -> None:
    """Its log is read over a far end of its own from then on."""
    commands = tmp_path / "commands"
    commands.mkdir()
    stat = commands / "stat"
    stat.write_text(
        f'#!/bin/sh\ncase $* in *hanging*) exec sleep 98765 ;; esac\nexec {shutil.which("stat")} "$@"\n'
    )
    stat.chmod(0o755)
    via = (f"env PATH={commands}:{os.environ['PATH']}",)
    connections = Connections()
    hanging = tmp_path / "hanging.jsonl"
    hanging.write_bytes(b"1\n")
    async with followed("", tmp_path, FEW_LANES * 2, connections, via) as runs:
        source = open_source(parse_target(str(hanging), via), connections, pace=BRISK)
        async with following(source) as heard:
            await eventually(lambda: heard.links.count(LinkState.RETRYING) >= 3)
            runs.append(b"second\n")
            await runs.have(b"first\n", b"second\n")
            assert all(each.links.count(LinkState.RETRYING) <= 1 for each in runs.heard)
            sound = tmp_path / "stat"
            sound.symlink_to(str(shutil.which("stat")))
            sound.replace(stat)  # what runs now can't be written to
            await heard.has(b"1\n")


async def test_two_names_of_one_login_share_a_connection(tmp_path: Path, server: Server) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"1\n")
    config = tmp_path / "config"
    config.write_text(
        f"Host one two\n HostName 127.0.0.1\n Port {server.port}\n User someone\n IdentityFile {server.key_file}\n"
    )
    connections = Connections(SshOptions((config,), (server.known_hosts,)))
    async with (
        following(open_source(parse_target(f"one:{log}"), connections, pace=BRISK)) as one,
        following(open_source(parse_target(f"two:{log}"), connections, pace=BRISK)) as two,
    ):
        await one.has(b"1\n")
        await two.has(b"1\n")
        assert len(server.connections) == 1


async def test_a_log_that_is_left_is_let_go_while_the_others_go_on(tmp_path: Path) -> None:
    connections = Connections()
    async with followed("", tmp_path, FEW_LANES * 2, connections, ("env",)) as runs:
        leaver = tmp_path / "leaver.jsonl"
        leaver.write_bytes(b"1\n")
        async with following(
            open_source(parse_target(str(leaver), ("env",)), connections, pace=BRISK)
        ) as heard:
            await heard.has(b"1\n")
            await eventually(lambda: holders(leaver))
        await eventually(lambda: not holders(leaver))
        runs.append(b"second\n")
        await runs.have(b"first\n", b"second\n")


def holders(path: Path) -> list[str]:
    """The processes that hold a file open."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            if entry.readlink() == path:
                found.append(entry.parts[2])
        except OSError:  # it has just ended
            continue
    return found
