"""What a follower needs of a log, wherever it is: to open it, to read at a place, and to know which file it is."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from msgspec import Struct


class Stat(Struct, frozen=True):
    """One file as it stands: which it is, its size in bytes, its last change in UTC epoch seconds, its names."""

    device: int
    inode: int
    size: int
    modified_s: float
    links: int = 1

    @property
    def identity(self) -> tuple[int, int]:
        """Device and inode. A file system gives both to a new file once the old one is gone."""
        return self.device, self.inode


class Reading(Struct, frozen=True):
    """The bytes of the open file from `at` on, how it stands, and what its path names now (None: nothing)."""

    at: int
    data: bytes
    opened: Stat
    named: Stat | None


class Log(Protocol):
    """A log within reach. Everything raises `Trouble` when it can't be done.

    One caller at a time; `silent_s` alone may be asked at any moment.

    Attributes:
        can_wake: Whether `rest` ends as soon as the log has grown.
    """

    can_wake: bool

    async def open(self) -> Stat:
        """Open what the path names now, in place of what was open before."""
        ...

    async def read(self, at: int, *, most: int | None = None, seen: Stat | None = None) -> Reading:
        """Read from byte `at` on, at most `most` bytes, or as many as suit the way.

        Nothing is read when size and time are still those of `seen`.
        """
        ...

    async def find(self, old: Stat) -> Stat | None:
        """Open the file with the identity of `old` in the log's folder; None, and no change, where there is none."""
        ...

    async def kin(self) -> list[Stat]:
        """The files beside the log whose names continue its own (`log.1`, `log-20250101`)."""
        ...

    def chosen(self) -> str | None:
        """One sentence that names the file being read where the path is that of its folder; else None."""
        ...

    def parting(self, old: Stat) -> str | None:
        """What is to be said of a file that was left for a newer one of its folder; None for any other."""
        ...

    async def rest(self, time_s: float) -> None:
        """Wait that long, or until the log may have changed, where that can be known."""
        ...

    def now_s(self) -> float:
        """UTC epoch seconds by the clock over there."""
        ...

    def silent_s(self) -> float:
        """Seconds since the last sign of life while an answer is due; 0 when none is."""
        ...


class Place(Protocol):
    """The way to a log."""

    @property
    def name(self) -> str:
        """Where it is, for a message."""
        ...

    def reach(self) -> AbstractAsyncContextManager[Log]:
        """Go there. Leaving the context ends everything that was started on the way."""
        ...
