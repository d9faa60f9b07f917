"""The way to a host as ssh_config has it: address, user, jump hosts, keys, and which host keys are known there."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import asyncssh
from msgspec import Struct

from tui.sources.hostkeys import PLAIN_KEYS, file_for_new, has_key_of, known_hosts_files, read_known_hosts
from tui.sources.keys import Keys, find_keys, names
from tui.sources.ssh import SshOptions
from tui.sources.sshconfig import SshConfig, read_config
from tui.sources.trouble import Trouble, refused
from tui.target import Host


class Route(Struct, frozen=True):
    """A host as ssh_config resolves it: where to connect, over what, and which keys are known there."""

    host: Host
    settings: asyncssh.SSHClientConnectionOptions
    config: SshConfig
    known: asyncssh.SSHKnownHosts
    known_hosts_file: Path
    keys: Keys
    jumps: tuple[Host, ...]

    @property
    def key_name(self) -> str:
        """The name under which known_hosts has the host's key."""
        name, port = self.settings.host, self.settings.port
        return self.settings.host_key_alias or (name if port == 22 else f"[{name}]:{port}")

    @property
    def key_kinds(self) -> tuple[str, ...]:
        """The kinds of host key to ask for; nothing leaves it to what is known of the host."""
        name, port = self.settings.host_key_alias or self.settings.host, self.settings.port
        is_known = has_key_of(self.key_name, self.known) or self.known.match(name, "", port)[1]
        return () if is_known else PLAIN_KEYS

    @property
    def login(self) -> str:
        """Who logs in where, for a person: `user@host`, with a port that is not the usual one."""
        port = "" if self.settings.port == 22 else f":{self.settings.port}"
        return f"{self.settings.username}@{self.settings.host}{port}"

    @property
    def proxy_command(self) -> tuple[str, ...]:
        """What ProxyCommand runs: like ssh, by way of the user's shell.

        Another shell around it keeps the pipe of standard error open, whose end asyncssh takes for the end of all.
        """
        if not (command := self.settings.config.get("ProxyCommand")):
            return ()
        shell = os.environ.get("SHELL") or "/bin/sh"
        return "/bin/sh", "-c", '"$0" -c "exec $1"; exit $?', shell, str(command)

    @property
    def command(self) -> str:
        """The ssh command of the same login, to be typed by a person."""
        port = f"-p {self.host.port} " if self.host.port else ""
        return f"ssh {port}" + (f"{self.host.user}@" if self.host.user else "") + self.host.name


def resolve(host: Host, options: SshOptions, folder: Path) -> Route:
    """Read ssh_config and known_hosts for a host; it blocks, and may run commands (`Match exec`).

    Args:
        host: Where to.
        options: What to go by.
        folder: Takes the resolved ssh_config, which is read once more while connecting.

    Raises:
        Trouble: One of the files can't be read.
    """
    config = read_config(host, options.config, folder)
    settings = _settings(host, config)
    user, everyone = names(settings, "UserKnownHostsFile"), names(settings, "GlobalKnownHostsFile")
    files = known_hosts_files(user, everyone) if options.known_hosts is None else options.known_hosts
    jumps = settings.tunnel.split(",") if isinstance(settings.tunnel, str) else []
    return Route(
        host=host,
        settings=settings,
        config=config,
        known=read_known_hosts(files),
        known_hosts_file=options.known_hosts[0] if options.known_hosts else file_for_new(user),
        keys=_keys(settings, options),
        jumps=tuple(parse_jump(word) for word in jumps),
    )


def destination(host: Host, options: SshOptions) -> tuple[object, ...]:
    """What two names of one login have in common: machine, port, user, and the way there. It blocks.

    Where ssh_config can't be used, which the login will tell, it is the host's own name.
    """
    with TemporaryDirectory(prefix="milepost-") as folder, suppress(Trouble):
        settings = _settings(host, read_config(host, options.config, Path(folder)))
        way = settings.tunnel, settings.config.get("ProxyCommand"), settings.host_key_alias
        return settings.host, settings.port, settings.username, *map(str, way)
    return (host,)


def _settings(host: Host, config: SshConfig) -> asyncssh.SSHClientConnectionOptions:
    try:
        return asyncssh.SSHClientConnectionOptions(
            config=list(config.files),
            host=host.name,
            port=host.port or (),
            username=host.user or (),
            client_keys=None,
        )
    except (ValueError, OSError) as error:
        raise refused(f"the SSH configuration for {host} can't be used: {error}; mend it") from error


def _keys(settings: asyncssh.SSHClientConnectionOptions, options: SshOptions) -> Keys:
    if options.client_keys is None:
        return find_keys(settings)
    try:
        return Keys([*asyncssh.load_keypairs(list(options.client_keys))])
    except (OSError, ValueError) as error:
        raise refused(f"the key for {settings.host} can't be used: {error}; name another") from error


def parse_jump(word: str) -> Host:
    """A host of ProxyJump: `[user@]host[:port]`, an IPv6 address in brackets, `ssh://` allowed."""
    user, _, rest = word.strip().removeprefix("ssh://").rstrip("/").rpartition("@")
    name, colon, port = rest.rpartition(":")
    if not colon or not port.isdecimal() or rest.endswith("]"):
        name, port = rest, ""
    return Host(name.strip("[]"), user or None, int(port) if port else None)
