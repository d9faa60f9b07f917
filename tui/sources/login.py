"""One login over SSH: by the user's own ssh_config, agent and keys, with the host key checked on every hop."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import asyncssh
from msgspec import Struct

from tui.sources.asking import Desk, Interview
from tui.sources.greeter import Greeter
from tui.sources.hostkeys import add_entry, entry, explain_key, has_key_of, is_agreed, question_about
from tui.sources.keys import Offer
from tui.sources.pace import Pace
from tui.sources.refusal import explain_failure, explain_refusal
from tui.sources.route import Route, resolve
from tui.sources.ssh import SshOptions
from tui.sources.trouble import refused
from tui.target import Host

KEEPALIVE_S = 15
"""Seconds between SSH keepalives where ssh_config names none; three without an answer end the connection."""

_MOST_JUMPS = 8


class Login(Struct, frozen=True):
    """All that one login goes by."""

    route: Route
    options: SshOptions
    pace: Pace
    desk: Desk
    tunnel: asyncssh.SSHClientConnection | None


class _UnacceptedKey(Exception):  # noqa: N818 - it becomes a question
    """The host has shown a key that known_hosts does not hold."""

    def __init__(self, key: asyncssh.SSHKey) -> None:
        super().__init__()
        self.key = key


async def log_in(
    host: Host,
    options: SshOptions,
    pace: Pace,
    desk: Desk,
    stack: AsyncExitStack,
    tunnel: asyncssh.SSHClientConnection | None = None,
    depth: int = 0,
) -> asyncssh.SSHClientConnection:
    """Connect and log in, over the jump hosts that ssh_config names.

    Args:
        host: Where to.
        options: What to go by.
        pace: How long it may take, besides the time that a person takes to answer.
        desk: Takes the questions that the hosts ask.
        stack: Takes the closing of each connection made.
        tunnel: The connection of the jump host before; None at the first.
        depth: How many hosts have jumped through each other so far.

    Raises:
        Trouble: One sentence that says what is in the way.
    """
    if depth > _MOST_JUMPS:
        raise refused(f"ProxyJump for {host} leads in a circle; mend ssh_config")
    with TemporaryDirectory(prefix="milepost-") as folder:
        route = await asyncio.to_thread(resolve, host, options, Path(folder))
        for jump in route.jumps if tunnel is None else ():
            tunnel = await log_in(jump, options, pace, desk, stack, tunnel, depth + 1)
        connection = await _connect(Login(route, options, pace, desk, tunnel))
    stack.push_async_callback(_close, connection, pace)
    return connection


async def _connect(login: Login) -> asyncssh.SSHClientConnection:
    """Log in; where the host is a stranger, once more after a person has accepted its key."""
    route = login.route
    for is_last in (False, True):
        try:
            return await _try(login)
        except _UnacceptedKey as unaccepted:
            can_ask = login.desk.is_open and not route.config.is_strict and not is_last
            if has_key_of(route.key_name, route.known) or not can_ask:
                key = unaccepted.key
                raise explain_key(route.key_name, key, route.known, route.command) from unaccepted
            await _accept(login, unaccepted.key)
    raise AssertionError("unreachable")


async def _accept(login: Login, key: asyncssh.SSHKey) -> None:
    """Ask whether a host's key is the right one, and if so keep it where ssh does.

    Raises:
        Trouble: It is not, or it can't be kept.
    """
    route, desk = login.route, login.desk
    question = question_about(route.key_name, route.login, key, route.known_hosts_file)
    keep_as = f"{route.key_name} {key.get_fingerprint()}"
    answer = await desk.ask(question, keep_as)
    if answer is None or not is_agreed(answer, key):
        desk.forget(keep_as, answer or "")
        raise refused(f"the host key of {route.key_name} was not accepted; press R to be asked again")
    line = entry(route.key_name, key, is_hashed=route.config.hashes_names)
    await asyncio.to_thread(add_entry, route.known_hosts_file, line)
    route.known.load(line)


async def _try(login: Login) -> asyncssh.SSHClientConnection:
    """One attempt; its time does not run while a person is asked.

    Raises:
        Trouble: What is in the way.
        _UnacceptedKey: The host has shown a key that is not known.
    """
    route, pace = login.route, login.pace
    try:
        async with asyncio.timeout(pace.connect_s) as limit:
            interview = Interview(login.desk, limit, pace.connect_s)
            greeter = Greeter(route.login, interview, route.keys.locked)
            return await _open(login, greeter)
    except asyncssh.HostKeyNotVerifiable as error:
        if greeter.unaccepted is None:
            raise refused(f"the host key of {route.host} is not accepted: {error.reason}") from error
        raise _UnacceptedKey(greeter.unaccepted) from error
    except asyncssh.PermissionDenied as error:
        greeter.forget_password()
        raise explain_refusal(route, greeter, interview) from error
    except (OSError, asyncssh.Error, ValueError) as error:
        if question := interview.pending:  # asking by itself again and again would look like an attack
            sentence = f"{route.login} did not wait for the {question.text}; press R to be asked again"
            raise refused(sentence) from error
        raise explain_failure(route, pace, error) from error


async def _open(login: Login, greeter: Greeter) -> asyncssh.SSHClientConnection:
    route = login.route
    has_agent = login.options.client_keys is None and route.keys.identities != []
    agent = {} if has_agent else {"agent_path": None}
    return await asyncssh.connect(
        route.host.name,
        route.host.port or (),
        username=route.host.user or (),
        tunnel=login.tunnel,
        config=list(route.config.files),
        proxy_command=route.proxy_command,
        known_hosts=route.known,
        server_host_key_algs=route.key_kinds,
        client_keys=Offer([*route.keys.offered, *greeter.locked_pairs()]),
        client_certs=[],
        agent_identities=route.keys.identities,
        client_factory=lambda: greeter,
        connect_timeout=None,
        login_timeout=0,
        keepalive_interval=route.settings.keepalive_interval or KEEPALIVE_S,
        keepalive_count_max=route.settings.keepalive_count_max,
        agent_forwarding=False,
        x11_forwarding=False,
        **agent,
    )


async def _close(connection: asyncssh.SSHClientConnection, pace: Pace) -> None:
    connection.close()
    try:
        async with asyncio.timeout(pace.close_s):
            await connection.wait_closed()
    except TimeoutError:
        connection.abort()
