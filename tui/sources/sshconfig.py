"""ssh_config as ssh itself reads it: `ssh -G` resolves Include, Match and all else, where there is an ssh."""

from __future__ import annotations

import os
import pwd
import shlex
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from tui.sources.trouble import refused
from tui.target import Host

_USER_FILE, _SYSTEM_FILE = "~/.ssh/config", "/etc/ssh/ssh_config"

_TIME_LIMIT_S = 20
"""For `Match exec`, which may ask the network where it is."""

_ONE_WORD = frozenset(
    "hostname user port identityfile certificatefile identitiesonly identityagent hostkeyalias proxyjump"
    " serveraliveinterval serveralivecountmax compression addressfamily bindaddress ciphers macs kexalgorithms"
    " preferredauthentications pubkeyauthentication passwordauthentication kbdinteractiveauthentication".split()
)
"""What is taken over, as one word each. HostKeyAlgorithms is not: known keys decide on it."""

_AS_IT_IS = frozenset("proxycommand userknownhostsfile globalknownhostsfile".split())


class SshConfig(Struct, frozen=True):
    """What ssh_config says of one host.

    Attributes:
        files: The files to read it from: those of the user, or one in which all is resolved.
        hashes_names: Whether names in known_hosts are to be hashed.
        is_strict: Whether an unknown host key may not even be asked about.
    """

    files: tuple[Path, ...]
    hashes_names: bool = False
    is_strict: bool = False


def read_config(host: Host, config: tuple[Path, ...] | None, folder: Path) -> SshConfig:
    """Resolve ssh_config for a host; it blocks, and runs the commands of `Match exec`.

    Args:
        host: Whose settings are wanted.
        config: The files in place of the user's and the system's own; None for those.
        folder: Takes the file that is written.

    Raises:
        Trouble: ssh can't use it, and says why.
    """
    command = shutil.which("ssh")
    if command is None or len(config or ()) > 1:
        return SshConfig(_own_files() if config is None else config)
    settings = _ask_ssh([command, *_which_file(config), "-G", *_as_options(host), "--", host.name], host)
    file = folder / "ssh_config"
    file.write_text("".join(f"{line}\n" for line in _lines(settings)), "utf-8")
    return SshConfig(
        (file,),
        hashes_names=settings.get("hashknownhosts") == ["yes"],
        is_strict=settings.get("stricthostkeychecking") in (["yes"], ["true"]),
    )


def _own_files() -> tuple[Path, ...]:
    paths = (Path(name).expanduser() for name in (_USER_FILE, _SYSTEM_FILE))
    return tuple(path for path in paths if path.is_file())


def _which_file(config: tuple[Path, ...] | None) -> list[str]:
    if config is not None:
        return ["-F", str(config[0]) if config else "none"]
    own = Path(_USER_FILE).expanduser()
    if _home() == Path("~").expanduser() or not own.is_file():
        return []
    return ["-F", str(own)]  # ssh looks for it in the home of the user database, whatever HOME says


def _home() -> Path:
    return Path(pwd.getpwuid(os.getuid()).pw_dir)


def _as_options(host: Host) -> list[str]:
    return [*(["-p", str(host.port)] if host.port else []), *(["-l", host.user] if host.user else [])]


def _ask_ssh(command: Sequence[str], host: Host) -> Mapping[str, list[str]]:
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="surrogateescape",
            timeout=_TIME_LIMIT_S,
            check=False,
            start_new_session=True,  # no command of `Match exec` can write to the terminal
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise refused(f"ssh does not say how it reaches {host}: {error}; try: ssh -G {host.name}") from error
    if done.returncode:
        said = done.stderr.strip().partition("\n")[0]
        raise refused(f"the SSH configuration for {host} can't be used: {said}; mend it")
    settings = defaultdict(list)
    for line in done.stdout.splitlines():
        name, _, value = line.partition(" ")
        settings[name].append(value)
    return settings


def _lines(settings: Mapping[str, list[str]]) -> list[str]:
    """The settings as a file that any reader of ssh_config takes."""
    lines = []
    for name, values in settings.items():
        if name in _ONE_WORD:
            values = [os.path.expandvars(value) if name == "identityagent" else value for value in values]
            lines += [f"{name} {shlex.quote(value)}" for value in values if not _is_usual(name, value)]
        elif name in _AS_IT_IS:
            lines += [f"{name} {value}" for value in values if not _is_usual(name, value)]
    return lines


def _is_usual(name: str, value: str) -> bool:
    """Whether a value is only what holds where ssh_config is silent, and better left to our own defaults."""
    usual = {
        "userknownhostsfile": f"{_home()}/.ssh/known_hosts {_home()}/.ssh/known_hosts2",
        "identityagent": "SSH_AUTH_SOCK",
        "serveraliveinterval": "0",
        "bindaddress": "",
    }
    return usual.get(name) == value
