"""SSH servers inside the test's process, and a proxy that breaks what passes through it."""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import asyncssh

from tui.sources.ssh import SshOptions


@dataclass
class Server:
    """A server that lets one key in, and runs commands by a login shell on this machine.

    Attributes:
        noise: What the login prints before the command's own output, as rc files do.
        logins: How many connections there have been.
    """

    folder: Path
    shell: Sequence[str] = ("sh", "-c")
    noise: bytes = b""
    logins: int = 0
    port: int = 0
    host_key: asyncssh.SSHKey = field(default_factory=lambda: asyncssh.generate_private_key("ssh-ed25519"))
    user_key: asyncssh.SSHKey = field(default_factory=lambda: asyncssh.generate_private_key("ssh-ed25519"))
    connections: list[asyncssh.SSHServerConnection] = field(default_factory=list)
    _sessions: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def address(self) -> str:
        """The beginning of an address."""
        return f"ssh://someone@127.0.0.1:{self.port}"

    @property
    def key_file(self) -> Path:
        """The private key that is let in."""
        return self.folder / "id"

    @property
    def known_hosts(self) -> Path:
        """A file in which the host key is known."""
        return self.folder / "known_hosts"

    @property
    def options(self) -> SshOptions:
        """All that a client needs."""
        return SshOptions((), (self.known_hosts,), (self.key_file,))

    def write_files(self, port: int | None = None) -> None:
        """Write the user's key and known_hosts, for the server's port or a proxy's."""
        self.folder.mkdir(exist_ok=True)
        self.user_key.write_private_key(self.key_file)
        key = self.host_key.export_public_key().decode()
        self.known_hosts.write_text(f"[127.0.0.1]:{port or self.port} {key}")

    @property
    def sessions(self) -> int:
        """How many commands run now."""
        return len(self._sessions)

    def cut(self) -> None:
        """End every connection at once."""
        for connection in self.connections:
            connection.abort()
        self.connections.clear()

    async def close(self) -> None:
        """End every connection and wait until the commands that ran over them have ended."""
        self.cut()
        await asyncio.gather(*self._sessions, return_exceptions=True)

    def run(self, process: asyncssh.SSHServerProcess[bytes]) -> None:
        """Run a command as sshd does, until it or its connection ends."""
        session = asyncio.create_task(self._run(process))
        self._sessions.add(session)
        session.add_done_callback(self._sessions.discard)

    async def _run(self, process: asyncssh.SSHServerProcess[bytes]) -> None:
        child = await asyncio.create_subprocess_exec(
            *self.shell,
            process.command or "true",
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            start_new_session=True,
        )
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        with suppress(OSError):  # the connection may be gone already
            process.stdout.write(self.noise)
        relays = [
            asyncio.create_task(_pour(process.stdin, child.stdin)),
            asyncio.create_task(_pour(child.stdout, process.stdout)),
            asyncio.create_task(_pour(child.stderr, process.stderr)),
        ]
        hung_up = asyncio.create_task(process.wait_closed())
        ended = asyncio.gather(*relays[1:])
        await asyncio.wait((ended, hung_up), return_when=asyncio.FIRST_COMPLETED)
        if hung_up.done():
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
        process.exit(await child.wait())
        for task in (*relays, hung_up):
            task.cancel()
        await asyncio.gather(*relays, hung_up, ended, return_exceptions=True)


class _Reader(Protocol):
    async def read(self, n: int = -1, /) -> bytes: ...


class _Writer(Protocol):
    def write(self, data: bytes, /) -> None: ...
    async def drain(self) -> None: ...
    def close(self) -> None: ...


async def _pour(source: _Reader, sink: _Writer) -> None:
    """Copy until the source ends, even if the sink does before, then close the sink if it is a pipe."""
    with suppress(asyncssh.Error):
        while data := await source.read(64 * 1024):
            with suppress(OSError, asyncssh.Error):
                sink.write(data)
                await sink.drain()
    if isinstance(sink, asyncio.StreamWriter):
        sink.close()


class _Doorman(asyncssh.SSHServer):
    def __init__(self, server: Server) -> None:
        self._server = server

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._server.connections.append(conn)
        self._server.logins += 1

    def connection_requested(self, dest_host: str, dest_port: int, orig_host: str, orig_port: int) -> bool:
        return True  # as a jump host does


@asynccontextmanager
async def serving(server: Server) -> AsyncIterator[Server]:
    """Serve on a free loopback port."""
    server.folder.mkdir(exist_ok=True)
    authorized = asyncssh.import_authorized_keys(server.user_key.export_public_key().decode())
    listener = await asyncssh.listen(
        "127.0.0.1",
        server.port,
        server_factory=lambda: _Doorman(server),
        process_factory=server.run,
        server_host_keys=[server.host_key],
        authorized_client_keys=authorized,
        encoding=None,
    )
    server.port = listener.get_port()
    server.write_files()
    try:
        yield server
    finally:
        listener.close()
        await server.close()
        await listener.wait_closed()


WHOLE_BYTES = 64 * 1024
"""The most that passes through a proxy at once where nothing is asked of it."""


@dataclass
class Proxy:
    """A way to a TCP port that can be cut, closed for a while, clogged, slow, and forgetful.

    Attributes:
        is_clogged: Whether nothing passes for now; what is held back comes later.
        piece_bytes: The most that passes at once, each piece in a packet of its own.
        pause_s: The wait after each piece, in seconds.
    """

    target_port: int
    port: int = 0
    is_clogged: bool = False
    piece_bytes: int = WHOLE_BYTES
    pause_s: float = 0.0
    _writers: list[asyncio.StreamWriter] = field(default_factory=list)
    _forgotten: set[asyncio.StreamWriter] = field(default_factory=set)
    _tasks: set[asyncio.Task[object]] = field(default_factory=set)

    def cut(self) -> None:
        """Reset every connection."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()
        self._forgotten.clear()

    def forget(self) -> None:
        """Drop all that the present connections send from now on, and tell neither side: they are half-open."""
        self._forgotten.update(self._writers)

    async def close(self) -> None:
        """Reset every connection, and wait until all is quiet."""
        self.is_clogged, self.pause_s = False, 0.0
        self.cut()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry the bytes of one connection both ways until either side ends."""
        task = asyncio.create_task(self._carry_both(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _carry_both(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            onward_reader, onward_writer = await asyncio.open_connection("127.0.0.1", self.target_port)
        except OSError:  # nobody listens there now
            writer.transport.abort()
            return
        self._writers += [writer, onward_writer]
        await asyncio.gather(self._carry(reader, onward_writer), self._carry(onward_reader, writer))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(WHOLE_BYTES):
                await self._pass_on(data, writer)
        if writer not in self._forgotten:
            writer.close()

    async def _pass_on(self, data: bytes, writer: asyncio.StreamWriter) -> None:
        while data and writer not in self._forgotten:
            while self.is_clogged:
                await asyncio.sleep(0.01)
            piece, data = data[: self.piece_bytes], data[self.piece_bytes :]
            writer.write(piece)
            await writer.drain()
            if self.piece_bytes < WHOLE_BYTES:
                await asyncio.sleep(self.pause_s)


@asynccontextmanager
async def through_proxy(target_port: int) -> AsyncIterator[Proxy]:
    """A proxy to a port of this machine, on a free loopback port."""
    proxy = Proxy(target_port)
    listener = await asyncio.start_server(proxy.carry, "127.0.0.1", 0)
    proxy.port = listener.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        listener.close()
        await proxy.close()
