"""A look at one place: its containers, and the ends of the files there that are named like logs."""

from __future__ import annotations

import math
import os
import secrets
from collections.abc import Iterator, Sequence

from msgspec import Struct

from tui.sources.listings import LISTERS, Container, Lister, list_words, merge
from tui.sources.probe import probe
from tui.sources.scripts import read_script
from tui.sources.ssh import Connections
from tui.sources.trouble import plain
from tui.target import Target

RECENT_DAYS = 7
"""A log that was written within so many days is of interest."""

LEAST_S = 2.0
"""Less time than this, in seconds, is not worth a look."""

_ANSWER_S = 1.0
"""So long before a look's time is up, in seconds, its script ends by itself, and tells that it is late."""

_PART_S = 0.5
"""So long before is taken what there is, where the script hangs, as on a disk that does not answer."""

_LATE = "the time was up before everything was looked at"

_BYTES = 2 * 1024 * 1024
_TIMED_OUT = 137


class Ends(Struct, frozen=True):
    """A file as it stood: its path over there, when it was written, its size, and its first and last bytes.

    `tail` goes on where `head` ends if `is_whole`.
    """

    path: str
    age_s: float
    size: int
    identity: str
    head: bytes
    tail: bytes

    @property
    def is_whole(self) -> bool:
        """Whether these are all its bytes."""
        return self.size <= len(self.head) + len(self.tail)


class Survey(Struct, frozen=True):
    """What a place holds.

    `files` are those that were written last, the newest first, of `count` that are named like logs. `notes` are
    sentences on what could not be told.
    """

    containers: tuple[Container, ...] = ()
    files: tuple[Ends, ...] = ()
    count: int = 0
    notes: tuple[str, ...] = ()


async def survey(
    target: Target, connections: Connections, timeout_s: float, days: int = RECENT_DAYS
) -> Survey:
    """Look at a place. Nothing is written there, and nothing goes on there after `timeout_s`.

    Args:
        target: The place; its path is the folder to look in, empty for the usual ones.
        connections: Those to share.
        timeout_s: How long it may take, after the login.
        days: How many days ago a log may have been written.

    Raises:
        Trouble: It can't be reached, or runs nothing.
        TimeoutError: Nothing came of it within `timeout_s`.
    """
    nonce = secrets.token_hex(8)
    words = survey_words(target, nonce, timeout_s, days)
    part_s = max(timeout_s - _PART_S, _PART_S)
    said = await probe(target, words, connections, timeout_s=part_s, most_bytes=_BYTES, is_part_enough=True)
    if not said.stdout:
        raise TimeoutError
    return parse_survey(said.stdout, nonce, target.path)


def survey_words(target: Target, nonce: str, timeout_s: float, days: int = RECENT_DAYS) -> list[str]:
    """The command that is run there, as words."""
    seconds = str(max(math.floor(timeout_s - _ANSWER_S), 1))
    return [
        "sh",
        "-c",
        read_script("survey.sh"),
        "milepost",
        nonce,
        seconds,
        str(days),
        target.path,
        *list_words(),
    ]


def parse_survey(output: bytes, nonce: str, folder: str = "") -> Survey:
    """What `survey.sh` told; of an answer that breaks off, what there is."""
    reader = _Reader(folder)
    for words, data in _split(output, nonce):
        reader.take(words, data)
    return reader.survey()


def _split(output: bytes, nonce: str) -> Iterator[tuple[list[str], bytes]]:
    """The parts of an answer: the words of each one's first line, and the bytes under it."""
    for part in output.split(f"\n@{nonce}@ ".encode("ascii"))[1:]:
        line, _, data = part.partition(b"\n")
        yield os.fsdecode(line).split(" ", 4), data


class _Reader:
    """Puts the parts of an answer together."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._now_s = 0.0
        self._containers: list[Container] = []
        self._lister: Lister | None = None
        self._output = b""
        self._answered: set[str] = set()
        self._troubles: list[tuple[str, str]] = []
        self._files: dict[str, Ends] = {}
        self._file: tuple[list[str], bytes] | None = None
        self._count = self._read = 0
        self._has_end = False
        self._notes: dict[str, None] = {}

    def take(self, words: Sequence[str], data: bytes) -> None:
        """Take in the next part."""
        match words:
            case ["clock", now]:
                self._now_s = float(now)
            case ["list", place]:
                self._lister, self._output = LISTERS[int(place)], data
            case ["said", status] if self._lister:
                self._take_list(self._lister, int(status), data.decode("utf-8", "replace"))
            case ["nothing"]:
                folder = (
                    f"folder {plain(self._folder)}" if self._folder else "home, nor any other usual folder"
                )
                self._notes[f"there is no {folder}"] = None
            case ["file", modified, size, _, _]:
                is_stat = modified.isdecimal() and size.isdecimal()  # a name with a newline in it is none
                self._file = (list(words), data) if is_stat else None
            case ["tail"] if self._file:
                self._take_file(*self._file, data)
            case ["count", count]:
                self._count = int(count)
            case ["late"]:
                self._notes[_LATE] = None
            case ["end"]:
                self._has_end = True

    def survey(self) -> Survey:
        """All of it."""
        told = (f"{tool}: {said}" for tool, said in self._troubles if tool not in self._answered)
        notes = dict.fromkeys([*told, *self._notes])
        if not self._has_end:
            notes[_LATE] = None
        elif self._count > self._read:
            left = f"{self._count - self._read:,} older files that are named like logs"
            notes[f"{left} were not looked at; name a folder to see those there"] = None
        return Survey(tuple(merge(self._containers)), tuple(self._files.values()), self._count, tuple(notes))

    def _take_list(self, lister: Lister, status: int, said: str) -> None:
        listing = lister.parse(self._output.decode("utf-8", "replace"))
        self._containers += listing.containers
        if status == 0:
            self._answered.add(lister.tool)
        elif status == _TIMED_OUT:
            self._troubles.append((lister.tool, "it did not answer in time"))
        else:
            lines = [line for line in said.splitlines() if line.strip()]
            self._troubles.append((lister.tool, plain(lines[-1] if lines else f"exit status {status}")))
        if listing.unread:
            lines_of = f"{listing.unread:,} line{'s' * (listing.unread > 1)} of its list"
            self._notes[f"{lister.tool}: {lines_of} could not be read"] = None

    def _take_file(self, words: Sequence[str], head: bytes, tail: bytes) -> None:
        """Note a file; one that was found by two ways is noted once, by the shorter path."""
        self._read += 1
        _, modified, size, identity, path = words
        age_s = max(self._now_s - float(modified), 0.0)
        ends = Ends(path, age_s, int(size), identity, head, tail)
        known = self._files.get(identity)
        if known is None or len(path) < len(known.path):
            self._files[identity] = ends
