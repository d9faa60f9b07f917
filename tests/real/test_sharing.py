"""Many logs on one real server: two connections at most, one session left for a probe, and every line exact."""

from __future__ import annotations

import random
import subprocess
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.real.fixtures import Container, Sshd, running_sshd
from tests.sources.listening import BRISK, Heard, following
from tests.waiting import eventually
from tui.sources.open import open_source
from tui.sources.probe import probe
from tui.sources.ssh import CONNECTIONS, SESSIONS, Connections
from tui.target import parse_target

pytestmark = pytest.mark.real

PATIENCE_S = 60.0


@dataclass
class Log:
    """A log that is written to and followed."""

    path: Path
    heard: Heard
    written: bytes = field(default=b"")

    def append(self, data: bytes) -> None:
        """Write to it."""
        with self.path.open("ab") as file:
            file.write(data)
        self.written += data


@asynccontextmanager
async def followed(
    address: str, inside: str, outside: Path, count: int, connections: Connections
) -> AsyncIterator[list[Log]]:
    """So many logs of a folder, followed over what they share."""
    outside.mkdir(exist_ok=True)
    async with AsyncExitStack() as stack:
        logs = []
        for number in range(count):
            path = outside / f"{number}.jsonl"
            path.touch()
            target = parse_target(f"{address}{inside}/{path.name}")
            heard = await stack.enter_async_context(following(open_source(target, connections, pace=BRISK)))
            logs.append(Log(path, heard))
            logs[-1].append(b"%d\n" % number)
        await all_there(logs)
        yield logs


async def all_there(logs: list[Log]) -> None:
    for log in logs:
        await log.heard.has(log.written, PATIENCE_S)


def write_at_random(logs: list[Log], chance: random.Random) -> None:
    for _ in range(5 * len(logs)):
        log = chance.choice(logs)
        log.append(b'{"step": %d}\n' % chance.randrange(10**9) * chance.choice([1, 1, 10, 20_000]))


def connections_of(sshd: Sshd) -> int:
    """How many connections the server has open, as the kernel counts them."""
    words = ["ss", "-Htn", "state", "established", f"( sport = :{sshd.port} )"]
    return len(subprocess.run(words, check=True, capture_output=True).stdout.splitlines())


async def test_seventy_logs_take_two_connections_at_most_and_leave_a_session_for_a_probe(
    sshd: Sshd, tmp_path: Path
) -> None:
    connections = Connections(sshd.options)
    async with followed(sshd.address, f"{tmp_path}/runs", tmp_path / "runs", 70, connections) as logs:
        assert connections_of(sshd) <= CONNECTIONS
        write_at_random(logs, random.Random(1))
        target = parse_target(f"{sshd.address}{tmp_path}")
        assert (await probe(target, ["echo", "free"], connections)).stdout == b"free\n"
        await all_there(logs)
        assert connections_of(sshd) <= CONNECTIONS
        assert not any(log.heard.replaced for log in logs)


async def test_logs_of_a_host_and_of_its_container_come_back_at_the_byte(
    sshd: Sshd, lxc: Container, tmp_path: Path
) -> None:
    chance, connections = random.Random(2), Connections(sshd.options)
    inside, outside = lxc.path("runs"), lxc.file("runs")
    async with (
        followed(sshd.address, f"{tmp_path}/runs", tmp_path / "runs", 10, connections) as logs,
        followed(f"{sshd.address}/{lxc.hop}:", inside, outside, 10, connections) as contained,
    ):
        for _ in range(3):
            write_at_random([*logs, *contained], chance)
            sshd.kill_sessions()
            write_at_random([*logs, *contained], chance)
            await all_there([*logs, *contained])
        assert connections_of(sshd) <= CONNECTIONS
        assert not any(log.heard.replaced for log in (*logs, *contained))


@pytest.mark.parametrize("most_sessions", [1, 2])
async def test_a_server_of_few_sessions_is_content_with_few_far_ends(
    tmp_path: Path, commands: Path, most_sessions: int
) -> None:
    (tmp_path / "sshd").mkdir()
    with running_sshd(tmp_path / "sshd", commands) as sshd:
        sshd.stop()
        config = sshd.folder / "sshd_config"
        config.write_text(config.read_text().replace("MaxSessions 10", f"MaxSessions {most_sessions}"))
        sshd.start()
        connections = Connections(sshd.options)
        async with followed(sshd.address, f"{tmp_path}/runs", tmp_path / "runs", 12, connections) as logs:
            write_at_random(logs, random.Random(3))
            await all_there(logs)
            assert connections_of(sshd) <= CONNECTIONS


async def test_as_many_places_as_two_connections_have_sessions_for_are_followed(
    sshd: Sshd, tmp_path: Path
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"1\n")
    connections = Connections(sshd.options)
    async with AsyncExitStack() as stack:
        for number in range(CONNECTIONS * SESSIONS):
            target = parse_target(f"{sshd.address}{log}", (f"env PLACE={number}",))
            heard = await stack.enter_async_context(following(open_source(target, connections, pace=BRISK)))
            await heard.has(b"1\n")
        assert connections_of(sshd) == CONNECTIONS
        assert (await probe(parse_target(f"{sshd.address}/any"), ["id", "-u"], connections)).status == 0
    await eventually(lambda: not connections_of(sshd))
