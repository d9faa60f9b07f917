"""One login over SSH: by the user's own ssh_config, agent and keys, with the host key checked on every hop."""

from __future__ import annotations

import asyncio
import socket
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import asyncssh

from tui.sources.hostkeys import explain_key, known_hosts_files, read_known_hosts
from tui.sources.keys import Keys, find_keys, names
from tui.sources.pace import Pace
from tui.sources.ssh import SshOptions
from tui.sources.trouble import Trouble, lost, missing, refused
from tui.target import Host

KEEPALIVE_S = 15
"""Seconds between SSH keepalives where ssh_config names none; three without an answer end the connection."""

_CONFIG_FILES = ("~/.ssh/config", "/etc/ssh/ssh_config")
_MOST_JUMPS = 8


class Greeter(asyncssh.SSHClient):
    """Notes what the server shows and asks, and agrees to nothing."""

    def __init__(self) -> None:
        self.unaccepted: asyncssh.SSHKey | None = None
        self.asks_for_password = False

    def validate_host_public_key(self, host: str, addr: str, port: int, key: asyncssh.SSHKey) -> bool:
        """Refuse a key that known_hosts does not hold."""
        self.unaccepted = key
        return False

    def validate_host_ca_key(self, host: str, addr: str, port: int, key: asyncssh.SSHKey) -> bool:
        """Refuse a certificate of an authority that known_hosts does not hold."""
        self.unaccepted = key
        return False

    def password_auth_requested(self) -> None:
        """Have no password to give."""
        self.asks_for_password = True

    def kbdint_auth_requested(self) -> None:
        """Have nobody to ask."""
        self.asks_for_password = True


@dataclass(frozen=True, slots=True)
class Route:
    """A host as ssh_config resolves it: where to connect, over what, and which keys are known there."""

    host: Host
    settings: asyncssh.SSHClientConnectionOptions
    config: tuple[Path, ...]
    known: asyncssh.SSHKnownHosts
    keys: Keys
    jumps: tuple[Host, ...]

    @property
    def key_name(self) -> str:
        """The name under which known_hosts has the host's key."""
        return self.settings.host_key_alias or self.settings.host

    @property
    def command(self) -> str:
        """The ssh command of the same login, to be typed by a person."""
        port = f"-p {self.host.port} " if self.host.port else ""
        return f"ssh {port}" + (f"{self.host.user}@" if self.host.user else "") + self.host.name


async def log_in(
    host: Host,
    options: SshOptions,
    pace: Pace,
    stack: AsyncExitStack,
    tunnel: asyncssh.SSHClientConnection | None = None,
    depth: int = 0,
) -> asyncssh.SSHClientConnection:
    """Connect and log in, over the jump hosts that ssh_config names.

    Args:
        host: Where to.
        options: What to go by.
        pace: How long it may take.
        stack: Takes the closing of each connection made.
        tunnel: The connection of the jump host before; None at the first.
        depth: How many hosts have jumped through each other so far.

    Raises:
        Trouble: One sentence that says what is in the way.
    """
    route = await asyncio.to_thread(resolve, host, options)
    if depth > _MOST_JUMPS:
        raise refused(f"ProxyJump for {host} leads in a circle; mend ssh_config")
    for jump in route.jumps if tunnel is None else ():
        tunnel = await log_in(jump, options, pace, stack, tunnel, depth + 1)
    connection = await _connect(route, options, pace, tunnel)
    stack.push_async_callback(_close, connection, pace)
    return connection


def resolve(host: Host, options: SshOptions) -> Route:
    """Read ssh_config and known_hosts for a host; it blocks, and may run commands (`Match exec`).

    Raises:
        Trouble: One of the files can't be read.
    """
    config = _config_files(options)
    try:
        settings = asyncssh.SSHClientConnectionOptions(
            config=list(config),
            host=host.name,
            port=host.port or (),
            username=host.user or (),
            client_keys=None,
        )
    except (ValueError, OSError) as error:
        raise refused(f"the SSH configuration for {host} can't be used: {error}; mend it") from error
    files = _known_hosts_files(settings) if options.known_hosts is None else options.known_hosts
    jumps = settings.tunnel.split(",") if isinstance(settings.tunnel, str) else []
    return Route(
        host,
        settings,
        config,
        read_known_hosts(files),
        _keys(settings, options),
        tuple(_jump(word) for word in jumps),
    )


def _keys(settings: asyncssh.SSHClientConnectionOptions, options: SshOptions) -> Keys:
    if options.client_keys is None:
        return find_keys(settings)
    try:
        return Keys([*asyncssh.load_keypairs(list(options.client_keys))])
    except (OSError, ValueError) as error:
        raise refused(f"the key for {settings.host} can't be used: {error}; name another") from error


