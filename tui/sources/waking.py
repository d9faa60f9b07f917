"""Tells that something in a folder has changed: at once where the kernel says so, with nothing to do in between."""

from __future__ import annotations

import asyncio
import ctypes
import os
import struct
import sys
from collections.abc import AsyncIterator
from pathlib import Path

APART_S = 0.05
"""Seconds from one word about changes to the next: a log written line by line is read twenty times a second at most."""

STEP_MS = 50
"""How long watchfiles wants the file system to be quiet; it tells of a change after some 100 ms."""

_MODIFY, _CLOSE_WRITE, _MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x2, 0x8, 0x40, 0x80, 0x100, 0x200
_IGNORED = 0x8000
_EVENT = struct.Struct("iIII")  # of inotify(7): watch, mask, cookie, bytes of the name that follows
_READ_BYTES = 64 * 1024


async def changes(folder: Path) -> AsyncIterator[None]:
    """Yield whenever something in the folder has been written, made, renamed or removed; ends when it is gone.

    Linux has inotify, whose events wake the loop themselves; elsewhere watchfiles looks several times a second.

    Raises:
        OSError: There is no such folder, or there are too many watches.
    """
    if sys.platform == "linux":
        async for _ in _follow_inotify(folder):
            yield
        return
    from watchfiles import awatch  # not needed to read a file once

    async for _ in awatch(folder, watch_filter=None, recursive=False, step=STEP_MS, debounce=8 * STEP_MS):
        yield


async def _follow_inotify(folder: Path) -> AsyncIterator[None]:
    descriptor = _open_inotify(folder)
    is_there = True
    try:
        while is_there:
            await _readable(descriptor)
            try:
                data = os.read(descriptor, _READ_BYTES)
            except BlockingIOError:  # the loop may have seen twice what has been read once
                continue
            is_there = not any(mask & _IGNORED for mask in _masks(data))
            yield
            await asyncio.sleep(APART_S)
    finally:
        os.close(descriptor)


async def _readable(descriptor: int) -> None:
    """Wait for something to read; the loop looks only meanwhile, else what waits would wake it over and over."""
    loop, is_ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(descriptor, is_ready.set)
    try:
        await is_ready.wait()
    finally:
        loop.remove_reader(descriptor)


def _open_inotify(folder: Path) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = int(libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), "no more watches")
    wanted = _MODIFY | _CLOSE_WRITE | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE
    if libc.inotify_add_watch(descriptor, os.fsencode(folder), wanted) < 0:
        error = ctypes.get_errno()
        os.close(descriptor)
        raise OSError(error, os.strerror(error), str(folder))
    return descriptor


def _masks(data: bytes) -> list[int]:
    """What the events tell, one number each."""
    masks, at = [], 0
    while at < len(data):
        _, mask, _, name_bytes = _EVENT.unpack_from(data, at)
        masks.append(mask)
        at += _EVENT.size + name_bytes
    return masks
