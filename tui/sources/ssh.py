"""SSH connections, each shared by the logs on a host, and the commands that run over them."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from tui.events import LinkState
from tui.sources.asking import Asker, Desk
from tui.sources.channel import READ_BYTES, Channel, Words
from tui.sources.pace import Pace
from tui.sources.quoting import for_login_shell
from tui.sources.trouble import Trouble, lost
from tui.target import Host

if TYPE_CHECKING:
    import asyncssh

SESSIONS = 8
"""Logs on one connection: OpenSSH allows 10 sessions by default, and two are left for other uses."""


@dataclass(frozen=True, slots=True)
class SshOptions:
    """What logins go by in place of the user's own files; None leaves it to those.

    With `client_keys` no agent is asked.
    """

    config: tuple[Path, ...] | None = None
    known_hosts: tuple[Path, ...] | None = None
    client_keys: tuple[Path, ...] | None = None


@dataclass(slots=True, eq=False)
class _Shared:
    """One connection and how many use it."""

    connection: asyncssh.SSHClientConnection
    closing: AsyncExitStack
    users: int = 0
    is_suspect: bool = False

    @property
    def has_room(self) -> bool:
        return self.users < SESSIONS and not self.is_suspect and not self.connection.is_closed()


@dataclass(slots=True)
class _Line:
    """The connections to one host; the lock lets those who come together share one, or the failure to get it."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    shared: list[_Shared] = field(default_factory=list)
    failures: int = 0
    trouble: Trouble | None = None


class Connections:
    """The SSH connections of a program: one for each host and eight logs, made and closed on demand.

    Args:
        options: What logins go by; None is the user's own files.
        asker: Asks the person for passphrases, passwords, codes, and about unknown host keys; without one a login
            that needs any of them is refused.
    """

    def __init__(self, options: SshOptions | None = None, asker: Asker | None = None) -> None:
        self._options = options or SshOptions()
        self._desk = Desk(asker)
        self._lines: defaultdict[Host, _Line] = defaultdict(_Line)

    @asynccontextmanager
    async def to(self, host: Host, pace: Pace) -> AsyncIterator[asyncssh.SSHClientConnection]:
        """A connection to a host; it is closed when the last user has left the context.

        Raises:
            Trouble: There is none to be had; the message says why and what to do.
        """
        line = self._lines[host]
        shared = await self._enter(line, host, pace)
        try:
            yield shared.connection
        except Trouble as trouble:
            if trouble.state is LinkState.RETRYING:
                shared.is_suspect = True  # the next attempt makes a new one; the other users may go on
            raise
        finally:
            shared.users -= 1
            if not shared.users:
                line.shared.remove(shared)
                await shared.closing.aclose()

    async def _enter(self, line: _Line, host: Host, pace: Pace) -> _Shared:
        failures = line.failures
        async with line.lock:
            shared = next((shared for shared in line.shared if shared.has_room), None)
            if shared is None:
                if line.trouble and line.failures > failures:
                    raise line.trouble.again()  # nobody is asked for a password once for each log
                shared = await self._log_in_for(line, host, pace)
                line.shared.append(shared)
            shared.users += 1
            return shared

    async def _log_in_for(self, line: _Line, host: Host, pace: Pace) -> _Shared:
        try:
            return await self._log_in(host, pace)
        except Trouble as trouble:
            line.failures += 1
            line.trouble = trouble.again()
            raise

    async def _log_in(self, host: Host, pace: Pace) -> _Shared:
        await asyncio.to_thread(import_module, "tui.sources.login")  # 0.2 s, which the screen would notice
        from tui.sources.login import log_in

        async with AsyncExitStack() as stack:
            connection = await log_in(host, self._options, pace, self._desk, stack)
            return _Shared(connection, stack.pop_all())


class SshWay:
    """A machine that is reached over SSH; implements `Way`."""

    def __init__(self, connections: Connections, host: Host, pace: Pace) -> None:
        self._connections = connections
        self._host = host
        self._pace = pace

    @asynccontextmanager
    async def run(self, argv: Sequence[str]) -> AsyncIterator[Channel]:
        """Run a command in a session of its own, without a terminal."""
        async with self._connections.to(self._host, self._pace) as connection:
            channel = SshChannel(await self._start(connection, argv), self._pace)
            try:
                yield channel
            finally:
                await channel.close()

    async def _start(
        self, connection: asyncssh.SSHClientConnection, argv: Sequence[str]
    ) -> asyncssh.SSHClientProcess[bytes]:
        import asyncssh

        try:
            async with asyncio.timeout(self._pace.connect_s):
                return await connection.create_process(
                    for_login_shell(argv), encoding=None, request_pty=False
                )
        except TimeoutError as error:
            raise lost(
                f"{self._host} starts no session within {self._pace.connect_s:.0f} s; connecting anew"
            ) from error
        except (OSError, asyncssh.Error) as error:
            raise lost(f"{self._host} gives no session ({error}); connecting anew") from error


class SshChannel:
    """A command on an SSH connection; implements `Channel`."""

    def __init__(self, process: asyncssh.SSHClientProcess[bytes], pace: Pace) -> None:
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
        self.words.end()
