"""SSH connections, at most two to a host, and the commands that run over them."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from tui.events import LinkState
from tui.garbage import loading
from tui.sources.asking import Asker, Desk
from tui.sources.channel import Channel
from tui.sources.pace import Pace
from tui.sources.quoting import for_login_shell
from tui.sources.session import SshChannel, start_command
from tui.sources.trouble import Full, Trouble, lost
from tui.sources.turnstile import Place, Turnstile
from tui.target import Host

if TYPE_CHECKING:
    import asyncssh

    from tui.sources.gpus import GpuWatches
    from tui.sources.lanes import Lanes

CONNECTIONS = 2
"""The most connections to one host, however many logs are followed there."""

OPENED_AT_A_TIME = 8
"""Logins that begin at a time, to all hosts together: fewer than the ten from which on OpenSSH turns some away.

As many more may take long, and as many wait for a person: there are never more than three times as many under way.
"""

LOGIN_PATIENCE_S = 1.0
"""Seconds in which a login is done as a rule; one that is not goes on among its like: fifty that hang cost six."""

SESSIONS = 9
"""Commands that run for good on one connection: OpenSSH allows 10 sessions by default, one is left for probes."""

PROBES = 2
"""Probes at a time on one host; the others wait for their turn, so that those of many runs take no more connections."""


class SshOptions(Struct, frozen=True):
    """What logins go by in place of the user's own files; None leaves it to those.

    With `client_keys` no agent is asked.
    """

    config: tuple[Path, ...] | None = None
    known_hosts: tuple[Path, ...] | None = None
    client_keys: tuple[Path, ...] | None = None


class _Shared(Struct, eq=False):
    """One connection and how many commands run over it, of those that the server allows at a time.

    `keepers` want it to stay open in between.
    """

    connection: asyncssh.SSHClientConnection
    closing: AsyncExitStack
    users: int = 0
    keepers: int = 0
    limit: int = SESSIONS + 1
    is_suspect: bool = False

    @property
    def is_good(self) -> bool:
        return not self.is_suspect and not self.connection.is_closed()

    def distrust(self) -> None:
        """Let the next attempt make a new connection; the other users of this one may go on."""
        self.is_suspect = True

    def has_room(self, *, is_probe: bool) -> bool:
        return self.is_good and self.users < (self.limit if is_probe else min(self.limit, SESSIONS))


class _Line(Struct):
    """The connections to one host; the lock lets those who come together share one, or the failure to get it."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    shared: list[_Shared] = field(default_factory=list)
    failures: int = 0
    trouble: Trouble | None = None

    @property
    def good(self) -> list[_Shared]:
        return [shared for shared in self.shared if shared.is_good]


