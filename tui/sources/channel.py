"""A command that runs somewhere, as three streams: what a far log is spoken to through."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Protocol

from tui.sources.pace import Pace
from tui.sources.trouble import missing

READ_BYTES = 256 * 1024
"""The most bytes taken from a stream at once."""

_WORDS_BYTES = 8 * 1024


class Words:
    """The end of what a stream of messages said, in bounded memory; while it is a bell, any byte is a ring.

    Attributes:
        on_ring: Called when it rings.
    """

    def __init__(self) -> None:
        self._kept = bytearray()
        self._is_bell = False
        self.on_ring: Callable[[], None] = _ignore

    def add(self, data: bytes) -> None:
        """Take in more; the oldest is dropped. A ring says nothing, and is not kept."""
        if self._is_bell:
            self.on_ring()
            return
        self._kept += data
        del self._kept[:-_WORDS_BYTES]

    def become_bell(self) -> None:
        """Take what comes from now on for rings."""
        self._is_bell = True

    def become_words(self) -> None:
        """Take what comes from now on for words again."""
        self._is_bell = False

    def __str__(self) -> str:
        return self._kept.decode("utf-8", "replace")


def _ignore() -> None:
    """Nobody listens for the bell."""


class Channel(Protocol):
    """A running command.

    Attributes:
        words: What it says on standard error.
    """

    words: Words

    def send(self, data: bytes) -> None:
        """Write to its standard input. A channel that is gone swallows it; `receive` tells."""
        ...

    async def receive(self) -> bytes:
        """The next bytes of its standard output; empty at the end, however that came."""
        ...

    async def last_words(self) -> tuple[str, int | None]:
        """What it said on standard error, and its exit status, where there is one; to be asked after the end."""
        ...

    def distrust(self) -> None:
        """Nothing comes over the way to it any more: what is run from now on takes another, where there is one."""
        ...


class Way(Protocol):
    """A machine on which commands can be run."""

    def run(self, argv: Sequence[str]) -> AbstractAsyncContextManager[Channel]:
        """Run a command there; leaving the context ends it.

        Raises:
            Trouble: The machine can't be reached, or has no such command.
            Full: It takes no more commands at a time.
        """
        ...

    @property
    def has_room(self) -> bool:
        """Whether more commands can be run there than are needed, with enough left for others."""
        ...


class LocalWay:
    """This machine."""

    has_room = True

    def __init__(self, pace: Pace) -> None:
        self._pace = pace

    @asynccontextmanager
    async def run(self, argv: Sequence[str]) -> AsyncIterator[Channel]:
        """Run a command as a child process, in a session of its own: a Ctrl-C in the terminal is not for it."""
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                *argv, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except OSError as error:
            raise missing(
                f"{argv[0]} can't be run on this machine ({error.strerror}); install it, or check PATH"
            ) from error
        channel = ProcessChannel(process, self._pace)
        try:
            yield channel
        finally:
            await channel.close()


class ProcessChannel:
    """A child process; implements `Channel`."""

    def __init__(self, process: asyncio.subprocess.Process, pace: Pace) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process = process
        self._pace = pace
        self._input, self._output, self._errors = process.stdin, process.stdout, process.stderr
        self.words = Words()
        self._listener = asyncio.create_task(self._listen())

    def send(self, data: bytes) -> None:
        """Write to its standard input."""
        with suppress(OSError):
            self._input.write(data)

    async def receive(self) -> bytes:
        """The next bytes of its standard output."""
        try:
            return await self._output.read(READ_BYTES)
        except OSError:
            return b""

    async def last_words(self) -> tuple[str, int | None]:
        """Its standard error and exit status."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._pace.close_s):
                await asyncio.shield(self._listener)
                await self._process.wait()
        return str(self.words), self._process.returncode

    def distrust(self) -> None:
        """Nothing to be done: there is no connection."""

    async def close(self) -> None:
        """Close its standard input, which ends it; else by signals."""
        self._input.close()
        for end in (None, self._process.terminate, self._process.kill):
            with suppress(ProcessLookupError):
                if end is not None and self._process.returncode is None:
                    end()
            with suppress(TimeoutError):
                async with asyncio.timeout(self._pace.close_s):
                    await self._process.wait()
                    break
        await self._drain()
        self._listener.cancel()
        with suppress(asyncio.CancelledError):
            await self._listener

    async def _drain(self) -> None:
        """Take in what nobody has read, without which asyncio does not let go of the process."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._pace.close_s):
                while await self.receive():
                    pass
                await asyncio.shield(self._listener)
                await asyncio.shield(self._listener)

    async def _listen(self) -> None:
        with suppress(OSError):
            while data := await self._errors.read(READ_BYTES):
                self.words.add(data)
