"""Cuts a stream of bytes into lines, in bounded memory, however the bytes arrive."""

from __future__ import annotations

import re

LINE_LIMIT_BYTES = 1 << 20
"""The longest line that is kept, newline excluded; the longest real ones seen have 28 kB."""

_LINE_END = re.compile(rb"\r+\n")
_REDRAWN = re.compile(rb"\r[^\r\n]")
_REDRAW = re.compile(rb"\r+")


class Framer:
    """Lines out of chunks. A line without its end is not yet a line.

    Lines end in LF, CR LF or CR CR LF. A CR alone ends what a progress bar then draws over: such a line keeps its CR,
    by which the next stages know it. `oversized` counts the lines over the limit, which are skipped without being
    held, `has_redraws` tells whether any line ended in a CR alone.
    """

    def __init__(self, limit_bytes: int = LINE_LIMIT_BYTES) -> None:
        self.oversized = 0
        self._limit = limit_bytes
        self._pieces: list[bytes] = []
        self._held = 0
        self._is_skipping = False
        self._has_cr = False
        self.has_redraws = False

    @property
    def pending_bytes(self) -> int:
        """How many bytes at the end belong to a line that is not yet one."""
        return self._held

    @property
    def pending(self) -> bytes:
        """The line that is not yet one, as far as it is known."""
        return b"".join(self._pieces)

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that `data` completes, without their ends, but for a CR alone; empty lines are left out."""
        if not data:
            return []
        if self._has_cr or b"\r" in data:
            return self._feed_redraws(data)
        return self._tidy(self._cut(data))

    def finish(self) -> bytes | None:
        """What stands after the last line end, if anything; call it where no more can come."""
        rest = self._take()
        self._has_cr = False
        return rest.strip() or None if rest is not None else None

    def _feed_redraws(self, data: bytes) -> list[bytes]:
        """The lines of a piece with CRs. Those at its very end wait: what follows tells what they are."""
        if self._has_cr:
            data = b"\r" + data
        self.has_redraws |= _REDRAWN.search(data) is not None
        body = data.rstrip(b"\r")
        self._has_cr = len(body) < len(data)
        body = _REDRAW.sub(b"\r\n", _LINE_END.sub(b"\n", body))
        return self._tidy(self._cut(body)) if body else []

    def _cut(self, data: bytes) -> list[bytes]:
        *ended, rest = data.split(b"\n")
        if not ended:
            self._hold(rest)
            return []
        self._hold(ended[0])
        lines = [] if (first := self._take()) is None else [first]
        lines += ended[1:]
        self._hold(rest)
        return lines

    def _tidy(self, lines: list[bytes]) -> list[bytes]:
        sizes = list(map(len, lines))
        if min(sizes, default=0) > 1 and max(sizes) <= self._limit:
            return lines
        kept = []
        for line in lines:
            size = len(line)
            if size > self._limit and size > self._limit + line.endswith(b"\r"):
                self.oversized += 1
            elif size > 1 or (size and line != b"\r"):
                kept.append(line)
        return kept

    def _hold(self, piece: bytes) -> None:
        self._held += len(piece)
        if self._held > self._limit + 1:  # one more than the limit: the CR of a redraw is not counted
            self._is_skipping = True
            self._pieces.clear()
        elif piece:
            self._pieces.append(piece)

    def _take(self) -> bytes | None:
        """What is held, or None where it was too long to be held."""
        whole = None if self._is_skipping else b"".join(self._pieces)
        self.oversized += self._is_skipping
        self._pieces.clear()
        self._held = 0
        self._is_skipping = False
        return whole
