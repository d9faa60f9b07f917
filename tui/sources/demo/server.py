"""An SSH server inside this process, on a loopback port, that runs commands as a login shell would."""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Protocol

import asyncssh

_READ_BYTES = 64 * 1024


@asynccontextmanager
async def serve(
    user_key: Path, folder: Path, environment: Mapping[str, str]
) -> AsyncIterator[tuple[int, str]]:
    """Serve, for as long as the context lasts; the port and the public host key are its value.

    Only the one key is let in. A command runs in `folder` and has `environment`; it and all its children are
    killed when its channel closes, and at the end of the context.
    """
    host = _Host(folder, environment)
    host_key = asyncssh.generate_private_key("ssh-ed25519")
    listener = await asyncssh.listen(
        "127.0.0.1",
        0,
        server_factory=host.answer,
        process_factory=host.run,
        server_host_keys=[host_key],
        authorized_client_keys=str(user_key.with_suffix(".pub")),
        allow_pty=False,
        encoding=None,
    )
    try:
        yield listener.get_port(), host_key.export_public_key().decode().strip()
    finally:
        listener.close()
        await host.close()


class _Host:
    """The sessions and connections that are open, so that all of them can be ended."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._folder = folder
        self._environment = dict(environment)
        self._connections: set[asyncssh.SSHServerConnection] = set()
        self._sessions: set[asyncio.Task[None]] = set()

    def answer(self) -> asyncssh.SSHServer:
        return _Doorman(self._connections)

    def run(self, process: asyncssh.SSHServerProcess[bytes]) -> None:
        session = asyncio.create_task(self._run(process))
        self._sessions.add(session)
        session.add_done_callback(self._sessions.discard)

    async def close(self) -> None:
        """Hang up on everybody, and wait until what they ran has ended.

        The sessions are not cancelled: one that is just starting its command would lose sight of it.
        """
        for connection in list(self._connections):
            connection.abort()
            await connection.wait_closed()
        await asyncio.gather(*self._sessions, return_exceptions=True)

    async def _run(self, process: asyncssh.SSHServerProcess[bytes]) -> None:
        if process.command is None:
            process.stderr.write(b"this demo host runs single commands only\n")
            process.exit(1)
            return
        child = await asyncio.create_subprocess_exec(
            "sh", "-c", process.command,
            stdin=PIPE, stdout=PIPE, stderr=PIPE,
            cwd=self._folder, env=self._environment, start_new_session=True,
        )  # fmt: skip
        relay = asyncio.create_task(_relay(process, child))
        hung_up = asyncio.create_task(process.wait_closed())
        try:
            await asyncio.wait((relay, hung_up), return_when=asyncio.FIRST_COMPLETED)
        finally:
            _kill_group(child)
            relay.cancel()
            hung_up.cancel()
            await asyncio.gather(relay, hung_up, return_exceptions=True)
            await child.wait()


class _Doorman(asyncssh.SSHServer):
    """Keeps the list of open connections."""

    def __init__(self, connections: set[asyncssh.SSHServerConnection]) -> None:
        self._connections = connections
        self._own: asyncssh.SSHServerConnection | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._own = conn
        self._connections.add(conn)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._own:
            self._connections.discard(self._own)


class _Reader(Protocol):
    async def read(self, n: int = -1, /) -> bytes: ...


class _Writer(Protocol):
    def write(self, data: bytes, /) -> None: ...
    async def drain(self) -> None: ...


async def _relay(process: asyncssh.SSHServerProcess[bytes], child: Process) -> None:
    """Carry bytes both ways until the command has ended and said its last, then hand over its exit status."""
    assert child.stdin
    assert child.stdout
    assert child.stderr
    feeding = asyncio.create_task(_feed(process.stdin, child.stdin))
    try:
        await asyncio.gather(_pour(child.stdout, process.stdout), _pour(child.stderr, process.stderr))
        status = await child.wait()
    finally:
        feeding.cancel()
    process.exit(status if status >= 0 else 128 - status)


async def _feed(source: _Reader, stdin: asyncio.StreamWriter) -> None:
    try:
        await _pour(source, stdin)
    finally:
        stdin.close()


async def _pour(source: _Reader, sink: _Writer) -> None:
    """Copy until either side ends; to hang up, or to send a signal, is to end as well."""
    with suppress(OSError, asyncssh.Error, asyncssh.BreakReceived, asyncssh.SignalReceived):
        while data := await source.read(_READ_BYTES):
            sink.write(data)
            await sink.drain()


def _kill_group(child: Process) -> None:
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