def _known_hosts_files(settings: asyncssh.SSHClientConnectionOptions) -> list[Path]:
    return known_hosts_files(names(settings, "UserKnownHostsFile"), names(settings, "GlobalKnownHostsFile"))


def _config_files(options: SshOptions) -> tuple[Path, ...]:
    if options.config is not None:
        return options.config
    paths = (Path(name).expanduser() for name in _CONFIG_FILES)
    return tuple(path for path in paths if path.is_file())


def _jump(word: str) -> Host:
    """A host of ProxyJump: `[user@]host[:port]`, an IPv6 address in brackets, `ssh://` allowed."""
    user, _, rest = word.strip().removeprefix("ssh://").rstrip("/").rpartition("@")
    name, colon, port = rest.rpartition(":")
    if not colon or not port.isdecimal() or rest.endswith("]"):
        name, port = rest, ""
    return Host(name.strip("[]"), user or None, int(port) if port else None)


async def _connect(
    route: Route, options: SshOptions, pace: Pace, tunnel: asyncssh.SSHClientConnection | None
) -> asyncssh.SSHClientConnection:
    greeter = Greeter()
    has_agent = options.client_keys is None and route.keys.identities != []
    agent = {} if has_agent else {"agent_path": None}
    try:
        return await asyncssh.connect(
            route.host.name,
            route.host.port or (),
            username=route.host.user or (),
            tunnel=tunnel,
            config=list(route.config),
            known_hosts=route.known,
            client_keys=route.keys.offered,
            client_certs=[],
            agent_identities=route.keys.identities,
            client_factory=lambda: greeter,
            connect_timeout=pace.connect_s,
            login_timeout=pace.connect_s,
            keepalive_interval=route.settings.keepalive_interval or KEEPALIVE_S,
            keepalive_count_max=route.settings.keepalive_count_max,
            agent_forwarding=False,
            x11_forwarding=False,
            **agent,
        )
    except asyncssh.HostKeyNotVerifiable as error:
        if greeter.unaccepted is None:
            raise refused(f"the host key of {route.host} is not accepted: {error.reason}") from error
        settings = route.settings
        raise explain_key(
            route.key_name, settings.port, greeter.unaccepted, route.known, route.command
        ) from error
    except asyncssh.PermissionDenied as error:
        raise _explain_refusal(route, greeter) from error
    except (OSError, asyncssh.Error, ValueError) as error:
        raise _explain(route, pace, error) from error


async def _close(connection: asyncssh.SSHClientConnection, pace: Pace) -> None:
    connection.close()
    try:
        async with asyncio.timeout(pace.close_s):
            await connection.wait_closed()
    except TimeoutError:
        connection.abort()


def _explain(route: Route, pace: Pace, error: Exception) -> Trouble:
    host, where = route.host, f"{route.settings.host}:{route.settings.port}"
    if isinstance(error, socket.gaierror):
        return missing(f"the host name {route.settings.host} is not known; check the address and the network")
    if isinstance(error, TimeoutError):
        return lost(
            f"{host} does not answer at {where} within {pace.connect_s:.0f} s; check that it is up and reachable"
        )
    if isinstance(error, ConnectionRefusedError) or "Connect call failed" in str(error):
        return lost(f"no SSH server answers at {where}; check that {host} is up and the port is right")
    if isinstance(error, asyncssh.KeyExchangeFailed):
        return refused(
            f"{host} and this client have no way to log in safely: {error.reason}; compare: {route.command}"
        )
    if isinstance(error, asyncssh.ChannelOpenError):
        return lost(f"the jump host can't reach {where}: {error.reason}")
    if isinstance(error, asyncssh.Error):
        return lost(f"{host} ended the login: {error.reason}")
    if isinstance(error, OSError):
        return lost(f"{host} can't be reached at {where}: {error.strerror or error}")
    return refused(f"the login to {host} can't be made: {error}; mend the SSH configuration")


def _explain_refusal(route: Route, greeter: Greeter) -> Trouble:
    login = f"{route.settings.username}@{route.settings.host}"
    if locked := route.keys.locked:
        return refused(
            f"{login} refuses the login; the key {locked[0]} has a passphrase, unlock it with: ssh-add {locked[0]}"
        )
    if greeter.asks_for_password:
        return refused(
            f"{login} asks for a password, which can't be given here; set up a key with: ssh-copy-id {_target(route)}"
        )
    return refused(
        f"{login} refuses the login: none of the keys offered is accepted; compare: {route.command}"
    )


def _target(route: Route) -> str:
    return route.command.removeprefix("ssh ")
