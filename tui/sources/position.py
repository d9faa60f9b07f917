"""How far a log has been read, and how to know it again: an offset and the content around it."""

from __future__ import annotations

from collections import deque
from time import monotonic

from msgspec import Struct, field
from msgspec.structs import replace

from tui.sources.log import Stat

HEAD_BYTES = 1024
"""The first bytes of a file, by which it is known again: more than a header line that all files share."""

SURE_BYTES = 256
"""So many bytes in common make a file the same log; with fewer, two logs may just begin alike."""

TAIL_BYTES = 64
"""The bytes just before the offset, which are read again with the next ones: a rewritten file shows in them."""


class Position(Struct, frozen=True):
    """All bytes of one file before `offset` have been handed on.

    `head` holds the first of them, `tail` the last. Where both are found again, reading can go on at the exact
    byte, whatever device and inode say: those change with a restored copy, and a new file may get them again.
    """

    offset: int = 0
    head: bytes = b""
    tail: bytes = b""
    stat: Stat | None = None

    def after(self, data: bytes) -> Position:
        """The position with `data` read too."""
        head = self.head + data[: HEAD_BYTES - len(self.head)]
        tail = (self.tail + data[-TAIL_BYTES:])[-TAIL_BYTES:]
        return replace(self, offset=self.offset + len(data), head=head, tail=tail)


class Bookmark(Struct):
    """What a follower keeps from one connection to the next.

    `finished` holds the identities of rotated files that were read to their end. `live_s` and `answered_s` are
    monotonic times: since when the present connection is live, and of its last answer. `is_reread` asks that the
    file is read from its first byte again, once it has been found to be the one of the position; `has_glimpses`
    that of a long log the end is shown first; `last_bytes` that no more than these of its end are read at all.
    """

    position: Position = field(default_factory=Position)
    finished: deque[tuple[int, int]] = field(default_factory=lambda: deque(maxlen=16))
    live_s: float | None = None
    answered_s: float = 0.0
    is_reread: bool = False
    has_glimpses: bool = False
    last_bytes: int | None = None

    def note_answer(self) -> None:
        """The far end has answered: the connection is live, since now at the latest."""
        self.answered_s = monotonic()
        self.live_s = self.live_s or self.answered_s
