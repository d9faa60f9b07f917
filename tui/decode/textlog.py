"""Text as programs print it: names and numbers, dicts, boxed tables and columns between lines of noise."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tui.decode.batch import Batch, Collector
from tui.decode.columns import Columns
from tui.decode.jsonl import flatten_row
from tui.decode.lines import Line, LineReader, is_evaluation_line, label_evaluation, position_kind
from tui.decode.names import FIELD_LIMIT, LOG_FIELD_LIMIT, Names
from tui.decode.objects import find_object
from tui.decode.position import Odometer, Refiner
from tui.decode.prefixes import strip_prefixes
from tui.decode.tables import Numbers, Tables
from tui.roles import Role, find_axis, guess_role, is_epoch_name

LINE_CHARS = 64 * 1024
"""How much of a line of text is read; what is beyond holds no metrics that a person could use."""

_BAR = re.compile(r"\s*\d+%\s?[|│][^|│]*[|│]|\[[=>.#\s-]{3,}\]|\s\d+% [━╸╺─]+")
_BAR_MARKS = ("%|", "% |", "%│", "=]", ".]", "% ━", "% ╸", "% ─")
_EPOCH_HEADING = re.compile(
    r"\bepoch\W{0,3}(\d+)(?:\s?(?:/|of)\s?\d+)?\W*(?:$|\.\.\.|started|begins?)", re.IGNORECASE
)
_MEASURED = frozenset((Role.LOSS, Role.QUALITY, Role.GRAD_NORM))


@dataclass(frozen=True, slots=True)
class _Held:
    """The entry of a line that a progress bar may draw over."""

    fields: tuple[str, ...]
    values: list[float]
    place: tuple[float | None, float | None]


class TextLog:
    """Decodes lines of text, one entry a line, a table or a redraw.

    Of a progress bar's redraws at one step the last is the entry. `found` counts the entries by the way they were
    written, `rejected` holds the indices of the lines of the last call that are noise, `last_entry` that of the last
    line with an entry, or -1.
    """

    def __init__(self, names: Names | None = None) -> None:
        self.found: Counter[str] = Counter()
        self.rejected: list[int] = []
        self.last_entry = -1
        self._names = names or Names()
        self._tables = Tables()
        self._columns = Columns()
        self._lines = LineReader()
        self._odometer = Odometer()
        self._refiner = Refiner()
        self._held: _Held | None = None
        self._seen: dict[str, float] = {}
        self._plain: set[tuple[str, ...]] = set()
        self._epoch: float | None = None
        self._place_now: tuple[float | None, float | None] = (None, None)
        self._inherited: set[tuple[str, ...]] = set()
        self._may_inherit = True

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
            if self._held is not None and not is_redraw:
                self._release(out)
            if out.entries > entries:
                self.last_entry = number
        out.noise = len(self.rejected)
        return out.batch()

    def finish(self) -> Batch:
        """What was held back: an open table, the last state of a bar."""
        out = Collector()
        table = self._tables.close()
        if table is not None and (not self.found["tables"] or find_axis(tuple(table))):
            self._take_table(table, out)
        self._release(out)
        return out.batch()

    def _take(self, raw: bytes, out: Collector, is_redraw: bool) -> bool:
        """Read one line; whether it was part of anything."""
        text, stamp = strip_prefixes(raw.decode("utf-8", "replace"))
        before = text
        if any(mark in text for mark in _BAR_MARKS) and (bar := _BAR.search(text)):
            before, text = text[: bar.start()], _BAR.sub(" ", text)
        is_table, table = self._tables.take(text)
        if table is not None:
            self._take_table(table, out)
        if is_table:
            return True
        if "{" in text and (row := find_object(text)) is not None:
            return self._take_row(row, text, stamp, out)
        is_columns, cells = self._columns.take(before.rstrip(" :"))
        if cells is not None:
            self._add_line(_line_of(cells, is_evaluation=False), None, "columns", out, is_redraw)
        if is_columns:
            return True
        line = self._lines.read(text)
        if line is None:
            self._take_heading(text)
            return False
        self._add_line(line, stamp, "key value", out, is_redraw)
        return True

    def _take_heading(self, text: str) -> None:
        if len(text) < 100 and "poch" in text.lower() and (found := _EPOCH_HEADING.search(text)):
            self._epoch = float(found[1][:15])

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
        self._release(out)
        out.add_entry(_stamped(fields, stamp))
        return True

    def _take_table(self, table: Numbers, out: Collector) -> None:
        if len(table) < 2:
            return
        entry = {name: number.value for name, number in table.items()}
        axis = find_axis(tuple(entry))
        if axis is not None and not is_epoch_name(axis):
            entry[axis] = self._refiner.refine(entry[axis], table[axis].grain)
        self.found["tables"] += 1
        self._release(out)
        self._add(entry, out)

    def _add_line(self, line: Line, stamp: float | None, kind: str, out: Collector, is_redraw: bool) -> None:
        metrics = self._without_artefacts(line)
        if not metrics:
            return
        entry: dict[str, float] = {}
        step, epoch = self._place(line)
        if step is None and epoch is None:
            step, epoch = self._inherit(tuple(metrics))
        if step is not None:
            entry["step"] = step
        if epoch is not None:
            entry["epoch"] = epoch
        if line.total is not None and step is not None and (total := self._total(line)) is not None:
            entry["total_steps"] = total
        entry |= {name: value for name, value in metrics.items() if name not in entry}
        self.found[kind] += 1
        self._hold(_stamped(entry, stamp), (step, epoch), out, is_redraw)

    def _without_artefacts(self, line: Line) -> dict[str, float]:
        """The metrics without the NaN of a mean that was reset just before an epoch's summary printed it.

        A metric that the steps of the epoch had finite did not become NaN at its end.
        """
        if line.epoch is None:
            return line.metrics
        if line.step is not None:
            if len(self._seen) < LOG_FIELD_LIMIT:
                self._seen.update(line.metrics)
            return line.metrics
        return {
            name: value
            for name, value in line.metrics.items()
            if not (math.isnan(value) and math.isfinite(self._seen.get(name, math.nan)))
        }

    def _place(self, line: Line) -> tuple[float | None, float | None]:
        """The step of the run and the epoch."""
        epoch = line.epoch.value if line.epoch else None
        if epoch is not None and not line.is_evaluation:
            self._epoch = epoch
        if line.step is None or (line.is_evaluation and line.total is not None):
            if not line.is_evaluation and epoch is not None and self._place_now[0] is None:
                self._stand(None, epoch)
            return None, epoch
        if epoch is None and line.total is not None:
            epoch = self._epoch
        step = line.step.value
        if line.step.grain:
            step = self._refiner.refine(step, line.step.grain)
        elif (
            epoch is not None
            and epoch.is_integer()
            and not line.is_whole
            and not (line.epoch and line.epoch.grain)
        ):
            step = self._odometer.place(epoch, step, line.total)
        else:
            step = self._refiner.refine(step, 0.0)
        self._stand(step, epoch)
        return step, epoch

    def _stand(self, step: float | None, epoch: float | None) -> None:
        """Remember where the run stands."""
        if (step, epoch) != self._place_now:
            self._place_now = (step, epoch)
            self._inherited.clear()

    def _total(self, line: Line) -> float | None:
        """The goal in steps, as far as the line says it."""
        if self._odometer.is_within and not line.is_whole:
            return line.total * line.epochs if line.epochs and line.total else None
        return line.total

    def _inherit(self, names: tuple[str, ...]) -> tuple[float | None, float | None]:
        """The place of the line before, for one that has none: an evaluation's, or a sum of an epoch.

        Once such lines come twice at one step the log counts otherwise, and they are left without.
        """
        if names in self._inherited:
            self._may_inherit = False
        self._inherited.add(names)
        return self._place_now if self._may_inherit else (None, None)

    def _hold(
        self,
        entry: dict[str, float],
        place: tuple[float | None, float | None],
        out: Collector,
        is_redraw: bool,
    ) -> None:
        fields, values = self._admit(entry)
        if self._held is not None and self._held.place != place:
            self._release(out)
        self._held = _Held(fields, values, place)
        if not is_redraw:
            self._release(out)

    def _admit(self, entry: dict[str, float]) -> tuple[tuple[str, ...], list[float]]:
        """The names and values of an entry, as the log may have them."""
        names = tuple(entry)
        if names in self._plain:
            return names, list(entry.values())
        admitted = [self._names.admit(name) for name in names]
        fields = tuple(name for name in admitted if name is not None)
        if fields == names and len(set(fields)) == len(fields) and len(self._plain) < FIELD_LIMIT:
            self._plain.add(names)
        kept = {name: value for name, value in zip(admitted, entry.values(), strict=True) if name is not None}
        return tuple(kept), list(kept.values())

    def _release(self, out: Collector) -> None:
        if self._held is not None:
            out.add(self._held.fields, self._held.values)
            self._held = None

    def _add(self, entry: dict[str, float], out: Collector) -> None:
        self._hold(entry, (None, None), out, is_redraw=False)


def _line_of(cells: Numbers, *, is_evaluation: bool) -> Line:
    """A row of columns as a line: its first step and epoch are its position."""
    line = Line(is_evaluation=is_evaluation)
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
    return others <= max(2, len(fields) // 2)


def _stamped(entry: dict[str, float], stamp: float | None) -> dict[str, float]:
    if stamp is None or "timestamp" in entry:
        return entry
    return entry | {"timestamp": stamp}
