"""What following costs the far side, how soon a line arrives, and how many bytes that takes.

    python -m tests.bench.following

The way is an OpenSSH server on loopback. The far side's share is the CPU of the processes of ours there, and of what
they started and waited for, by /proc; a bare `tail -F` of the same log stands beside it.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.real.fixtures import Sshd, running_sshd
from tests.waiting import eventually
from tui.events import CaughtUp, Glimpsed, LinkChanged, LinkState, Received
from tui.sources.demo.trainer import simulate, write_line
from tui.sources.open import open_source
from tui.sources.ssh import Connections, SshOptions
from tui.target import parse_target

LINE = b'{"step": 123456, "loss": 1.23456789, "grad_norm": 0.98765, "lr": 0.0003, "tokens_per_s": 26011.5}\n'
RATE_BYTES = 1_000_000
SPAN_S = 20.0
APPENDS = 200
QUIET_LOGS = (1, 30)
CATCH_UP_BYTES = 20_000_000
LONG_BYTES, SHORT_BYTES = 150_000_000, 200_000

_FIRST_WORD = re.compile(rb"\0milepost\0([0-9a-f]{16})\0")
_TICK_S = 1 / os.sysconf("SC_CLK_TCK")


@dataclass
class Ear:
    """What has arrived of a log."""

    size: int = 0
    first_s: float | None = None
    live_s: float | None = None
    caught_up: bool = False
    arrivals: list[float] = field(default_factory=list)

    def hear(self, event: object) -> None:
        now_s = time.monotonic()
        match event:
            case LinkChanged(LinkState.LIVE):
                self.live_s = self.live_s or now_s
            case Glimpsed():
                self.first_s = self.first_s or now_s
            case Received(data):
                self.first_s = self.first_s or now_s
                self.size += len(data)
                self.arrivals.append(now_s)
            case CaughtUp():
                self.caught_up = True


@asynccontextmanager
async def following(connections: Connections, address: str, *, glimpses: bool = False) -> AsyncIterator[Ear]:
    """Follow a log at the true pace."""
    ear = Ear()
    source = open_source(parse_target(address), connections, has_glimpses=glimpses)

    async def listen() -> None:
        async with aclosing(source.events(follow=True)) as events:
            async for event in events:
                ear.hear(event)

    task = asyncio.create_task(listen())
    try:
        yield ear
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def far_cpu_s(folder: Path) -> float:
    """The CPU seconds of the far ends for logs of a folder, with all that they started and waited for."""
    commands = {pid: words for pid, words in _read_all("cmdline") if os.fsencode(folder) in words}
    nonces = {match[1] for command in commands.values() if (match := _FIRST_WORD.search(command))}
    started = [pid for pid, words in _read_all("environ") if any(b"MILEPOST=" + n in words for n in nonces)]
    ours = [pid for pid, command in commands.items() if _FIRST_WORD.search(command)]
    return sum(cpu_s(pid) for pid in {*ours, *started})


def _read_all(name: str) -> Iterator[tuple[int, bytes]]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                yield int(entry.name), (entry / name).read_bytes()
            except OSError:
                continue


def cpu_s(pid: int) -> float:
    """A process's CPU seconds and those of its children that have ended: to the nanosecond for its own."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        own_s = int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    except OSError:
        return 0.0
    return own_s + (int(fields[13]) + int(fields[14])) * _TICK_S


@contextmanager
def bare_tail(log: Path) -> Iterator[int]:
    """`tail -F` of the log into a pipe that is emptied; its process id."""
    tail = subprocess.Popen(["tail", "-F", str(log)], stdout=subprocess.PIPE)
    assert tail.stdout is not None
    sink = subprocess.Popen(["cat"], stdin=tail.stdout, stdout=subprocess.DEVNULL)
    try:
        yield tail.pid
    finally:
        for process in (tail, sink):
            process.kill()
            process.wait()


async def write_lines(log: Path, span_s: float) -> int:
    """Write single lines, each by a call of its own."""
    return await _write(log, span_s, LINE, 0.001)


