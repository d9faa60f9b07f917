"""Quoting a command for a login shell that nobody knows: sh, bash, zsh, fish and csh read the same words."""

from __future__ import annotations

import shlex
import string
from collections.abc import Sequence

_SAFE = frozenset((string.ascii_letters + string.digits + " _./=:,@+-").encode())


def for_login_shell(argv: Sequence[str]) -> str:
    r"""One line that, given to any common login shell, runs `argv` in its place, byte for byte.

    What the login shell itself reads is one pair of single quotes with nothing special to any shell within: each
    other byte is written in octal, and only the POSIX `sh` that it starts turns it back.

    >>> print(for_login_shell(["echo", "a;b"]))
    exec sh -c 'eval "$(printf %b "$0")"' 'exec echo \0047a\0073b\0047'
    """
    command = "exec " + shlex.join(argv)
    octal = "".join(chr(byte) if byte in _SAFE else f"\\0{byte:03o}" for byte in _to_bytes(command))
    return f"""exec sh -c 'eval "$(printf %b "$0")"' '{octal}'"""


def _to_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")  # a path of the command line may hold any byte
