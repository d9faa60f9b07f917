"""CSV and TSV: a line of names, then a line of cells for each entry."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

from tui.decode.batch import Batch, Collector
from tui.decode.names import FIELD_LIMIT, Names
from tui.decode.numbers import parse_number

DELIMITERS = (",", "\t", ";")

_NAME_CHARS = 120
_HOLDS_VALUE = re.compile(r"(?:[\s=(]|[A-Za-z]:)[-+]?\d[\d.,]*%?[)\]]?$|[{}]")


class Delimited:
    """Decodes cells under the last line of names; a cell without a number is nothing.

    `rejected` holds the indices of the lines of the last call that fit neither.
    """

    def __init__(self, names: Names | None = None) -> None:
        self.rejected: list[int] = []
        self._names = names or Names()
        self._delimiter = ","
        self._header: list[str | None] = []

    @property
    def name(self) -> str:
        """`csv` or `tsv`, by the delimiter."""
        return "tsv" if self._delimiter == "\t" else "csv"

    def decode(self, lines: Sequence[bytes]) -> Batch:
        """The entries of whole lines. Never raises: a row that does not fit its names counts as malformed."""
        self.rejected = []
        out = Collector()
        for number, line in enumerate(lines):
            text = line.decode("utf-8", "replace")
            if text.lstrip().startswith("#"):
                out.remarks += 1
            elif not self._take(text, out):
                self.rejected.append(number)
        out.malformed = len(self.rejected)
        return out.batch()

    def finish(self) -> Batch:
        """Nothing is ever held back."""
        return Batch()

    def _take(self, text: str, out: Collector) -> bool:
        if not self._header:
            return self._begin(text)
        cells = split_cells(text, self._delimiter)
        if len(cells) != len(self._header):
            return self._begin(text)
        entry: dict[str, float] = {}
        is_foreign = False
        for name, cell in zip(self._header, cells, strict=True):
            if not cell or name is None:
                continue
            value = parse_number(cell)
            if value is not None:
                entry[name] = value
            else:
                is_foreign = True
        if entry:
            out.add_entry(entry)
        elif is_foreign and self._begin(text):
            pass
        else:
            out.remarks += 1
        return True

    def _begin(self, text: str) -> bool:
        """Take a line as names, if it is one."""
        found = read_header(text)
        if found is None:
            return False
        self._delimiter, header = found
        self._header = [self._names.admit(name) for name in header[:FIELD_LIMIT]]
        return len(header) <= FIELD_LIMIT


def read_header(text: str) -> tuple[str, list[str]] | None:
    """The delimiter and the names on a line of names; None where it is none."""
    for delimiter in DELIMITERS:
        cells = split_cells(text, delimiter)
        if len(cells) > 1 and all(map(_is_name, cells)) and len(set(cells)) == len(cells):
            return delimiter, cells
    return None


def fits_header(text: str, delimiter: str, width: int) -> bool:
    """Whether a line is a row of so many cells, of which half at least are numbers or empty."""
    cells = split_cells(text, delimiter)
    if len(cells) != width:
        return False
    numbers = sum(parse_number(cell) is not None for cell in cells if cell)
    return numbers > 0 and 2 * (numbers + sum(not cell for cell in cells)) >= width


def split_cells(text: str, delimiter: str) -> list[str]:
    """The cells of a line, without the blanks around them; quotes are heeded."""
    if '"' in text:
        try:
            return [cell.strip() for cell in next(csv.reader([text], delimiter=delimiter))]
        except (csv.Error, StopIteration):
            pass
    return [cell.strip() for cell in text.split(delimiter)]


def _is_name(cell: str) -> bool:
    is_short = 0 < len(cell) <= _NAME_CHARS
    return (
        is_short
        and any(map(str.isalpha, cell))
        and not _HOLDS_VALUE.search(cell)
        and parse_number(cell) is None
    )
