"""A log on this machine: read in a thread, woken by the file system, and looked at on each beat besides."""

from __future__ import annotations

import asyncio
import os
import stat as modes
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TypeVar

from tui.sources.base import CHUNK_BYTES
from tui.sources.log import Log, Reading, Stat
from tui.sources.trouble import Trouble, no_file, no_permission

T = TypeVar("T")

_WAKE_STEP_MS = 50
"""How long the file system has to be quiet before a change is told; a line comes about 100 ms after its writing."""


class LocalPlace:
    """This machine, for one path; `~/` is the home."""

    name = "this machine"

    def __init__(self, path: str) -> None:
        self._path = Path(path).expanduser()

    @asynccontextmanager
    async def reach(self) -> AsyncIterator[Log]:
        """Open nothing yet; close what was opened."""
        log = LocalLog(self._path)
        try:
            yield log
        finally:
            await log.close()


class LocalLog:
    """A file of this machine; implements `Log`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None
        self._changed = asyncio.Event()
        self._watch: asyncio.Task[None] | None = None
        self.can_wake = True

    async def open(self) -> Stat:
        """Open the file.

        Raises:
            Trouble: It is missing, not to be read, or no regular file.
        """
        return await _in_thread(self._open, self._path)

    async def read(self, at: int, *, most: int | None = None, seen: Stat | None = None) -> Reading:
        """Read at most 256 KiB."""
        return await _in_thread(self._read, at, CHUNK_BYTES if most is None else most, seen)

    async def find(self, old: Stat) -> Stat | None:
        """Open the file with the identity of `old` in the same folder."""
        return await _in_thread(self._find, old)

    async def kin(self) -> list[Stat]:
        """The files named `PATH.*` and `PATH-*`."""
        return await _in_thread(self._kin)

    async def rest(self, time_s: float) -> None:
        """Wait for a change in the folder, but not longer than `time_s`."""
        if self._watch is None or self._watch.done():
            self._watch = asyncio.create_task(self._await_changes())
        with suppress(TimeoutError):
            async with asyncio.timeout(time_s):
                await self._changed.wait()
        self._changed.clear()

    def now_s(self) -> float:
        """UTC epoch seconds."""
        return time.time()

    def silent_s(self) -> float:
        """0: a file system that does not answer can't be told from a slow one, and there is no link to lose."""
        return 0.0

    async def close(self) -> None:
        """Close the file and end the watch."""
        if self._watch is not None:
            self._watch.cancel()
            with suppress(asyncio.CancelledError):
                await self._watch
        self._let_go()

    async def _await_changes(self) -> None:
        from watchfiles import awatch  # not needed to read a file once

        folder = self._path.parent
        with suppress(OSError):  # no such folder yet, or too many watches
            async for _ in awatch(
                folder, watch_filter=None, recursive=False, step=_WAKE_STEP_MS, debounce=400
            ):
                self._changed.set()

    def _open(self, path: Path) -> Stat:
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError as error:
            raise _unreadable(path, error) from error
        status = os.fstat(descriptor)
        if not modes.S_ISREG(status.st_mode):
            os.close(descriptor)
            raise _not_a_log(path, status.st_mode)
        self._let_go()
        self._descriptor = descriptor
        return _stat(status)

    def _let_go(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _read(self, at: int, most: int, seen: Stat | None) -> Reading:
        assert self._descriptor is not None
        opened = _stat(os.fstat(self._descriptor))
        is_same = seen is not None and (seen.size, seen.modified_s) == (opened.size, opened.modified_s)
        try:
            data = b"" if is_same else os.pread(self._descriptor, min(most, max(0, opened.size - at)), at)
        except OSError as error:
            raise _unreadable(self._path, error) from error
        return Reading(at, data, opened, self._named())

    def _named(self) -> Stat | None:
        try:
            return _stat(self._path.stat())
        except OSError:
            return None

    def _find(self, old: Stat) -> Stat | None:
        with suppress(OSError, Trouble):
            for entry in os.scandir(self._path.parent):
                if _stat(entry.stat(follow_symlinks=False)).identity == old.identity:
                    return self._open(Path(entry.path))
        return None

    def _kin(self) -> list[Stat]:
        beginnings = (f"{self._path.name}.", f"{self._path.name}-")
        with suppress(OSError):
            entries = [entry for entry in os.scandir(self._path.parent) if entry.name.startswith(beginnings)]
            return [_stat(entry.stat()) for entry in entries]
        return []


async def _in_thread(work: Callable[..., T], *arguments: object) -> T:
    """Do blocking work in a thread; a cancelled caller waits for its end, so that no descriptor is left behind."""
    future = asyncio.get_running_loop().run_in_executor(None, work, *arguments)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        await asyncio.wait({future})
        raise


def _stat(status: os.stat_result) -> Stat:
    return Stat(status.st_dev, status.st_ino, status.st_size, status.st_mtime, status.st_nlink)


def _unreadable(path: Path, error: OSError) -> Trouble:
    if isinstance(error, PermissionError):
        return no_permission(f"{path} may not be read by this user; give it read permission")
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return no_file(f"{path} is not there; check the path, or start the run that writes it")
    return no_file(f"{path} can't be read: {error.strerror or error}")


def _not_a_log(path: Path, mode: int) -> Trouble:
    if modes.S_ISDIR(mode):
        return no_file(f"{path} is a folder; name a file in it, e.g. {path}/train_log.jsonl")
    return no_file(f"{path} is no regular file; name a log file, or pipe it in and use -")
