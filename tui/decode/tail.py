"""The last lines of a log, as text that is safe to show, in bounded memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from msgspec import Struct

from tui.decode.foreign import is_foreign
from tui.decode.jsonl import load_object
from tui.decode.packed import PackedLines
from tui.decode.text import clean

TAIL_LINES = 2000
"""How many of the last lines are kept: enough to scroll back and search in, not the log again."""

TAIL_BYTES = 2 << 20
"""How much of them is kept together; a common line has 300 bytes, so that this binds only where lines are long."""

TAIL_LINE_BYTES = 16 * 1024
"""How much of each of them is kept, four times what is shown."""


class TailLine(Struct, frozen=True):
    """A line of the log as text that is safe to show; `is_malformed` where no entry could be read from it.

    `number` counts all lines that have been read, from 1; a line that is drawn over keeps its number.
    """

    text: str
    is_malformed: bool = False
    number: int = 0


class Tail:
    """Keeps the last lines as bytes; makes text of them only when somebody looks, and of each one once."""

    def __init__(self) -> None:
        self._lines = PackedLines()
        self._shown: deque[TailLine] = deque(maxlen=TAIL_LINES)
        self._count = 0
        self._has_long = False
        self._may_break = False

    def add(self, lines: Sequence[bytes], *, has_redraws: bool) -> None:
        """Keep these lines; one that ends in a carriage return is replaced by the next."""
        kept = lines[-TAIL_LINES:]
        longest = max(map(len, kept), default=0)
        if longest > TAIL_LINE_BYTES:
            kept = [line[:TAIL_LINE_BYTES] for line in kept]
        if has_redraws:
            self._count += len(lines) - len(kept)
            for line in kept:
                self._draw_over(line)
        else:
            self._count += len(lines)
            self._lines.extend(kept)
        self._lines.forget(len(self._lines) - TAIL_LINES)
        self._has_long |= longest > TAIL_BYTES // TAIL_LINES
        if self._has_long:
            self._trim()

    def lines(self, *, may_break: bool) -> tuple[TailLine, ...]:
        """The lines kept, oldest first; `may_break` where what is no JSON is to be marked as malformed."""
        if may_break != self._may_break:
            self._may_break = may_break
            self._shown.clear()
        first = self._count - len(self._lines) + 1
        while self._shown and self._shown[0].number < first:
            self._shown.popleft()
        begin = self._shown[-1].number + 1 if self._shown else first
        for number, line in enumerate(self._lines.since(begin - first), begin):
            self._shown.append(_show(line, number, may_break))
        return tuple(self._shown)

    def last_texts(self, count: int) -> list[str]:
        """The last `count` lines as text, oldest first."""
        return [clean(line) for line in self._lines.since(max(len(self._lines) - count, 0))]

    def pack(self) -> bool:
        """Bring some old lines into less room, when there is time for it; whether there were any."""
        return self._lines.pack()

    def _draw_over(self, line: bytes) -> None:
        if not self._lines.last.endswith(b"\r"):
            self._lines.extend((line,))
            self._count += 1
            return
        self._lines.replace_last(line)
        if self._shown and self._shown[-1].number == self._count:
            self._shown.pop()

    def _trim(self) -> None:
        size = self._lines.size_bytes
        while size > TAIL_BYTES and len(self._lines) > 1:
            size -= self._lines.forget(1)


def _show(line: bytes, number: int, may_break: bool) -> TailLine:
    is_cut = len(line) == TAIL_LINE_BYTES
    is_malformed = may_break and not is_cut and load_object(line) is None and not is_foreign(line)
    return TailLine(clean(line), is_malformed, number)