class Connections:
    """The ways of a program: SSH connections, at most two to a host, made and closed on demand, and lanes on them.

    Args:
        options: What logins go by; None is the user's own files.
        asker: Asks the person for passphrases, passwords, codes, and about unknown host keys; without one a login
            that needs any of them is refused.

    Attributes:
        probes: The turns of those who run something for a moment, by host; None is this machine.
    """

    def __init__(self, options: SshOptions | None = None, asker: Asker | None = None) -> None:
        self.probes: defaultdict[Host | None, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(PROBES)
        )
        self._options = options or SshOptions()
        self._desk = Desk(asker)
        self._lines: defaultdict[object, _Line] = defaultdict(_Line)
        self._destinations: dict[Host, object] = {}
        self._logins = Turnstile(OPENED_AT_A_TIME, LOGIN_PATIENCE_S)

    @cached_property
    def lanes(self) -> Lanes:
        """The far ends that logs are read over."""
        from tui.sources.lanes import Lanes  # a local log needs none

        return Lanes()

    @cached_property
    def gpus(self) -> GpuWatches:
        """The tools that tell of GPUs."""
        from tui.sources.gpus import GpuWatches  # which needs this module

        return GpuWatches()

    def has_room(self, host: Host) -> bool:
        """Whether fewer commands run at a host than one connection takes: the other is for those who have none yet."""
        line = self._lines.get(self._destinations.get(host))
        return line is None or sum(shared.users for shared in line.good) < SESSIONS

    @asynccontextmanager
    async def session(
        self, host: Host, command: str, pace: Pace, *, is_probe: bool = False
    ) -> AsyncIterator[SshChannel]:
        """A command that runs on a host; with the last one the connection is closed.

        Args:
            host: Where.
            command: One line for the login shell.
            pace: How long a login and a start may take.
            is_probe: Whether it runs for a moment only, and may take the session that is kept free for that.

        Raises:
            Trouble: There is no connection to be had; the message says why and what to do.
            Full: Two connections are at their limit.
        """
        line = self._lines[await self._destination(host)]
        shared, process = await self._start(line, host, command, pace, is_probe=is_probe)
        channel = SshChannel(process, pace, shared.distrust)
        try:
            yield channel
        except Trouble as trouble:
            if trouble.state is LinkState.RETRYING:
                shared.distrust()
            raise
        finally:
            await channel.close()
            await self._leave(line, shared)

    @asynccontextmanager
    async def kept(self, host: Host, pace: Pace) -> AsyncIterator[None]:
        """Keep a connection to a host open, so that one login does for all commands that run meanwhile.

        Raises:
            Trouble: There is no connection to be had.
        """
        line = self._lines[await self._destination(host)]
        shared = await self._enter(line, host, pace, is_probe=True)
        shared.keepers += 1
        try:
            await self._leave(line, shared)
            yield
        finally:
            shared.keepers -= 1
            await self._close_unused(line, shared)

    async def _destination(self, host: Host) -> object:
        """What tells one destination from another, whatever it is called in ssh_config."""
        if host not in self._destinations:
            # Its 0.2 s are spent in a thread, for the screen would notice.
            with loading():
                await asyncio.to_thread(import_module, "tui.sources.login")
            from tui.sources.route import destination

            self._destinations[host] = await asyncio.to_thread(destination, host, self._options)
        return self._destinations[host]

    async def _start(
        self, line: _Line, host: Host, command: str, pace: Pace, *, is_probe: bool
    ) -> tuple[_Shared, asyncssh.SSHClientProcess[bytes]]:
        """Start a command on the first connection that has a session for it."""
        import asyncssh

        while True:
            shared = await self._enter(line, host, pace, is_probe=is_probe)
            try:
                return shared, await start_command(shared.connection, host, command, pace)
            except asyncssh.ChannelOpenError as error:
                shared.limit = shared.users - 1  # the server allows fewer sessions than most do
                await self._leave(line, shared)
                if not shared.limit:
                    raise lost(f"{host} gives no session ({error}); connecting anew") from error
            except BaseException as error:
                shared.is_suspect |= isinstance(error, Trouble)
                await self._leave(line, shared)
                raise

    async def _leave(self, line: _Line, shared: _Shared) -> None:
        shared.users -= 1
        await self._close_unused(line, shared)

    async def _close_unused(self, line: _Line, shared: _Shared) -> None:
        if not shared.users and not shared.keepers and shared in line.shared:
            line.shared.remove(shared)
            await shared.closing.aclose()

    async def _enter(self, line: _Line, host: Host, pace: Pace, *, is_probe: bool) -> _Shared:
        failures = line.failures
        async with line.lock:
            good = line.good
            shared = next((each for each in good if each.has_room(is_probe=is_probe)), None)
            if shared is None:
                if len(good) >= CONNECTIONS:
                    raise _no_session_left(host, good)
                if line.trouble and line.failures > failures:
                    raise line.trouble.again()  # nobody is asked for a password once for each log
                shared = await self._log_in_for(line, host, pace)
                line.shared.append(shared)
            shared.users += 1
            return shared

    async def _log_in_for(self, line: _Line, host: Host, pace: Pace) -> _Shared:
        try:
            shared = await self._logins.run(
                lambda place: self._log_in(host, pace, place), is_slow=line.trouble is not None
            )
        except Trouble as trouble:
            line.failures += 1
            line.trouble = trouble.again()
            raise
        line.trouble = None
        return shared

    async def _log_in(self, host: Host, pace: Pace, place: Place) -> _Shared:
        from tui.sources.login import log_in

        desk = self._desk.telling(place.wait_for_person)
        async with AsyncExitStack() as stack:
            connection = await log_in(host, self._options, pace, desk, stack)
            return _Shared(connection, stack.pop_all())


def _no_session_left(host: Host, good: Sequence[_Shared]) -> Full:
    runs = sum(shared.users for shared in good)
    return Full(
        f"{host} has no session left: {runs} commands of this program run there over {len(good)} connections;"
        " follow fewer containers, or the rest in another terminal"
    )


class SshWay:
    """A machine that is reached over SSH; implements `Way`.

    Args:
        connections: Those to share.
        host: The machine.
        pace: How long a login and a start may take.
        is_probe: Whether what is run there runs for a moment only.
    """

    def __init__(self, connections: Connections, host: Host, pace: Pace, *, is_probe: bool = False) -> None:
        self._connections = connections
        self._host = host
        self._pace = pace
        self._is_probe = is_probe

    @property
    def has_room(self) -> bool:
        """Whether half of the sessions are free still."""
        return self._connections.has_room(self._host)

    @asynccontextmanager
    async def run(self, argv: Sequence[str]) -> AsyncIterator[Channel]:
        """Run a command in a session of its own, without a terminal."""
        command = for_login_shell(argv)
        session = self._connections.session(self._host, command, self._pace, is_probe=self._is_probe)
        async with session as channel:
            yield channel
