"""One command in a session of an SSH connection: its start, and its three streams."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from tui.sources.channel import READ_BYTES, Words
from tui.sources.pace import Pace
from tui.sources.trouble import lost
from tui.target import Host

if TYPE_CHECKING:
    import asyncssh


async def start_command(
    connection: asyncssh.SSHClientConnection, host: Host, command: str, pace: Pace
) -> asyncssh.SSHClientProcess[bytes]:
    """Start a command in a session of its own, without a terminal.

    Raises:
        Trouble: The connection is gone, or the server does not answer.
        asyncssh.ChannelOpenError: The server allows no more sessions.
    """
    import asyncssh

    try:
        async with asyncio.timeout(pace.connect_s):
            return await connection.create_process(command, encoding=None, request_pty=False)
    except TimeoutError as error:
        raise lost(f"{host} starts no session within {pace.connect_s:.0f} s; connecting anew") from error
    except asyncssh.ChannelOpenError as error:
        if not connection.is_closed():
            raise
        raise lost(f"{host} gives no session ({error}); connecting anew") from error
    except (OSError, asyncssh.Error) as error:
        raise lost(f"{host} gives no session ({error}); connecting anew") from error


class SshChannel:
    """A command on an SSH connection; implements `Channel`. `distrust` is what that does to the connection."""

    def __init__(
        self, process: asyncssh.SSHClientProcess[bytes], pace: Pace, distrust: Callable[[], None]
    ) -> None:
        self.distrust = distrust
        self._process = process
        self._pace = pace
        self.words = Words()
        self._listener = asyncio.create_task(self._listen())

    def send(self, data: bytes) -> None:
        """Write to its standard input."""
        with suppress(OSError):
            self._process.stdin.write(data)

    async def receive(self) -> bytes:
        """The next bytes of its standard output."""
        import asyncssh

        try:
            return await self._process.stdout.read(READ_BYTES)
        except (OSError, asyncssh.Error):
            return b""

    async def last_words(self) -> tuple[str, int | None]:
        """Its standard error and exit status."""
        await self._wait_for_end()
        return str(self.words), self._process.exit_status

    async def close(self) -> None:
        """End the session; the far side sees its standard input closed."""
        self._process.close()
        await self._wait_for_end()
        self._listener.cancel()
        with suppress(asyncio.CancelledError):
            await self._listener

    async def _wait_for_end(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._pace.close_s):
                await asyncio.shield(self._listener)
                await self._process.wait_closed()

    async def _listen(self) -> None:
        import asyncssh

        with suppress(OSError, asyncssh.Error):
            while data := await self._process.stderr.read(READ_BYTES):
                self.words.add(data)
