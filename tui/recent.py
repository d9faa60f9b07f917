"""The addresses that were opened lately, kept from one start to the next; a file that can't be used is no error."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict

from tui.replacing import replace_file
from tui.target import Target

MOST = 20
"""How many addresses are kept."""

_SCHEMA = 1
_SECRET = re.compile(r"ssh://[^/@]*:[^/@]*@")


class Opened(Struct, frozen=True):
    """An address, and when it was last opened, in UTC epoch seconds."""

    address: str
    opened_s: float


class Recent:
    """The kept addresses, the latest first.

    Args:
        file: Where they are kept; None is `$XDG_STATE_HOME/milepost/recent.json`, or below `~/.local/state`.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or default_file()

    def read(self) -> tuple[Opened, ...]:
        """What is kept; nothing where the file is missing or broken."""
        try:
            kept = json.loads(self._file.read_text("utf-8"))
            return tuple(
                Opened(str(each["address"]), float(each["opened_s"])) for each in kept["recent"][:MOST]
            )
        except (OSError, ValueError, LookupError, TypeError):
            return ()

    def note(self, target: Target) -> None:
        """Put an address first. One with a password in it, or that means nothing without its `--via`, is not kept."""
        address = find_lasting(target)
        if address is not None:
            others = [each for each in self.read() if each.address != address]
            with suppress(OSError):
                self._write([Opened(address, time.time()), *others][:MOST])

    def _write(self, recent: Sequence[Opened]) -> None:
        """Replace the file as a whole, for the eyes of its owner only."""
        self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        kept = {"schema": _SCHEMA, "recent": [asdict(each) for each in recent]}
        replace_file(self._file, json.dumps(kept, indent=1).encode(), is_private=True)


def default_file() -> Path:
    """Where the addresses are kept."""
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "milepost" / "recent.json"


def find_lasting(target: Target) -> str | None:
    """The address as it can be opened again from anywhere; None where there is none.

    >>> from tui.target import parse_target
    >>> find_lasting(parse_target("box:/log.jsonl")), find_lasting(parse_target("-"))
    ('box:/log.jsonl', None)
    """
    if target.is_stdin or target.via or _SECRET.match(target.text):
        return None
    if target.is_plain:
        return str(Path(target.path).expanduser().absolute())
    return target.text
