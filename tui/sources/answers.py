"""The words of `far.sh`: its answers and the stats in them, and paths as they are sent to it."""

from __future__ import annotations

import os
import stat as modes

from msgspec import Struct

from tui.sources.folder import Entry
from tui.sources.log import Stat

STAT_FIELDS = 5
"""How many numbers make a `Stat` on the wire."""


class Answer(Struct, frozen=True):
    """What came back for a request: its words, the bytes after them, and for how long it was its turn, in seconds."""

    words: tuple[str, ...]
    data: bytes
    took_s: float


class Look(Struct, frozen=True):
    """How a log stands: the file that is open, and what its path names (None: nothing)."""

    opened: Stat
    named: Stat | None


def spell(text: str) -> str:
    """A path, or a name, as one word of a request."""
    return "".join(f"\\0{byte:03o}" for byte in os.fsencode(text))


def parse_stats(words: list[str]) -> list[Stat]:
    """The stats in a row of their fields; an incomplete one is left out."""
    try:
        numbers = [int(word) for word in words]
    except ValueError:
        return []
    rows = [numbers[start : start + STAT_FIELDS] for start in range(0, len(numbers), STAT_FIELDS)]
    return [Stat(row[0], row[1], row[2], float(row[3]), row[4]) for row in rows if len(row) == STAT_FIELDS]


def parse_looks(answer: Answer) -> dict[int, Look | None]:
    """How each open log stands, by its number; the root of the file system, which every place has, parts them."""
    root, *stats = parse_stats(answer.data.decode("ascii", "replace").split()) or [Stat(0, 0, 0, 0.0)]
    groups: list[list[Stat]] = []
    for stat in stats:
        if stat.identity == root.identity:
            groups.append([])
        elif groups:
            groups[-1].append(stat)
    looks = (Look(group[0], group[1] if len(group) > 1 else None) if group else None for group in groups)
    return dict(zip(map(int, answer.words[2:]), looks, strict=False))


def parse_entries(data: bytes) -> list[Entry]:
    """The regular files of a folder's listing; one with a newline in its name is left out."""
    entries = []
    for line in data.split(b"\n"):
        *numbers, mode, path = [*line.split(b" ", STAT_FIELDS + 1), b"", b""][: STAT_FIELDS + 2]
        stats = parse_stats([number.decode("ascii", "replace") for number in numbers])
        if stats and _is_regular(mode):
            entries.append(Entry(os.fsdecode(path.rpartition(b"/")[2]), stats[0]))
    return entries


def _is_regular(mode: bytes) -> bool:
    try:
        return modes.S_ISREG(int(mode, 16))
    except ValueError:
        return False
