"""From bytes to batches: framing, the format, and the last lines as text."""

from __future__ import annotations

from tui.decode.batch import Batch, join_batches
from tui.decode.binary import BINARY_FORMATS, BinaryFormat, Unreadable, open_format, recognize
from tui.decode.encoding import Transcoder
from tui.decode.foreign import is_foreign
from tui.decode.formats import FORMATS, Format
from tui.decode.framing import Framer
from tui.decode.jsonl import JsonLines
from tui.decode.sniffing import Sniffing
from tui.decode.tail import Tail, TailLine
from tui.errors import UsageError

START_BYTES = 16
"""So many bytes tell for certain whether a file is one of lines."""


class Decoder:
    """Turns the bytes of one log into batches of entries, whatever the cuts between its chunks.

    Args:
        log_format: The name of the format, or None to find it from the content.

    Raises:
        UsageError: There is no format of that name.
    """

    def __init__(self, log_format: str | None = None) -> None:
        known = (*FORMATS, *BINARY_FORMATS)
        if log_format is not None and log_format not in known:
            raise UsageError(f"no log format {log_format!r}; there is {', '.join(known)}")
        self._sniffing = Sniffing()
        self._format: Format = FORMATS[log_format]() if log_format in FORMATS else self._sniffing
        self._chosen = log_format
        self._start: bytes | None = b""
        self._binary: BinaryFormat | Unreadable | None = None
        self._framer = Framer()
        self._transcoder = Transcoder()
        self._tail = Tail()

    @property
    def format_name(self) -> str:
        """The format in which the log is read."""
        if self._binary is not None:
            return self._binary.name if not isinstance(self._binary, Unreadable) else "unknown"
        return self._format.name

    @property
    def unreadable(self) -> str | None:
        """Why nothing can be read from the file, as the end of a sentence about it; None where all is well."""
        return self._binary.why if isinstance(self._binary, Unreadable) else None

    @property
    def error(self) -> str | None:
        """The error in which the log ends, as one line; None where it ends in none, or an entry follows."""
        return self._sniffing.ending.error

    @property
    def dropped_values(self) -> int:
        """How many values were left out because the log has too many different fields."""
        return self._sniffing.names.dropped

    @property
    def tail(self) -> tuple[TailLine, ...]:
        """The last lines of the log, oldest first; made only when somebody looks."""
        return self._tail.lines(may_break=self._sniffing.knows_jsonl or isinstance(self._format, JsonLines))

    def last_texts(self, count: int) -> list[str]:
        """The last `count` lines of the log as text, oldest first."""
        return self._tail.last_texts(count)

    def pack(self) -> bool:
        """Bring some of the lines that are kept into less room, when there is time; whether there were any to bring."""
        return self._tail.pack()

    @property
    def pending_bytes(self) -> int:
        """The length of the last line as far as it has been written, without its end."""
        return self._framer.pending_bytes * self._transcoder.width + self._transcoder.held_bytes

    @property
    def doubted(self) -> Batch:
        """The counts of lines that are held back until it is known what follows them; nobody else has them yet."""
        return self._sniffing.doubted if self._format is self._sniffing else Batch()

    def feed(self, data: bytes) -> Batch:
        """The entries that `data` completes."""
        if self._start is not None:
            data = self._recognize(self._start + data)
        if not data or isinstance(self._binary, Unreadable):
            return Batch()
        return self._binary.feed(data) if self._binary is not None else self._feed_lines(data)

    def _recognize(self, start: bytes) -> bytes:
        """Tell by the first bytes of a file whether it is one of lines; the bytes that can be read now."""
        found: BinaryFormat | Unreadable | bool | None
        if self._chosen in BINARY_FORMATS:
            found = open_format(self._chosen, self._sniffing.names)
        else:
            found = False if self._chosen else recognize(start, self._sniffing.names)
        if found is None and len(start) < START_BYTES:
            self._start = start
            return b""
        self._start = None
        self._binary = None if isinstance(found, bool) else found
        return start

    def _feed_lines(self, data: bytes) -> Batch:
        oversized = self._framer.oversized
        lines = self._framer.feed(self._transcoder.feed(data))
        batch = self._format.decode(lines)
        self._tail.add(lines, has_redraws=self._framer.has_redraws)
        if skipped := self._framer.oversized - oversized:
            batch = join_batches([batch, Batch(malformed=skipped)])
        if self._sniffing.is_document_open:
            batch = join_batches([batch, self._sniffing.peek(self._framer.pending)])
        return batch

    def finish(self) -> Batch:
        """The entry in a last line without a newline, if it is a whole one; call it where no more can come.

        A fragment counts as nothing: the writer died in mid-line, or is about to go on. What follows belongs to
        another file.
        """
        batch = self._finish()
        self._start = b""
        return batch

    def _finish(self) -> Batch:
        first = Batch()
        if self._start:  # too short a file to be anything but lines
            self._binary = None
            first = self._feed_lines(self._start)
        if self._binary is not None:
            return Batch() if isinstance(self._binary, Unreadable) else self._binary.finish()
        rest = self._transcoder.finish()
        lines = self._framer.feed(rest) if rest else []
        line = self._framer.finish()
        whole = [first, self._format.decode(lines)]
        if line is None:
            return join_batches([*whole, self._format.finish()])
        self._tail.add([line], has_redraws=self._framer.has_redraws)
        last, end = self._format.decode([line]), self._format.finish()
        is_fragment = not last.entries and last.malformed + end.malformed > 0 and not is_foreign(line)
        return join_batches([*whole, last, end, Batch(malformed=-1 if is_fragment else 0)])
