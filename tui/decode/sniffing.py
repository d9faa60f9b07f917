"""Finds the format of a log from its lines, and follows it where it changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field

from tui.decode.batch import Batch, join_batches
from tui.decode.containers import unwrap
from tui.decode.delimited import Delimited, fits_header, read_header
from tui.decode.document import JsonDocument, is_document
from tui.decode.foreign import Ending, count_foreign
from tui.decode.jsonl import JsonLines, load_object
from tui.decode.names import Names

if TYPE_CHECKING:
    from tui.decode.textlog import TextLog

SURE_LINES = 3
"""So many lines in a row of another format, that are entries there, change the format."""

DOUBTED_LINES = 64
"""So many lines wait at most for what follows them to tell what they are."""

STEP_LINES = 64
"""How many lines are decoded at once behind a change of format."""

_OPENINGS = (b"{", b"[", b"[{")

RowFormat = JsonLines | Delimited


class _Doubts(Struct):
    """Lines that do not fit the format, one after the other, and how many of them are entries as text."""

    lines: list[bytes] = field(default_factory=list)
    entries: int = 0


class Sniffing:
    """Decodes a log whose format nobody has told, by what the lines themselves are.

    Text is where it begins and falls back to: a line that is a JSON object, a line of names above a row that fits it,
    or an opening bracket leads on to another format. Every decision depends on the lines alone and never on how they
    arrived.
    """

    def __init__(self) -> None:
        self.names = Names()
        self.ending = Ending()
        self._text: TextLog | None = None  # most logs never need it
        self._document = JsonDocument(self.names)
        self._rows: RowFormat | None = None
        self._doubts = _Doubts()
        self._header: bytes | None = None
        self._objects = 0
        self._is_first = True
        self._is_over = False
        self._is_wrapped = False
        self._was_document = False

    @property
    def name(self) -> str:
        """The format as far as it is known."""
        if self._rows is not None:
            return self._rows.name
        if self._was_document:
            return self._document.name
        return self._text.name if self._text else "text"

    @property
    def knows_jsonl(self) -> bool:
        """Whether the log is read as JSON lines now."""
        return isinstance(self._rows, JsonLines)

    @property
    def is_document_open(self) -> bool:
        """Whether a document waits for its end."""
        return self._document.is_open

    def decode(self, lines: Sequence[bytes]) -> Batch:
        """The entries of whole lines. Never raises."""
        if not lines:
            return Batch()
        if self._is_over:
            self._begin()
        if self._is_wrapped:
            lines = [unwrap(line) for line in lines]
        batches: list[Batch] = []
        at = 0
        while at < len(lines):
            step = self._decode_rows if self._rows is not None else self._decode_text
            if self._document.is_open:
                step = self._decode_document
            batch, at = step(lines, at)
            batches.append(batch)
        return batches[0] if len(batches) == 1 else join_batches(batches)

    def finish(self) -> Batch:
        """What was held back; the next line begins another file."""
        self._is_over = True
        document = self._document.finish()
        self._was_document |= document.entries > 0
        last = [self._settle_header(), self._settle_doubts()]
        return join_batches([*last, self._text.finish() if self._text else Batch(), document])

    def peek(self, pending: bytes) -> Batch:
        """The entries of a document that its last line closes without a newline behind it."""
        batch = self._document.peek(pending) if self._document.is_open else Batch()
        self._was_document |= batch.entries > 0
        return batch

    def _begin(self) -> None:
        """Forget the format: another file begins. Documents remember what they told: it may be the same one again."""
        self._rows = None
        self._text = None
        self._is_first = True
        self._is_over = False
        self._is_wrapped = False
        self._objects = 0

    # Rows: JSON lines and cells

    def _decode_rows(self, lines: Sequence[bytes], start: int) -> tuple[Batch, int]:
        """Decode the rest as rows; stops where text has taken over.

        Behind a change of format it goes in small steps: what is behind the next change would be decoded in vain.
        """
        rows = self._rows
        assert rows is not None
        end = min(len(lines), start + STEP_LINES) if start else len(lines)
        rest = lines[start:end] if start else lines
        batch = rows.decode(rest)
        if not rows.rejected and not self._doubts.lines:
            if batch.entries:
                self.ending.forget()
            return batch, end
        stop, settled = self._doubt(rest, rows.rejected)
        if stop is None:
            counted = Batch(batch.entries, batch.rows, settled.malformed, batch.remarks, settled.noise)
            return counted, end
        kept = rows.decode(rest[: stop.first])  # what stands before the lines that are text
        kept = Batch(kept.entries, kept.rows, settled.malformed, kept.remarks, settled.noise)
        self._rows = None
        doubted, self._doubts = self._doubts.lines, _Doubts()
        return join_batches([kept, self._decode_as_text(doubted)]), start + stop.next

    def _doubt(self, lines: Sequence[bytes], rejected: list[int]) -> tuple[_Stop | None, Batch]:
        """Go through the lines that do not fit; where the format ends, if it does, and what the others were."""
        settled: list[Batch] = []
        expected = 0
        first = rejected[0] if rejected else 0
        for number in rejected:
            if number != expected:  # a row stands between: what was doubted does not lead on
                settled.append(self._settle_doubts())
                self.ending.forget()
            if not self._doubts.lines:
                first = number
            expected = number + 1
            self._doubts.lines.append(lines[number])
            self.ending.note(lines[number : number + 1])
            self._doubts.entries += _is_text_entry(lines[number])
            if self._doubts.entries >= SURE_LINES:
                return _Stop(min(first, number), number + 1), join_batches(settled)
            if len(self._doubts.lines) >= DOUBTED_LINES:
                settled.append(self._settle_doubts())
        if expected < len(lines):
            settled.append(self._settle_doubts())
            self.ending.forget()
        return None, join_batches(settled)

    @property
    def doubted(self) -> Batch:
        """The counts of the lines that are held back, for what they seem as long as nothing follows them."""
        doubted = self._doubts.lines
        noise = count_foreign(doubted)
        return Batch(malformed=len(doubted) - noise, noise=noise)

    def _settle_doubts(self) -> Batch:
        """Count the doubted lines for what they are, broken or foreign."""
        settled, self._doubts = self.doubted, _Doubts()
        return settled

    # Documents

    def _decode_document(self, lines: Sequence[bytes], start: int) -> tuple[Batch, int]:
        """Gather one more line of a document, or give it up."""
        document = self._document
        batch = document.decode(lines[start : start + 1])
        if document.is_none:
            gathered = document.gathered
            document.finish()
            return self._decode_as_text(gathered), start + 1
        self._was_document |= batch.entries > 0
        return batch, start + 1

    # Text

    def _decode_text(self, lines: Sequence[bytes], start: int) -> tuple[Batch, int]:
        """Decode lines as text, up to one that leads on to another format."""
        batches: list[Batch] = []
        pending: list[bytes] = []
        for number in range(start, len(lines)):
            line = lines[number]
            if self._header is not None:
                if self._begin_cells(line):
                    batches.append(self._decode_as_text(pending))
                    return join_batches(batches), number
                pending.append(self._header)
                self._header = None
            if line.lstrip()[:1] in (b"{", b"["):  # whether it leads on may depend on the lines before it
                batches.append(self._decode_as_text(pending))
                pending = []
                if not self._is_wrapped and unwrap(line) is not line:
                    self._is_wrapped = True
                    batches.append(self.decode(lines[number:]))
                    return join_batches(batches), len(lines)
                if self._begins_document(line) or self._begins_objects(line):
                    return join_batches(batches), number
            else:
                self._objects = 0
            self._is_first = False
            if _may_be_header(line):
                self._header = line
            else:
                pending.append(line)
        batches.append(self._decode_as_text(pending))
        return join_batches(batches), len(lines)

    def _decode_as_text(self, lines: Sequence[bytes]) -> Batch:
        if not lines:
            return Batch()
        from tui.decode.textlog import TextLog

        text = self._text = self._text or TextLog(self.names)
        batch = text.decode(lines)
        if text.last_entry >= 0:
            self.ending.forget()
            self._was_document = False
        self.ending.note(lines[number] for number in text.rejected if number > text.last_entry)
        return batch

    def _begin_cells(self, line: bytes) -> bool:
        """Whether the line of names before this one has a row below it."""
        assert self._header is not None
        found = read_header(self._header.decode("utf-8", "replace"))
        if found is None or not fits_header(line.decode("utf-8", "replace"), found[0], len(found[1])):
            return False
        cells = Delimited(self.names)
        cells.decode([self._header])
        self._header, self._rows = None, cells
        return True

    def _begins_document(self, line: bytes) -> bool:
        if not self._is_first:
            return False
        is_open = line.strip() in _OPENINGS
        if not is_open and line.lstrip().startswith((b"{", b"[")):
            row = load_object(line)
            is_open = row is not None and is_document(row)
        if is_open:
            self._is_first = False
            self._document.is_open = True
        return is_open

    def _begins_objects(self, line: bytes) -> bool:
        """Whether JSON lines begin here: at once where no entry came before, else after some in a row."""
        if load_object(line) is None:
            self._objects = 0
            return False
        self._objects += 1
        if self._text and self._text.found and self._objects < SURE_LINES:
            return False
        self._rows = JsonLines(self.names)
        self._objects = 0
        return True

    def _settle_header(self) -> Batch:
        header, self._header = self._header, None
        return Batch() if header is None else self._decode_as_text([header])


class _Stop(Struct, frozen=True):
    """Where rows end: the first line that is text, and the one after the last that was looked at."""

    first: int
    next: int


def _is_text_entry(line: bytes) -> bool:
    from tui.decode.lines import LineReader
    from tui.decode.prefixes import strip_prefixes

    return LineReader().read(strip_prefixes(line[:4096].decode("utf-8", "replace")).text) is not None


def _may_be_header(line: bytes) -> bool:
    if not (b"," in line or b"\t" in line or b";" in line) or b"=" in line or b": " in line:
        return False
    if len(line) > 1 << 16 or line.endswith(b"\r"):
        return False
    return read_header(line.decode("utf-8", "replace")) is not None
