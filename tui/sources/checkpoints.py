"""What is kept in the folder of a run's checkpoints, on whichever machine it is: names, sizes, times, and the disk."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import stat as modes
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from tui.sources.pace import Pace
from tui.sources.scripts import read_script
from tui.sources.ssh import Connections
from tui.sources.trouble import lost, no_file
from tui.target import Target

MOST = 3000
"""The most files that are looked at in one folder; `checkpoints.sh` has the same limit."""

OWN_NAMES = (
    "checkpoint",
    "checkpoints",
    "Checkpoints",
    "ckpt",
    "ckpts",
    "weights",
    "snapshots",
    "saved_models",
)
"""What folders of checkpoints are called; `checkpoints.sh` has the same list."""

LOG_NAMES = ("log", "logs", "tb", "tensorboard", "tb_logs")
"""What folders of logs are called that have that of the checkpoints next to them."""

_FILES = re.compile(
    r"\.(pt|pth|ckpt|safetensors|bin|pkl|np[yz]|h5|hdf5|keras|msgpack|tar|orbax|pd[^/]*|params|t7|gguf|index|data[^/]*"
    r"|distcp|zip|gz)$"
)
_FOLDERS = re.compile(r"[0-9]$|\.orbax-checkpoint")
_FOLDERS_ELSEWHERE = re.compile(r"(heckpoint|ckpt|step|epoch|iter).*[0-9]$")
_DF = re.compile(rb"\s(\d+)\s+\d+\s+(\d+)\s+\d+%")


class Stored(Struct, frozen=True):
    """One entry of a folder: a file, or a folder with the files in it.

    `size` is in bytes; `modified_s`, when it was last written, in UTC epoch seconds.
    """

    name: str
    size: int
    modified_s: float
    is_folder: bool = False


class Disk(Struct, frozen=True):
    """The disk that something is on, in bytes; `free` is what is left for who writes there."""

    size: int
    free: int


class Listing(Struct, frozen=True):
    """The entries of one folder that may be checkpoints, in no order; `seen_at_s` is the clock over there."""

    folder: str
    stored: tuple[Stored, ...]
    disk: Disk | None
    seen_at_s: float


async def list_checkpoints(
    target: Target, folder: str | None, connections: Connections, pace: Pace | None = None
) -> list[Listing]:
    """What may be checkpoints of a target's run.

    Args:
        target: The run's log, and the way to the machine that it is on.
        folder: Where its checkpoints are, as the far end is to be asked for it; None looks beside the log, and
            then gives one listing for each folder that comes into question.
        connections: Those to share.
        pace: How long a login may take.

    Raises:
        Trouble: The place can't be reached, or the folder is not there.
    """
    if target.is_plain:
        found = await asyncio.to_thread(_list_here, target.path, folder)
    else:
        found = await _list_there(target, folder, connections, pace)
    if folder is not None and not found:
        raise no_file(f"{folder} is not there on {target.place}, or can't be read")
    return found


async def _list_there(
    target: Target, folder: str | None, connections: Connections, pace: Pace | None
) -> list[Listing]:
    from tui.sources.probe import probe

    words = ("beside", target.path) if folder is None else ("folder", folder)
    argv = ["sh", "-c", read_script("checkpoints.sh"), "checkpoints", *words]
    said = await probe(_without_pane(target), argv, connections, pace=pace)
    if not said.stdout.startswith(b"clock "):
        raise lost(f"{target.place} does not tell of its checkpoints: {said.stderr.strip() or 'no answer'}")
    return parse_listings(said.stdout)


def _without_pane(target: Target) -> Target:
    """What a tmux pane shows is written on the machine that tmux runs on."""
    return replace(target, hops=target.hops[:-1]) if target.is_pane else target


def parse_listings(output: bytes) -> list[Listing]:
    """What `checkpoints.sh` has printed; a line that is none of its own (a name with a newline) is left out."""
    found: list[Listing] = []
    clock_s, folder, disk = 0.0, "", None
    lines: list[tuple[int, float, bool, str]] = []
    for line in [*output.split(b"\n"), b"folder "]:
        word, _, rest = line.partition(b" ")
        if word == b"clock" and rest.isdigit():
            clock_s = float(rest)
        elif word == b"disk":
            disk = _parse_df(rest)
        elif word == b"folder":
            if folder:
                found.append(Listing(folder, tuple(_gather(lines)), disk, clock_s))
            folder, lines, disk = os.fsdecode(rest), [], None
        elif (entry := _parse_entry(line)) is not None:
            lines.append(entry)
    return found


def _parse_entry(line: bytes) -> tuple[int, float, bool, str] | None:
    size, modified, mode, path = [*line.split(b" ", 3), b"", b"", b""][:4]
    try:
        return int(size), float(modified), modes.S_ISDIR(int(mode, 16)), os.fsdecode(path)
    except ValueError:
        return None


def _parse_df(line: bytes) -> Disk | None:
    match = _DF.search(line)
    return Disk(int(match[1]) * 1024, int(match[2]) * 1024) if match else None


def _gather(lines: Iterable[tuple[int, float, bool, str]]) -> Iterator[Stored]:
    """The entries of a folder, each folder in it with what was found there."""
    found: dict[str, Stored] = {}
    for size, modified_s, is_folder, path in lines:
        name, _, inner = path.partition("/")
        if not inner:
            found[name] = Stored(name, 0 if is_folder else size, modified_s, is_folder)
        elif name in found:
            outer = found[name]
            newest_s = max(outer.modified_s, modified_s)
            found[name] = replace(outer, size=outer.size + size, modified_s=newest_s)
    return iter(found.values())


# On this machine no shell is needed.


def _list_here(path: str, folder: str | None) -> list[Listing]:
    if folder is not None:
        folders = [Path(folder).expanduser()]
    else:
        log = Path(path).expanduser()
        own = log if log.is_dir() else log.parent
        near = [own, own.parent] if own.name in LOG_NAMES else [own]
        folders = [own, *(each / name for each in near for name in OWN_NAMES)]
    found = (_list_folder(each, is_own=folder is not None or each.name in OWN_NAMES) for each in folders)
    return [listing for listing in found if listing is not None]


def _list_folder(folder: Path, *, is_own: bool) -> Listing | None:
    try:
        lines = list(_walk(folder, _FOLDERS if is_own else _FOLDERS_ELSEWHERE))
        usage = shutil.disk_usage(folder)
    except OSError:
        return None
    stored = tuple(_gather(lines))
    return Listing(str(folder), stored, Disk(usage.total, usage.free), time.time())


def _walk(folder: Path, folders: re.Pattern[str]) -> Iterator[tuple[int, float, bool, str]]:
    """As `checkpoints.sh` prints it."""
    left = MOST
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda each: each.name):
            if not _may_be(entry, folders) or (told := _measure(Path(entry.path), entry.name)) is None:
                continue
            for each in (told, *(_inside(Path(entry.path)) if told[2] else ())):
                left -= 1
                if left <= 0:
                    return
                yield each


def _may_be(entry: os.DirEntry[str], folders: re.Pattern[str]) -> bool:
    if not (_FILES.search(entry.name) or (folders.search(entry.name) and entry.is_dir())):
        return False
    return any(sign.isdigit() for sign in entry.name) or not entry.is_symlink()


def _inside(folder: Path) -> Iterator[tuple[int, float, bool, str]]:
    for pattern in ("*", "*/*"):
        for file in folder.glob(pattern):
            told = _measure(file, f"{folder.name}/{file.name}")
            if told is not None and not told[2]:
                yield told


def _measure(path: Path, name: str) -> tuple[int, float, bool, str] | None:
    try:
        stat = path.stat()
    except OSError:  # a link to nothing, or it has just gone
        return None
    return stat.st_size, stat.st_mtime, modes.S_ISDIR(stat.st_mode), name
