"""Lines in the order in which they came, in blocks that can be compressed: few are ever looked at again."""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Sequence

from msgspec import Struct, field

BLOCK_LINES = 64
"""How many lines are held as one: small objects by the thousand would tear holes into the memory of all others."""

LEVEL = 1
"""Of compression: a quarter of JSON lines is left, for 2 µs a line. The highest leaves a fifth, for thrice that."""


class _Block(Struct, eq=False):
    """As many lines as a block has, joined by line feeds, and their length together without these."""

    data: bytes
    size: int
    is_compressed: bool = False

    def lines(self) -> list[bytes]:
        return (zlib.decompress(self.data) if self.is_compressed else self.data).split(b"\n")


class PackedLines(Struct, eq=False):
    """Lines without line feeds; they are compressed when somebody calls `pack`."""

    _first: list[bytes] = field(default_factory=list)  # the rest of a block that is being forgotten
    _blocks: deque[_Block] = field(default_factory=deque)
    _packed: int = 0  # how many of the blocks, the oldest, are compressed
    _last: list[bytes] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self._first) + BLOCK_LINES * len(self._blocks) + len(self._last)

    @property
    def size_bytes(self) -> int:
        """The length of all lines together, as they were."""
        plain = sum(map(len, self._first)) + sum(map(len, self._last))
        return plain + sum(block.size for block in self._blocks)

    @property
    def last(self) -> bytes:
        """The last line, empty where there is none."""
        return self._last[-1] if self._last else b""

    def extend(self, lines: Sequence[bytes]) -> None:
        """Add lines at the end."""
        self._last += lines
        if len(self._last) >= 2 * BLOCK_LINES:
            self._join()

    def replace_last(self, line: bytes) -> None:
        """Put a line in the place of the last."""
        self._last[-1:] = [line]

    def forget(self, count: int) -> int:
        """Forget so many of the oldest lines; their length."""
        size = 0
        while count > 0 and len(self):
            if not self._first and self._blocks:
                self._first = self._blocks.popleft().lines()
                self._packed = max(self._packed - 1, 0)
            oldest = self._first or self._last
            gone = oldest[:count]
            del oldest[: len(gone)]
            count -= len(gone)
            size += sum(map(len, gone))
        return size

    def since(self, start: int) -> list[bytes]:
        """The lines from a position on, the oldest of all at 0."""
        before = len(self) - len(self._last)
        if start >= before:
            return self._last[start - before :]
        middle = [line for block in self._blocks for line in block.lines()]
        return [*self._first, *middle, *self._last][start:]

    def pack(self) -> bool:
        """Compress the oldest block that is not yet; whether there was one."""
        if self._packed == len(self._blocks):
            return False
        block = self._blocks[self._packed]
        block.data, block.is_compressed = zlib.compress(block.data, LEVEL), True
        self._packed += 1
        return True

    def _join(self) -> None:
        """Make blocks of all but the last lines, which are at hand for whoever asks how a log ends."""
        stop = (len(self._last) // BLOCK_LINES - 1) * BLOCK_LINES
        for start in range(0, stop, BLOCK_LINES):
            lines = self._last[start : start + BLOCK_LINES]
            self._blocks.append(_Block(b"\n".join(lines), sum(map(len, lines))))
        del self._last[:stop]
