"""However a client goes, nothing of it stays running, neither on the host nor in the container."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.real.fixtures import Container, Sshd
from tests.sources.listening import BRISK, following
from tests.waiting import eventually
from tui.sources.open import open_source
from tui.sources.pace import Pace
from tui.sources.probe import stream
from tui.sources.ssh import Connections
from tui.target import parse_target

pytestmark = pytest.mark.real

LEAVING_S = 15.0
"""How long something may be left after a client's death, in seconds; seen here: less than one."""

CLIENT = """
import asyncio, sys
from contextlib import aclosing
from tui.events import CaughtUp
from tui.sources.open import open_source
from tui.sources.ssh import Connections
from tui.target import parse_target

async def follow(address, connections, waiting):
    async with aclosing(open_source(parse_target(address), connections).events(follow=True)) as events:
        async for event in events:
            if isinstance(event, CaughtUp):
                waiting.discard(address)
                if not waiting:
                    print("ready", flush=True)

async def main():
    connections, waiting = Connections(), set(sys.argv[1:])
    await asyncio.gather(*(follow(address, connections, waiting) for address in sys.argv[1:]))

asyncio.run(main())
"""


@dataclass
class FarEnds:
    """The processes on this machine, containers included, that are the far end for a log, or were started by it."""

    path: str
    nonces: set[str] = field(default_factory=set)

    def running(self) -> list[int]:
        """Their process ids; a child of a far end that has gone is found too, once the far end was seen."""
        ours = {pid for pid in _processes() if self.path in _command(pid)}
        self.nonces.update(
            nonce for pid in ours for nonce in re.findall("milepost\0([0-9a-f]{16})\0", _command(pid))
        )
        return [pid for pid in _processes() if pid in ours or _nonce(pid) in self.nonces]


def _processes() -> list[int]:
    return [
        int(entry.name)
        for entry in Path("/proc").iterdir()
        if entry.name.isdecimal() and int(entry.name) != os.getpid()
    ]


