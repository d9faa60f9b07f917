"""The far end's script runs under every shell and userland that a log may live beside."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.sources.listening import BRISK, following, read_once
from tests.waiting import eventually
from tui.events import LinkState
from tui.sources.answers import spell
from tui.sources.lanes import script
from tui.sources.open import open_source
from tui.target import parse_target

TOOLS = ["stat", "dd", "tail", "head", "date", "sleep", "printf"]

USERLANDS = {
    "dash, GNU": ("dash", None),
    "bash, GNU": ("bash", None),
    "mksh, GNU": ("mksh", None),
    "busybox": ("busybox", "busybox"),
    "dash, toybox": ("dash", "toybox"),
    "dash, GNU without dd": ("dash", "no dd"),
}


@pytest.fixture(params=USERLANDS)
def prefix(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, ...]:
    """A command prefix under which `sh` and the tools are those of a userland, and nothing else is there."""
    shell, tools = USERLANDS[request.param]
    folder = tmp_path / "bin"
    folder.mkdir()
    _link(folder, "sh", shell)
    for tool in TOOLS:
        if tools == "no dd" and tool == "dd":
            continue
        _link(folder, tool, tools if tools in ("busybox", "toybox") else tool)
    return (f"{shutil.which('env')} -i PATH={folder}",)


def _link(folder: Path, name: str, command: str) -> None:
    found = shutil.which(command)
    if found is None:
        pytest.skip(f"{command} is not installed")
    (folder / name).symlink_to(found)


async def test_a_log_is_read_followed_finished_and_left(prefix: tuple[str, ...], tmp_path: Path) -> None:
    log = tmp_path / "log file.jsonl"
    data = os.urandom(300_000)
    log.write_bytes(data)
    source = open_source(parse_target(str(log), prefix), pace=BRISK)
    async with following(source) as heard:
        await heard.has(data)
        with log.open("ab") as file:
            file.write(b"more\n")
        await heard.has(data + b"more\n")
        log.rename(f"{log}.1")
        log.write_bytes(b"next\n")
        await heard.has(data + b"more\nnext\n")
        assert [(event.reason, event.gap) for event in heard.replaced] == [("rotated", False)]
    assert LinkState.RETRYING not in heard.links
    await eventually(lambda: not running(str(log)))


async def test_a_folder_stands_for_its_newest_log(prefix: tuple[str, ...], tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "größe \\n.jsonl").write_bytes(b"1\n")
    (folder / "model.pt").write_bytes(b"weights")
    (folder / "checkpoints").mkdir()
    async with following(open_source(parse_target(str(folder), prefix), pace=BRISK)) as heard:
        await heard.has(b"1\n")
        with (folder / "größe \\n.jsonl").open("ab") as file:
            file.write(b"2\n")
        await heard.has(b"1\n2\n")


async def test_growth_rings_long_before_the_next_request_is_due(
    prefix: tuple[str, ...], tmp_path: Path
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"0\n")
    hourly = replace(BRISK, beat_s=3600, patience_s=3600, stale_s=3600, lost_s=3600)
    async with following(open_source(parse_target(str(log), prefix), pace=hourly)) as heard:
        written = b"0\n"
        for number in range(1, 4):
            await heard.has(written)
            with log.open("ab") as file:
                file.write(b"%d\n" % number)
            written += b"%d\n" % number
        await heard.has(written)
    await eventually(lambda: not running(str(log)))


async def test_it_ends_itself_when_nobody_asks_any_more(prefix: tuple[str, ...], tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"1\n")
    mute = replace(BRISK, beat_s=1000, poll_s=1000, patience_s=0.3)
    async with following(open_source(parse_target(str(log), prefix), pace=mute)) as heard:
        await heard.has(b"1\n")
        await eventually(lambda: not running(str(log)))


async def test_it_writes_nothing(prefix: tuple[str, ...], tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "log.jsonl").write_bytes(b"1\n")
    before = _state(folder)
    assert (await read_once(str(folder / "log.jsonl"), via=prefix)).data == b"1\n"
    assert _state(folder) == before


def _state(folder: Path) -> list[tuple[str, int]]:
    return sorted((str(path), path.stat().st_mtime_ns) for path in (folder, *folder.iterdir()))


def running(path: str) -> list[int]:
    """The far ends for a log that run now."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                words = (entry / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
            except OSError:
                continue
            if "milepost" in words and path in words:
                found.append(int(entry.name))
    return found


def test_it_is_short_enough_for_a_command_line() -> None:
    assert len(script()) < 4800


def test_it_is_sent_without_comments() -> None:
    assert not [line for line in script().splitlines() if line.startswith(("#", " ", "\t")) or not line]


@pytest.mark.parametrize("end", ["TERM", "HUP", "INT"])
def test_a_signal_ends_it_and_what_it_started(end: str, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(os.urandom(5_000_000))
    process = subprocess.Popen(
        ["sh", "-c", script(), "milepost", f"signalled{end}", str(log), "40"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline() == f"@signalled{end}@ ready bell\n".encode()
    request = f"log 1 {spell(str(log))}\nopen 1\nread 1 0 5000000\nring 1 5000000\n"
    process.stdin.write(request.encode())  # nobody reads the answer, so that dd hangs in it
    process.stdin.flush()
    process.stdout.readline()
    assert process.stdout.readline().startswith(f"@signalled{end}@ data 5000000".encode())
    process.send_signal(signal.Signals[f"SIG{end}"])
    assert process.wait(10) == 0
    deadline = time.monotonic() + 10
    while _started_by(f"signalled{end}"):
        assert time.monotonic() < deadline
    process.stdin.close()
    process.stdout.close()


async def test_what_a_killed_shell_has_started_ends_too(prefix: tuple[str, ...], tmp_path: Path) -> None:
    """Nobody closes its standard input then; the watcher ends what holds the log open."""
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"1\n")
    mute = replace(BRISK, beat_s=1000, patience_s=1, close_s=10)
    async with following(open_source(parse_target(str(log), prefix), pace=mute)) as heard:
        await heard.has(b"1\n")
        hub = min(running(str(log)))
        nonce = Path(f"/proc/{hub}/cmdline").read_bytes().split(b"milepost\0")[-1].split(b"\0")[0].decode()
        await eventually(lambda: len(_started_by(nonce)) > 1)
        os.kill(hub, signal.SIGKILL)
        await eventually(lambda: not _started_by(nonce))


def _started_by(nonce: str) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                environment = (entry / "environ").read_bytes()
            except OSError:
                continue
            if f"MILEPOST={nonce}\0".encode() in environment:
                found.append(int(entry.name))
    return found
