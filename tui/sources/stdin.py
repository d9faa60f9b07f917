"""Standard input as a source: read once, from wherever it is to its end."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import suppress

from tui.events import CaughtUp, LinkChanged, LinkState, Received, SourceEvent
from tui.sources.base import CHUNK_BYTES


class StandardInput:
    """The bytes of an open descriptor; implements `Source`.

    The descriptor stays open, and its flags as they are: other processes may share it.
    """

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor

    def retry_now(self) -> None:
        """Nothing to retry: a pipe that has ended does not come back."""

    async def events(self, *, follow: bool) -> AsyncGenerator[SourceEvent, None]:
        """Yield the bytes up to the end, then CaughtUp and ENDED, with or without `follow`."""
        yield LinkChanged(LinkState.LIVE)
        offset = 0
        try:
            while data := await self._read():
                yield Received(data, offset)
                offset += len(data)
        except OSError as error:
            yield LinkChanged(
                LinkState.MISSING, f"standard input can't be read: {error.strerror}; pipe the log in"
            )
            return
        yield CaughtUp()
        yield LinkChanged(LinkState.ENDED)

    async def _read(self) -> bytes:
        await self._await_bytes()
        return await asyncio.to_thread(os.read, self._descriptor, CHUNK_BYTES)

    async def _await_bytes(self) -> None:
        """Wait until a read will not block, so that no thread hangs when the program ends."""
        loop = asyncio.get_running_loop()
        ready = asyncio.Event()
        with suppress(PermissionError):  # a regular file, which the selector refuses, is always ready
            loop.add_reader(self._descriptor, ready.set)
            try:
                await ready.wait()
            finally:
                loop.remove_reader(self._descriptor)
