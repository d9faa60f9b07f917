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
from tui.sources.folder import MOST, Choice, Entry, is_surely_log
from tui.sources.log import Log, Reading, Stat
from tui.sources.pace import Pace
from tui.sources.trouble import Trouble, no_file, no_permission

T = TypeVar("T")


class LocalPlace:
    """This machine, for one path; `~/` is the home."""

    name = "this machine"

    def __init__(self, path: str, pace: Pace | None = None) -> None:
        self._path = Path(path).expanduser()
        self._choice = Choice((pace or Pace()).quiet_s)

    @asynccontextmanager
    async def reach(self) -> AsyncIterator[Log]:
        """Open nothing yet; close what was opened."""
        log = LocalLog(self._path, self._choice)
        try:
            yield log
        finally:
            await log.close()


class LocalLog:
    """A file of this machine; implements `Log`."""

    def __init__(self, path: Path, choice: Choice) -> None:
        self._path = path
        self._choice = choice  # of a file, where the path is a folder
        self._is_folder = False
        self._descriptor: int | None = None
        self._changed = asyncio.Event()
        self._watch: asyncio.Task[None] | None = None
        self.can_wake = True

    async def open(self) -> Stat:
        """Open the file.

        Raises:
            Trouble: It is missing, not to be read, or no regular file.
        """
        return await _in_thread(self._open_named)

    async def read(self, at: int, *, most: int | None = None, seen: Stat | None = None) -> Reading:
        """Read at most 256 KiB."""
        return await _in_thread(self._read, at, CHUNK_BYTES if most is None else most, seen)

    async def find(self, old: Stat) -> Stat | None:
        """Open the file with the identity of `old` in the same folder."""
        return await _in_thread(self._find, old)

    async def kin(self) -> list[Stat]:
        """The files named `PATH.*` and `PATH-*`; of a folder's log none is looked for."""
        return await _in_thread(self._kin)

    def chosen(self) -> str | None:
        """Which file of a folder is read."""
        return self._choice.told(str(self._path)) if self._is_folder else None

    def parting(self, old: Stat) -> str | None:
        """The word about a file that was left for a newer one of the folder."""
        return self._choice.parting(old)

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
        from tui.sources.waking import changes  # not needed to read a file once

        with suppress(OSError):  # no such folder yet, or too many watches
            async for _ in changes(self._folder):
                self._changed.set()

    @property
    def _folder(self) -> Path:
        return self._path if self._is_folder else self._path.parent

    def _open_named(self) -> Stat:
        self._is_folder = self._path.is_dir()
        return self._open_newest() if self._is_folder else self._open(self._path)

    def _open_newest(self) -> Stat:
        entries = self._entries()
        self._choice.forget_if_gone(entries)
        entry = self._choice.choose(entries, None, self.now_s())
        if entry is None:
            raise no_file(
                f"the folder {self._path} holds no log yet; check the path, or start the run that writes there"
            )
        opened = self._open(self._path / entry.name)
        self._choice.take(entry, entries, str(self._path))
        return opened

    def _entries(self) -> list[Entry]:
        try:
            found = list(os.scandir(self._path))
        except OSError as error:
            raise _unreadable(self._path, error) from error
        self._choice.count = len(found)
        if len(found) > MOST:  # to ask for the times of all would take too long on each change
            logs = [one for one in found if is_surely_log(one.name) or one.name == self._choice.name]
            found = logs or found
        entries = []
        for one in found:
            with suppress(OSError):  # it has just gone, or is a link to nowhere
                if one.is_file():
                    entries.append(Entry(one.name, _stat(one.stat())))
        return entries

    def _open(self, path: Path) -> Stat:
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError as error:
            raise _unreadable(path, error) from error
        status = os.fstat(descriptor)
        if not modes.S_ISREG(status.st_mode):
            os.close(descriptor)
            raise no_file(f"{path} is no regular file; name a log file, or pipe it in and use -")
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
            status = _stat(self._path.stat())
        except OSError:
            return None
        return self._newest(status) if self._is_folder else status

    def _newest(self, folder: Stat) -> Stat | None:
        """The file of the folder that is the log now."""
        if self._descriptor is not None and not self._choice.has_news(folder, self.now_s()):
            return _stat(os.fstat(self._descriptor))
        entry = self._choice.choose(self._entries(), folder, self.now_s())
        return entry.stat if entry else None

    def _find(self, old: Stat) -> Stat | None:
        with suppress(OSError, Trouble):
            for entry in os.scandir(self._folder):
                if _stat(entry.stat(follow_symlinks=False)).identity == old.identity:
                    return self._open(Path(entry.path))
        return None

    def _kin(self) -> list[Stat]:
        if self._is_folder:
            return []
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