async def write_large(log: Path, span_s: float) -> int:
    """Write ten times a second."""
    return await _write(log, span_s, LINE * (RATE_BYTES // 10 // len(LINE)), 0.01)


async def _write(log: Path, span_s: float, piece: bytes, nap_s: float) -> int:
    written, began_s = 0, time.monotonic()
    with log.open("ab", buffering=0) as file:
        while (time_s := time.monotonic() - began_s) < span_s:
            while written < time_s * RATE_BYTES:
                written += file.write(piece)
            await asyncio.sleep(nap_s)
    return written


async def measure_growth(
    sshd: Sshd, folder: Path, shape: str, write: Callable[[Path, float], object]
) -> None:
    """The CPU of both sides by side, on one log."""
    log = folder / f"{shape}.jsonl"
    log.write_bytes(LINE * 100)
    connections = Connections(sshd.options)
    async with following(connections, f"{sshd.address}{log}") as ear:
        await eventually(lambda: ear.caught_up)
        with bare_tail(log) as tail:
            await write(log, 5.0)  # type: ignore[misc]
            ours_s, tails_s, began_s = far_cpu_s(folder), cpu_s(tail), time.monotonic()
            await write(log, SPAN_S)  # type: ignore[misc]
            time_s = time.monotonic() - began_s
            ours, tails = (far_cpu_s(folder) - ours_s) / time_s * 1e3, (cpu_s(tail) - tails_s) / time_s * 1e3
            size = log.stat().st_size
            await eventually(lambda: ear.size == size)
    print(f"1 MB/s, {shape:<13} {ours:6.2f} ms/s against {tails:6.2f} of tail -F: {ours / tails:.2f} times")


async def measure_quiet(sshd: Sshd, folder: Path, logs: int) -> None:
    """The CPU while nothing happens."""
    connections = Connections(sshd.options)
    paths = [folder / f"quiet{number}.jsonl" for number in range(logs)]
    async with _all_following(connections, [f"{sshd.address}{path}" for path in paths], paths) as ears:
        await eventually(lambda: all(ear.caught_up for ear in ears))
        await asyncio.sleep(6)  # past the first beat: the bells are on
        before_s, began_s = far_cpu_s(folder), time.monotonic()
        await asyncio.sleep(SPAN_S)
        each = (far_cpu_s(folder) - before_s) / (time.monotonic() - began_s) * 1e3 / logs
    print(f"quiet, {logs:>2} logs        {each:6.3f} ms/s a log")


@asynccontextmanager
async def _all_following(
    connections: Connections, addresses: list[str], paths: list[Path]
) -> AsyncIterator[list[Ear]]:
    for path in paths:
        path.write_bytes(LINE)
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(following(connections, address)) for address in addresses]


async def measure_delay(sshd: Sshd, folder: Path, pause_s: float) -> None:
    """How long after its writing a line arrives."""
    log = folder / f"delay{pause_s:g}.jsonl"
    log.write_bytes(LINE)
    delays_ms = []
    async with following(Connections(sshd.options), f"{sshd.address}{log}") as ear:
        await eventually(lambda: ear.caught_up)
        await asyncio.sleep(1)
        for number in range(int(min(APPENDS, SPAN_S * 2 / pause_s))):
            count = len(ear.arrivals)
            began_s = time.monotonic()
            with log.open("ab") as file:
                file.write(LINE)
            await eventually(lambda count=count: len(ear.arrivals) > count)  # type: ignore[misc]
            delays_ms.append((ear.arrivals[-1] - began_s) * 1e3)
            await asyncio.sleep(pause_s * (0.8 + number % 5 * 0.1))
    delays_ms.sort()
    middle, high = delays_ms[len(delays_ms) // 2], delays_ms[int(len(delays_ms) * 0.99)]
    print(f"a line each {pause_s:3g} s     p50 {middle:.0f} ms, p99 {high:.0f} ms of {len(delays_ms)}")


async def measure_wire(sshd: Sshd, folder: Path, ssh_config: str) -> None:
    """The bytes that come over the connection for each byte of the log of a training run."""
    log = folder / "wire.jsonl"
    with log.open("w") as file:
        while file.tell() < CATCH_UP_BYTES:
            file.writelines(map(write_line, simulate("drafter", seed=file.tell())))
    async with counting(sshd.port) as (port, counted):
        began_s = time.monotonic()
        address = f"ssh://{sshd.user}@127.0.0.1:{port}{log}"
        async with following(Connections(_options(sshd, port, ssh_config)), address) as ear:
            await eventually(lambda: ear.caught_up, 60)
        time_s = time.monotonic() - began_s
    share = counted[0] / log.stat().st_size
    told = ssh_config or "as it is"
    print(
        f"on the wire          {share:.4f} bytes a byte of {ear.size / 1e6:.0f} MB, in {time_s:.1f} s ({told})"
    )


@asynccontextmanager
async def counting(target_port: int) -> AsyncIterator[tuple[int, list[int]]]:
    """A relay to a port of this machine, which counts the bytes that come back."""
    counted = [0]

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        onward_reader, onward_writer = await asyncio.open_connection("127.0.0.1", target_port)
        await asyncio.gather(pour(reader, onward_writer, [0]), pour(onward_reader, writer, counted))

    async def pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, count: list[int]) -> None:
        while data := await reader.read(256 * 1024):
            count[0] += len(data)
            writer.write(data)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(relay, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1], counted
    finally:
        server.close()


def _options(sshd: Sshd, port: int, ssh_config: str) -> SshOptions:
    known, config = sshd.folder / f"known_hosts_{port}", sshd.folder / f"config_{port}"
    known.write_text(f"[127.0.0.1]:{port} {(sshd.folder / 'host_key.pub').read_text()}")
    config.write_text(f"{ssh_config}\n")
    return SshOptions((config,), (known,), (sshd.folder / "user_key",))


async def measure_first(sshd: Sshd, folder: Path) -> None:
    """How soon the first part of a long log is there, against a short one's."""
    times_s = {}
    for name, size in (("short", SHORT_BYTES), ("long", LONG_BYTES)):
        log = folder / f"{name}.jsonl"
        log.write_bytes(LINE * (size // len(LINE)))
        took = []
        for _ in range(9):
            began_s = time.monotonic()
            async with following(Connections(sshd.options), f"{sshd.address}{log}", glimpses=True) as ear:
                await eventually(lambda: ear.first_s is not None)
            assert ear.first_s is not None
            assert ear.live_s is not None
            took.append((ear.first_s - began_s, ear.first_s - ear.live_s))
        times_s[name] = sorted(took)[len(took) // 2]
        log.unlink()
    (long_s, after_s), (short_s, _) = times_s["long"], times_s["short"]
    print(
        f"first part           {long_s:.2f} s for {LONG_BYTES / 1e6:.0f} MB ({after_s:.2f} s after the link was live),"
        f" {short_s:.2f} s for {SHORT_BYTES / 1e6:.1f} MB: {long_s / short_s:.2f} times"
    )


async def measure(sshd: Sshd, folder: Path, only: str) -> None:
    """Print all figures, one a line."""
    steps: dict[str, Callable[[], object]] = {
        "growth": lambda: measure_growth(sshd, folder, "single lines", write_lines),
        "large": lambda: measure_growth(sshd, folder, "large writes", write_large),
        "quiet": lambda: measure_quiet(sshd, folder, QUIET_LOGS[0]),
        "many": lambda: measure_quiet(sshd, folder, QUIET_LOGS[1]),
        "seldom": lambda: measure_delay(sshd, folder, 0.5),
        "often": lambda: measure_delay(sshd, folder, 0.1),
        "wire": lambda: measure_wire(sshd, folder, ""),
        "wire, compressed": lambda: measure_wire(sshd, folder, "Compression yes"),
        "first": lambda: measure_first(sshd, folder),
    }
    for name, step in steps.items():
        if only in name:
            await step()  # type: ignore[misc]


def main() -> int:
    """Run as a command; a word picks the measurements whose name holds it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("sshd", "commands", "logs"):
            (folder / part).mkdir()
        try:
            with running_sshd(folder / "sshd", folder / "commands") as sshd:
                asyncio.run(measure(sshd, folder / "logs", sys.argv[1] if len(sys.argv) > 1 else ""))
        except pytest.skip.Exception as missing:
            print(f"this needs a real server: {missing}", file=sys.stderr)
            return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
