"""Host keys: which ones are known, what is said about one that is not, and how it becomes known."""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import asyncssh

from tui.sources.asking import Question
from tui.sources.trouble import Trouble, refused

PLAIN_KEYS = (
    "ssh-ed25519",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "rsa-sha2-512",
    "rsa-sha2-256",
)
"""The kinds of key that a stranger may show, in ssh's order; no certificate, whose authority nobody here knows."""

_USER_FILES = ("~/.ssh/known_hosts", "~/.ssh/known_hosts2")
_GLOBAL_FILES = ("/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2")


class KnownHosts(asyncssh.SSHKnownHosts):
    """Host keys by name alone, as ssh has them: an address may change hands, and several hosts may share one."""

    def match(self, host: str, addr: str, port: int | None) -> Any:
        """The keys of a host, whatever its address is."""
        return super().match(host, "", port)


def known_hosts_files(user: Sequence[str], everyone: Sequence[str]) -> list[Path]:
    """The files to read, of those that ssh_config names or, without a word in it, of the usual ones.

    `UserKnownHostsFile none` would turn checking off; here it means the usual files.
    """
    names = [*(_named(user) or _USER_FILES), *(_named(everyone) or _GLOBAL_FILES)]
    paths = [Path(name).expanduser() for name in names]
    return [path for path in paths if path.is_file()]


def file_for_new(user: Sequence[str]) -> Path:
    """The file that takes a newly accepted key: the first that ssh_config names for the user, or the usual one."""
    return Path(next(iter(_named(user)), _USER_FILES[0])).expanduser()


def read_known_hosts(files: Iterable[Path]) -> asyncssh.SSHKnownHosts:
    """All that the files hold, hashed names too; nothing known if there are none.

    Raises:
        Trouble: A file can't be read; a key in it might be the one that matters.
    """
    known = KnownHosts()
    for file in files:
        try:
            known.load(file.read_text("utf-8", "surrogateescape"))
        except (OSError, ValueError) as error:
            raise refused(f"{file} can't be read as a list of host keys: {error}; mend it") from error
    return known


def has_key_of(name: str, known: asyncssh.SSHKnownHosts) -> bool:
    """Whether a key of this host, under its own port, is known; one that was not accepted is then a changed one."""
    return bool(known.match(name, "", None)[0])


def explain_key(name: str, key: asyncssh.SSHKey, known: asyncssh.SSHKnownHosts, login: str) -> Trouble:
    """What is wrong with a key that was not accepted: a changed one, or an unknown one, with its fingerprint."""
    if has_key_of(name, known):
        return refused(
            f"THE HOST KEY OF {name} HAS CHANGED to {_shown(key)}: it may be another machine; only if you know why,"
            f" remove the old key with: ssh-keygen -R '{name}'"
        )
    return refused(
        f"the host key of {name} is not known ({_shown(key)}); compare it, then accept it once with: {login}"
    )


def question_about(name: str, login: str, key: asyncssh.SSHKey, file: Path) -> Question:
    """What is asked before an unknown key is accepted."""
    said = (
        f"The host key of {name} is not known:",
        _shown(key),
        f"Compare it with what the host's owner says; it will be kept in {file}.",
    )
    return Question("host key", login, "yes, no, or the fingerprint", is_secret=False, said=said)


def is_agreed(answer: str, key: asyncssh.SSHKey) -> bool:
    """Whether an answer accepts the key, as ssh takes it: `yes`, or the very fingerprint."""
    return answer.strip().lower() == "yes" or answer.strip() == key.get_fingerprint()


def entry(name: str, key: asyncssh.SSHKey, *, is_hashed: bool) -> str:
    """The line of known_hosts for a key; hashed, the file does not tell where its user logs in."""
    if is_hashed:
        salt = secrets.token_bytes(20)
        digest = hmac.new(salt, name.encode(), hashlib.sha1).digest()
        name = f"|1|{base64.b64encode(salt).decode()}|{base64.b64encode(digest).decode()}"
    kind, data = key.export_public_key().decode("ascii").split()[:2]
    return f"{name} {kind} {data}\n"


def add_entry(file: Path, line: str) -> None:
    """Append a line to a file of known hosts, which is made where there is none; no other line is touched.

    Raises:
        Trouble: It can't be written.
    """
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "rb+") as opened:
            if opened.seek(0, os.SEEK_END):
                opened.seek(-1, os.SEEK_END)
                line = line if opened.read(1) == b"\n" else f"\n{line}"
            opened.write(line.encode("utf-8", "surrogateescape"))
    except (OSError, ValueError) as error:
        raise refused(f"the host key can't be kept in {file}: {error}; make the file writable") from error


def _shown(key: asyncssh.SSHKey) -> str:
    return f"{key.get_algorithm()} {key.get_fingerprint()}"


def _named(files: Sequence[str]) -> list[str]:
    return [name for name in files if name.lower() != "none"]
