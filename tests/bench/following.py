"""What following costs the training host, and how many bytes it takes: `python -m tests.bench following`.

The way is an OpenSSH server on loopback. The far side's share is the CPU of the processes of ours there, and of what
they started and waited for, by /proc; a bare `tail -F` of the same log stands beside it.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.row import Row, at_most
from tests.real.fixtures import Sshd, running_sshd
from tests.waiting import eventually
from tui.events import CaughtUp, Received
from tui.sources.demo.trainer import simulate, write_line
from tui.sources.open import open_source
from tui.sources.ssh import Connections, SshOptions
from tui.target import parse_target

LINE = b'{"step": 123456, "loss": 1.23456789, "grad_norm": 0.98765, "lr": 0.0003, "tokens_per_s": 26011.5}\n'
RATE_BYTES = 1_000_000
SPAN_S = 20.0
WARMING_S = 5.0
"""Seconds of growth, and of quiet, before anything is counted; the far side's bells are on after the first beat."""

QUIET_LOGS = 30
CATCH_UP_BYTES = 20_000_000
TIMES_LIMIT, QUIET_LIMIT_MS = 1.1, 1.0

_FIRST_WORD = re.compile(rb"\0milepost\0([0-9a-f]{16})\0")
_TICK_S = 1 / os.sysconf("SC_CLK_TCK")


@dataclass
class Ear:
    """What has arrived of a log."""

    size: int = 0
    caught_up: bool = False

    def hear(self, event: object) -> None:
        match event:
            case Received(data):
                self.size += len(data)
            case CaughtUp():
                self.caught_up = True


@asynccontextmanager
async def following(connections: Connections, address: str) -> AsyncIterator[Ear]:
    """Follow a log at the true pace."""
    ear = Ear()
    source = open_source(parse_target(address), connections)

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


def measure(span_s: float = SPAN_S, logs: int = QUIET_LOGS, size: int = CATCH_UP_BYTES) -> Iterable[Row]:
    """Beside `tail -F` while a log grows, on quiet logs, and on the wire."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("sshd", "commands", "logs"):
            (folder / part).mkdir()
        with running_sshd(folder / "sshd", folder / "commands") as sshd:
            log = folder / "logs"
            yield asyncio.run(measure_growth(sshd, log / "single.jsonl", "line by line", write_lines, span_s))
            yield asyncio.run(
                measure_growth(sshd, log / "large.jsonl", "in large writes", write_large, span_s)
            )
            yield asyncio.run(measure_quiet(sshd, log, 1, span_s))
            yield asyncio.run(measure_quiet(sshd, log, logs, span_s))
            yield asyncio.run(measure_wire(sshd, log / "wire.jsonl", size))


async def measure_growth(
    sshd: Sshd, log: Path, shape: str, write: Callable[[Path, float], Awaitable[int]], span_s: float
) -> Row:
    """The CPU of both side by side, on one log."""
    log.write_bytes(LINE * 100)
    connections = Connections(sshd.options)
    async with following(connections, f"{sshd.address}{log}") as ear:
        await eventually(lambda: ear.caught_up)
        with bare_tail(log) as tail:
            await write(log, min(WARMING_S, span_s))
            ours_s, tails_s, began_s = far_cpu_s(log.parent), cpu_s(tail), time.monotonic()
            await write(log, span_s)
            time_s = time.monotonic() - began_s
            ours = (far_cpu_s(log.parent) - ours_s) / time_s * 1e3
            tails = (cpu_s(tail) - tails_s) / time_s * 1e3
            size = log.stat().st_size
            await eventually(lambda: ear.size == size)
    what, told = f"training host, 1 MB/s {shape}", f"{ours / tails:.2f} × ({ours:.2f} ms a second)"
    return at_most(what, told, ours / tails, TIMES_LIMIT, f"tail -F: {tails:.2f} ms a second", " ×")


async def measure_quiet(sshd: Sshd, folder: Path, logs: int, span_s: float) -> Row:
    """The CPU while nothing happens."""
    connections = Connections(sshd.options)
    paths = [folder / f"quiet{number}.jsonl" for number in range(logs)]
    async with _all_following(connections, [f"{sshd.address}{path}" for path in paths], paths) as ears:
        await eventually(lambda: all(ear.caught_up for ear in ears))
        await asyncio.sleep(min(WARMING_S, span_s))
        before_s, began_s = far_cpu_s(folder), time.monotonic()
        await asyncio.sleep(span_s)
        each_ms = (far_cpu_s(folder) - before_s) / (time.monotonic() - began_s) * 1e3 / logs
    what = "training host, a quiet log" if logs == 1 else f"training host, each of {logs} quiet logs"
    return at_most(what, f"{each_ms:.2f} ms a second", each_ms, QUIET_LIMIT_MS, "", " ms")


@asynccontextmanager
async def _all_following(
    connections: Connections, addresses: list[str], paths: list[Path]
) -> AsyncIterator[list[Ear]]:
    for path in paths:
        path.write_bytes(LINE)
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(following(connections, address)) for address in addresses]


async def measure_wire(sshd: Sshd, log: Path, size: int) -> Row:
    """The bytes that come over the connection for each byte of the log of a training run."""
    with log.open("w") as file:
        while file.tell() < size:
            file.writelines(map(write_line, simulate("drafter", seed=file.tell())))
    bare, compressed = [await count_wire(sshd, log, config) for config in ("", "Compression yes")]
    told = f"{bare:.3f} bytes for each of {log.stat().st_size / 1e6:.0f} MB"
    return Row("on the wire", f"{told}, {compressed:.2f} with Compression yes")


async def count_wire(sshd: Sshd, log: Path, ssh_config: str) -> float:
    """The bytes for each byte of the log, with these lines in the ssh_config."""
    async with counting(sshd.port) as (port, counted):
        address = f"ssh://{sshd.user}@127.0.0.1:{port}{log}"
        async with following(Connections(_options(sshd, port, ssh_config)), address) as ear:
            await eventually(lambda: ear.caught_up, 60)
    return counted[0] / log.stat().st_size


@asynccontextmanager
async def counting(target_port: int) -> AsyncIterator[tuple[int, list[int]]]:
    """A relay to a port of this machine, which counts the bytes that come back."""
    counted, open_ends = [0], set[asyncio.StreamWriter]()

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        onward_reader, onward_writer = await asyncio.open_connection("127.0.0.1", target_port)
        open_ends.update((writer, onward_writer))
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
        for writer in open_ends:
            writer.close()
        await asyncio.gather(*(writer.wait_closed() for writer in open_ends), return_exceptions=True)


def _options(sshd: Sshd, port: int, ssh_config: str) -> SshOptions:
    known, config = sshd.folder / f"known_hosts_{port}", sshd.folder / f"config_{port}"
    known.write_text(f"[127.0.0.1]:{port} {(sshd.folder / 'host_key.pub').read_text()}")
    config.write_text(f"{ssh_config}\n")
    return SshOptions((config,), (known,), (sshd.folder / "user_key",))
