"""Host keys: which ones are known, and what is said about one that is not. They are always checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tui.sources.trouble import Trouble, refused

if TYPE_CHECKING:
    import asyncssh

_USER_FILES = ("~/.ssh/known_hosts", "~/.ssh/known_hosts2")
_GLOBAL_FILES = ("/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2")


def known_hosts_files(user: Sequence[str], everyone: Sequence[str]) -> list[Path]:
    """The files to read, of those that ssh_config names or, without a word in it, of the usual ones.

    `UserKnownHostsFile none` would turn checking off; here it means the usual files.
    """
    names = [*(_named(user) or _USER_FILES), *(_named(everyone) or _GLOBAL_FILES)]
    paths = [Path(name).expanduser() for name in names]
    return [path for path in paths if path.is_file()]


def read_known_hosts(files: Iterable[Path]) -> asyncssh.SSHKnownHosts:
    """All that the files hold, hashed names too; nothing known if there are none.

    Raises:
        Trouble: A file can't be read; a key in it might be the one that matters.
    """
    import asyncssh

    known = asyncssh.import_known_hosts("")
    for file in files:
        try:
            known.load(file.read_text("utf-8", "surrogateescape"))
        except (OSError, ValueError) as error:
            raise refused(f"{file} can't be read as a list of host keys: {error}; mend it") from error
    return known


def explain_key(
    host: str, port: int, key: asyncssh.SSHKey, known: asyncssh.SSHKnownHosts, login: str
) -> Trouble:
    """What is wrong with a key that was not accepted: a changed one, or an unknown one, with its fingerprint."""
    shown = f"{key.get_algorithm()} {key.get_fingerprint()}"
    name = host if port == 22 else f"[{host}]:{port}"
    if known.match(host, "", None if port == 22 else port)[0]:
        return refused(
            f"THE HOST KEY OF {name} HAS CHANGED to {shown}: it may be another machine; only if you know why,"
            f" remove the old key with: ssh-keygen -R '{name}'"
        )
    return refused(
        f"the host key of {name} is not known ({shown}); compare it, then accept it once with: {login}"
    )


def _named(files: Sequence[str]) -> list[str]:
    return [name for name in files if name.lower() != "none"]
