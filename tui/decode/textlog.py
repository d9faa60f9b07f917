"""Text as programs print it: names and numbers, dicts, boxed tables and columns between lines of noise."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from tui.decode.batch import Batch, Collector
from tui.decode.blocks import HEADING_CHARS, Blocks
from tui.decode.columns import Columns
from tui.decode.jsonl import flatten_row
from tui.decode.lines import Line, LineReader
from tui.decode.names import Names
from tui.decode.objects import find_object
from tui.decode.prefixes import strip_prefixes
from tui.decode.redraws import Redraws
from tui.decode.standing import Standing
from tui.decode.tables import Numbers, Tables
from tui.decode.templates import is_evaluation_line, label_evaluation, position_kind
from tui.roles import Role, find_axis, guess_role, is_epoch_name

LINE_CHARS = 64 * 1024
"""How much of a line of text is read; what is beyond holds no metrics that a person could use."""

_BAR = re.compile(r"\s*\d+%\s?[|│][^|│]*[|│]|\[[=>.#\s-]{3,}\]|\s\d+% [━╸╺─]+")
_BAR_MARKS = ("%|", "% |", "%│", "=]", ".]", "% ━", "% ╸", "% ─")
_EPOCH_HEADING = re.compile(
    r"\bepoch\W{0,3}(\d{1,15})(?:\s?(?:/|of)\s?\d+)?\W*(?:$|\.\.\.|started|begins?)", re.IGNORECASE
)
_MEASURED = frozenset((Role.LOSS, Role.QUALITY, Role.GRAD_NORM))


class TextLog:
    """Decodes lines of text, one entry a line, a table, a block or a redraw.

    Of a progress bar's redraws at one step the last is the entry. `found` counts the entries by the way they were
    written, `rejected` holds the indices of the lines of the last call that are noise, `last_entry` that of the last
    line with an entry, or -1.
    """

    def __init__(self, names: Names | None = None) -> None:
        self.found: Counter[str] = Counter()
        self.rejected: list[int] = []
        self.last_entry = -1
        self._names = names or Names()
        self._blocks = Blocks()
        self._tables = Tables()
        self._columns = Columns()
        self._lines = LineReader()
        self._standing = Standing()
        self._redraws = Redraws(self._names)

    @property
    def name(self) -> str:
        """The format, with what most entries look like."""
        if not self.found:
            return "text"
        return f"text ({self.found.most_common(1)[0][0]})"

    def decode(self, lines: Sequence[bytes]) -> Batch:
        """The entries of whole lines. Never raises: what holds no entry is noise."""
        out = Collector()
        self.rejected, self.last_entry = [], -1
        for number, line in enumerate(lines):
            is_redraw = line.endswith(b"\r")
            entries = out.entries
            if not self._take(line[:LINE_CHARS], out, is_redraw) and not is_redraw:
                self.rejected.append(number)
            if not is_redraw:
                self._redraws.release(out)
            if out.entries > entries:
                self.last_entry = number
        out.noise = len(self.rejected)
        return out.batch()

    def finish(self) -> Batch:
        """What was held back: an open block or table, the last state of a bar."""
        out = Collector()
        if (block := self._blocks.close()) is not None:
            self._add(block, None, "blocks", out)
        table = self._tables.close()
        if table is not None and (not self.found["tables"] or find_axis(tuple(table))):
            self._take_table(table, out)
        self._redraws.release(out)
        return out.batch()

    def _take(self, raw: bytes, out: Collector, is_redraw: bool) -> bool:
        """Read one line; whether it was part of anything."""
        text, stamp = strip_prefixes(raw.decode("utf-8", "replace"))
        before_bar = text
        if any(mark in text for mark in _BAR_MARKS) and (bar := _BAR.search(text)):
            before_bar, text = text[: bar.start()], _BAR.sub(" ", text)
        if self._take_part(text, out):
            return True
        if "{" in text and (row := find_object(text)) is not None:
            return self._take_row(row, text, stamp, out)
        is_columns, cells = self._columns.take(before_bar.rstrip(" :"))
        if cells is not None:
            self._add(_line_of(cells), None, "columns", out, is_redraw=is_redraw)
        if is_columns:
            return True
        line = self._lines.read(text)
        if line is None:
            return self._take_heading(text)
        self._add(line, stamp, "key value", out, is_redraw=is_redraw)
        return True

    def _take_part(self, text: str, out: Collector) -> bool:
        """Whether a line is part of a block or a table; what it ends becomes an entry."""
        is_block, block = self._blocks.take(text)
        if block is not None:
            self._add(block, None, "blocks", out)
        if is_block:
            return True
        is_table, table = self._tables.take(text)
        if table is not None:
            self._take_table(table, out)
        return is_table

    def _take_heading(self, text: str) -> bool:
        """Remember the epoch that a line announces, and open a block below a step; whether it was one."""
        if len(text) > HEADING_CHARS:
            return False
        if "poch" in text.lower() and (found := _EPOCH_HEADING.search(text)):
            self._standing.announce(float(found[1]))
        heading = self._lines.read_heading(text)
        if heading is not None:
            self._blocks.open(heading)
        return heading is not None

    def _take_row(self, row: dict[str, object], text: str, stamp: float | None, out: Collector) -> bool:
        """An object inside of a line: an entry where it measures something, and is no configuration."""
        fields = flatten_row(row, self._names)
        is_alone = text.lstrip().startswith('{"')
        if not is_alone and not _measures(row, fields):
            return False
        if not fields:
            out.remarks += 1
            return True
        if is_evaluation_line(text):
            fields = label_evaluation(fields)
        self.found["dicts"] += 1
        self._redraws.release(out)
        out.add_entry(_stamped(fields, stamp))
        return True

    def _take_table(self, table: Numbers, out: Collector) -> None:
        if len(table) < 2:
            return
        entry = {name: number.value for name, number in table.items()}
        axis = find_axis(tuple(entry))
        if axis is not None and not is_epoch_name(axis):
            entry[axis] = self._standing.refine(entry[axis], table[axis].grain)
        self.found["tables"] += 1
        self._redraws.release(out)
        self._redraws.add(entry, out)

    def _add(
        self, line: Line, stamp: float | None, kind: str, out: Collector, *, is_redraw: bool = False
    ) -> None:
        metrics = self._standing.without_artefacts(line)
        if not metrics:
            return
        place = self._standing.place(line)
        told = {"step": place.step, "epoch": place.epoch, "total_steps": place.total}
        entry = {name: value for name, value in told.items() if value is not None}
        entry |= {name: value for name, value in metrics.items() if name not in entry}
        self.found[kind] += 1
        self._redraws.add(_stamped(entry, stamp), out, place, is_redraw=is_redraw)


def _line_of(cells: Numbers) -> Line:
    """A row of columns as a line: its first step and epoch are its position."""
    line = Line()
    for name, printed in cells.items():
        kind = position_kind(name)
        if kind == "step" and line.step is None:
            line.step = printed
        elif kind == "epoch" and line.epoch is None:
            line.epoch = printed
        else:
            line.metrics[name] = printed.value
    return line


def _measures(row: dict[str, object], fields: dict[str, float]) -> bool:
    """Whether an object inside of a text measures a run, and does not set it up."""
    if not fields or not any(guess_role(name) in _MEASURED for name in fields):
        return False
    others = sum(
        not isinstance(value, int | float | list) or isinstance(value, bool) for value in row.values()
    )
    others -= sum(isinstance(value, str) and name in fields for name, value in row.items())
    return others <= max(2, len(row) // 2) and sum(isinstance(value, dict) for value in row.values()) <= 2


def _stamped(entry: dict[str, float], stamp: float | None) -> dict[str, float]:
    return entry if stamp is None or "timestamp" in entry else entry | {"timestamp": stamp}
