"""The hosts that ssh_config names, for a list to choose from; how one is reached is for ssh to say."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from glob import glob
from pathlib import Path

from msgspec import Struct

MOST = 1000
"""The most hosts that are listed."""

_DEPTH = 16
"""How deep files may include each other, as in ssh."""


class NamedHost(Struct, frozen=True):
    """An alias of ssh_config, and the HostName that stands in its block; empty where there is none."""

    alias: str
    name: str = ""


def list_hosts(file: Path | None = None) -> tuple[NamedHost, ...]:
    """The aliases without a wildcard, in the order of the file and of what it includes.

    A file that can't be read has none.

    Args:
        file: The ssh_config; None is the user's own.
    """
    hosts: dict[str, NamedHost] = {}
    aliases: list[str] = []
    for keyword, words in _lines(file or Path("~/.ssh/config").expanduser(), _DEPTH):
        if keyword == "host":
            aliases = [word for word in words if not set(word) & set("*?!")]
            for alias in aliases[: MOST - len(hosts)]:
                hosts.setdefault(alias, NamedHost(alias))
        elif keyword == "match":
            aliases = []
        elif keyword == "hostname" and words:
            for alias in aliases:
                if alias in hosts and not hosts[alias].name:
                    hosts[alias] = NamedHost(alias, words[0].replace("%h", alias))
    return tuple(hosts.values())


def _lines(file: Path, depth: int) -> Iterator[tuple[str, list[str]]]:
    """Each keyword in small letters with its words, those of included files in their place."""
    try:
        text = file.read_text("utf-8", "replace")
    except OSError:
        return
    for line in text.splitlines():
        keyword, words = _split(line)
        if keyword != "include":
            yield keyword, words
        elif depth:
            for word in words:
                for path in sorted(glob(str(_included(word)))):  # noqa: PTH207 - absolute patterns
                    yield from _lines(Path(path), depth - 1)


def _split(line: str) -> tuple[str, list[str]]:
    line = line.strip()
    if not line or line.startswith("#"):
        return "", []
    keyword, _, rest = line.replace("=", " ", 1).replace("\t", " ").partition(" ")
    try:
        return keyword.lower(), shlex.split(rest, comments=True)
    except ValueError:  # a quotation mark that is never closed
        return keyword.lower(), rest.split()


def _included(word: str) -> Path:
    """Where an included file is: relative to ~/.ssh, as in a user's own ssh_config."""
    return Path("~/.ssh").expanduser() / Path(word).expanduser()