def _command(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace").split("\0")
    except OSError:
        return ""
    return "" if words[0] == sys.executable else "\0".join(words)


def _nonce(pid: int) -> str | None:
    try:
        found = re.search(rb"\0?MILEPOST=([0-9a-f]{16})\0", Path(f"/proc/{pid}/environ").read_bytes())
    except OSError:
        return None
    return found[1].decode() if found else None


@asynccontextmanager
async def client(*addresses: str, environment: dict[str, str]) -> AsyncIterator[asyncio.subprocess.Process]:
    """A program that follows logs and has caught up."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", CLIENT, *addresses, stdout=asyncio.subprocess.PIPE, env=environment
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(30):
            assert await process.stdout.readline() == b"ready\n"
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def assert_killed_client_leaves_nothing(address: str, path: str, environment: dict[str, str]) -> None:
    async with client(address, environment=environment) as process:
        ends = FarEnds(path)
        await eventually(lambda: any(_nonce(pid) in ends.nonces for pid in ends.running()))
        process.send_signal(signal.SIGKILL)
        await process.wait()
        await eventually(lambda: not ends.running(), LEAVING_S)


async def test_a_killed_client_leaves_nothing_on_the_host(sshd: Sshd, tmp_path: Path) -> None:
    path = str(tmp_path / "killed_ssh.jsonl")
    Path(path).write_text("1\n")
    await assert_killed_client_leaves_nothing(f"{sshd.address}{path}", path, sshd.environment)


async def test_a_killed_client_leaves_nothing_on_the_host_and_in_its_lxc_container(
    sshd: Sshd, lxc: Container
) -> None:
    lxc.file("killed_lxc.jsonl").write_text("1\n")
    path = lxc.path("killed_lxc.jsonl")
    await assert_killed_client_leaves_nothing(f"{sshd.address}/{lxc.hop}:{path}", path, sshd.environment)


async def test_a_killed_client_leaves_nothing_on_the_host_and_in_its_podman_container(
    sshd: Sshd, podman: Container
) -> None:
    podman.file("killed_podman.jsonl").write_text("1\n")
    path = podman.path("killed_podman.jsonl")
    await assert_killed_client_leaves_nothing(f"{sshd.address}/{podman.hop}:{path}", path, sshd.environment)


async def test_a_killed_client_leaves_nothing_in_a_container_on_this_machine(podman: Container) -> None:
    podman.file("killed_local.jsonl").write_text("1\n")
    path = podman.path("killed_local.jsonl")
    await assert_killed_client_leaves_nothing(f"{podman.hop}:{path}", path, dict(os.environ))


async def test_a_killed_client_of_many_logs_leaves_nothing(
    sshd: Sshd, lxc: Container, tmp_path: Path
) -> None:
    """Their far ends are shared, and each log is held open by a process there."""
    addresses = []
    lxc.file("many").mkdir()
    for number in range(8):
        (tmp_path / f"{number}.jsonl").write_text("1\n")
        lxc.file(f"many/{number}.jsonl").write_text("1\n")
        addresses.append(f"{sshd.address}{tmp_path}/{number}.jsonl")
        addresses.append(f"{sshd.address}/{lxc.hop}:{lxc.path(f'many/{number}.jsonl')}")
    ends = FarEnds(str(tmp_path)), FarEnds(lxc.path("many"))
    async with client(*addresses, environment=sshd.environment) as process:
        for each in ends:
            await eventually(lambda each=each: len(each.running()) > 8)  # type: ignore[misc]
        process.send_signal(signal.SIGKILL)
        await process.wait()
        for each in ends:
            await eventually(lambda each=each: not each.running(), LEAVING_S)  # type: ignore[misc]


async def test_a_container_that_ends_leaves_nothing_on_the_host(sshd: Sshd, lxc: Container) -> None:
    lxc.file("ended").mkdir()
    addresses = []
    for number in range(6):
        lxc.file(f"ended/{number}.jsonl").write_text("1\n")
        addresses.append(f"{sshd.address}/{lxc.hop}:{lxc.path(f'ended/{number}.jsonl')}")
    ends = FarEnds(lxc.path("ended"))
    async with client(*addresses, environment=sshd.environment):
        await eventually(lambda: len(ends.running()) > 6)
        old = set(ends.nonces)
        await asyncio.to_thread(lxc.stop)
        try:
            await eventually(lambda: not [pid for pid in _processes() if _says(pid, old)], LEAVING_S)
        finally:
            await asyncio.to_thread(lxc.start)


def _says(pid: int, nonces: set[str]) -> bool:
    return _nonce(pid) in nonces or any(nonce in _command(pid) for nonce in nonces)


@pytest.mark.parametrize("way", ["ssh", "lxc", "podman", "local podman"])
async def test_a_cancelled_listener_leaves_nothing(
    sshd: Sshd, lxc: Container, podman: Container, tmp_path: Path, way: str
) -> None:
    name = f"cancelled_{way.replace(' ', '_')}.jsonl"
    place = {"lxc": lxc, "podman": podman, "local podman": podman}.get(way)
    path = place.path(name) if place else str(tmp_path / name)
    (place.file(name) if place else tmp_path / name).write_text("1\n")
    hop = f"/{place.hop}:" if place else ""
    address = f"{place.hop}:{path}" if way == "local podman" and place else f"{sshd.address}{hop}{path}"
    async with following(open_source(parse_target(address), Connections(sshd.options), pace=BRISK)) as heard:
        await heard.has(b"1\n")
        ends = FarEnds(path)
        assert ends.running()
    await eventually(lambda: not ends.running(), LEAVING_S)


@pytest.mark.parametrize("way", ["ssh", "lxc"])
async def test_a_far_shell_that_is_killed_leaves_nothing(
    sshd: Sshd, lxc: Container, tmp_path: Path, way: str
) -> None:
    """As by somebody who frees memory: it could not end what it had started. BusyBox sees it when patience ends."""
    name, pace = f"shot_{way}.jsonl", Pace(patience_s=4) if way == "lxc" else Pace()
    path, file = (lxc.path(name), lxc.file(name)) if way == "lxc" else (str(tmp_path / name), tmp_path / name)
    file.write_text("1\n")
    address = f"{sshd.address}/{lxc.hop}:{path}" if way == "lxc" else f"{sshd.address}{path}"
    target, connections, ends = parse_target(address), Connections(sshd.options), FarEnds(path)
    command = ["sh", "-c", "while echo; do sleep 1; done", path]
    source = open_source(target, connections, pace=pace)
    async with following(source) as heard, stream(target, command, connections, pace):
        await heard.has(b"1\n")
        await eventually(lambda: len([pid for pid in ends.running() if _is_shell(pid)]) == 2)
        old = {*ends.nonces}
        for pid in [pid for pid in ends.running() if _is_shell(pid)]:
            os.kill(pid, signal.SIGKILL)
        await eventually(lambda: not [pid for pid in _processes() if _says(pid, old)], LEAVING_S)


def _is_shell(pid: int) -> bool:
    """Whether it is a far end's own shell, and not its watch, which is one of its children."""
    try:
        parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]
    except OSError:
        return False
    is_ours = re.match("sh\0-c\0[^\0]*\0milepost\0", _command(pid)) is not None
    return is_ours and not re.match("sh\0.*\0milepost\0", _command(int(parent)), re.DOTALL)


@pytest.mark.parametrize("way", ["lxc", "podman"])
async def test_a_far_end_without_a_client_ends_itself(
    sshd: Sshd, lxc: Container, podman: Container, way: str
) -> None:
    """As after a silent cut of the network: standard input stays open, but nothing comes."""
    place = lxc if way == "lxc" else podman
    path = place.path(f"silent_{way}.jsonl")
    place.file(f"silent_{way}.jsonl").write_text("1\n")
    mute = Pace(beat_s=1000, poll_s=1000, patience_s=1)
    address = f"{sshd.address}/{place.hop}:{path}"
    async with following(open_source(parse_target(address), Connections(sshd.options), pace=mute)) as heard:
        await heard.has(b"1\n")
        ends = FarEnds(path)
        assert ends.running()
        await eventually(lambda: not ends.running(), LEAVING_S)
