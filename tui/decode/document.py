"""JSON documents: a whole history in one object or list, written anew each time it grows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import orjson

from tui.decode.batch import Batch, Collector
from tui.decode.jsonl import flatten_row
from tui.decode.names import Names
from tui.decode.numbers import to_number

DOCUMENT_BYTES = 64 << 20
"""The largest document that is read; the history of a million steps has about so much."""

TRIES = 50
"""How often a document is tried at a line that may close it; later only at its end."""

_FIRST_CHARS = frozenset(b'"{}[]-0123456789tfnN,')
_LISTS = ("log_history", "history", "logs", "metrics", "results", "records")
_CLOSING = (b"}", b"]")

Entry = dict[str, float]


class JsonDocument:
    """Gathers a document until it closes, and tells those of its entries that it has not told before.

    `is_open` says that it waits for more, `is_none` that what was gathered is no document.
    """

    name = "json"

    def __init__(self, names: Names | None = None) -> None:
        self.is_open = False
        self.is_none = False
        self.gathered: list[bytes] = []
        self._names = names or Names()
        self._bytes = 0
        self._tries = 0
        self._told: list[Entry] = []

    def decode(self, lines: Sequence[bytes]) -> Batch:
        """The new entries of the documents that these lines complete. Never raises."""
        out = Collector()
        for line in lines:
            self._gather(line)
            is_end = line.startswith(_CLOSING) or (
                len(self.gathered) == 1 and line.rstrip().endswith(_CLOSING)
            )
            if is_end and self._tries < TRIES:
                self._close(out)
        return out.batch()

    def finish(self) -> Batch:
        """The new entries of what was gathered, if that is whole; begins a new document."""
        out = Collector()
        if self.gathered:
            self._close(out)
        self._begin()
        return out.batch()

    def peek(self, pending: bytes) -> Batch:
        """The new entries, where the last line closes the document without a newline behind it."""
        out = Collector()
        if self.is_open and pending.rstrip() in _CLOSING and self.gathered:
            self._tell(load_document(b"\n".join([*self.gathered, pending])), out)
        return out.batch()

    def _gather(self, line: bytes) -> None:
        self.is_open = True
        self.gathered.append(line)
        self._bytes += len(line) + 1
        start = line.lstrip()[:1]
        self.is_none |= self._bytes > DOCUMENT_BYTES or (bool(start) and start[0] not in _FIRST_CHARS)

    def _close(self, out: Collector) -> None:
        self._tries += 1
        document = load_document(b"\n".join(self.gathered))
        if document is not None:
            self._tell(document, out)
            self._begin()

    def _tell(self, document: object, out: Collector) -> None:
        entries = list_entries(document, self._names)
        known = 0
        for old, new in zip(self._told, entries, strict=False):
            if not _is_same(old, new):
                break
            known += 1
        for entry in entries[known:]:
            out.add_entry(entry)
        self._told = entries

    def _begin(self) -> None:
        self.is_open = self.is_none = False
        self.gathered = []
        self._bytes = self._tries = 0


def load_document(data: bytes) -> object:
    """What a whole document holds, or None where it is not whole."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        pass
    try:
        return json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None


def is_document(row: Mapping[str, object]) -> bool:
    """Whether one object is a whole history, and no row of one."""
    return any(_is_rows(row.get(name)) for name in _LISTS) or _is_golden(row) or bool(_equal_columns(row))


def list_entries(document: object, names: Names) -> list[Entry]:
    """The entries of a document in order: rows of a history, steps of golden values, or columns of equal length."""
    if _is_rows(document):
        return _flatten_all(document, names)
    if not isinstance(document, dict):
        return []
    for name in _LISTS:
        if _is_rows(document.get(name)):
            return _flatten_all(document[name], names)
    if _is_golden(document):
        return _golden_entries(document, names)
    if columns := _equal_columns(document):
        return _column_entries(columns, names)
    for value in document.values():  # a history under a name of its own
        if _is_rows(value) and len(value) > 1:
            return _flatten_all(value, names)
    return []


def _is_rows(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _flatten_all(rows: object, names: Names) -> list[Entry]:
    assert isinstance(rows, list)
    entries = (flatten_row(row, names) for row in rows)
    return [entry for entry in entries if entry]


def _is_golden(document: Mapping[str, object]) -> bool:
    """Whether it is Megatron's form: by metric, then by step."""
    return bool(document) and all(
        isinstance(metric, dict) and isinstance(metric.get("values"), dict) for metric in document.values()
    )


def _golden_entries(document: Mapping[str, object], names: Names) -> list[Entry]:
    """One entry a step; a value "nan" was not recorded there."""
    by_step: dict[float, Entry] = {}
    for metric, told in document.items():
        assert isinstance(told, dict)
        name = names.admit(metric)
        for step, value in told["values"].items():
            at, number = to_number(step), to_number(value)
            if name is not None and at is not None and number is not None and value != "nan":
                by_step.setdefault(at, {"step": at})[name] = number
    return [by_step[step] for step in sorted(by_step)]


def _equal_columns(document: Mapping[str, object]) -> dict[str, list[object]]:
    """The lists of numbers of a document, where all are equally long: a history by metric, as Keras has it."""
    columns = {
        name: value
        for name, value in document.items()
        if isinstance(value, list)
        and len(value) > 1
        and all(isinstance(one, int | float | None) for one in value)
    }
    is_one_history = len({len(value) for value in columns.values()}) == 1
    return columns if is_one_history and len(columns) == len(document) else {}


def _column_entries(columns: Mapping[str, list[object]], names: Names) -> list[Entry]:
    entries = []
    for row in zip(*columns.values(), strict=True):
        told = {name: value for name, value in zip(columns, row, strict=True) if value is not None}
        entries.append(flatten_row(told, names))
    return entries


def _is_same(one: Entry, other: Entry) -> bool:
    if one.keys() != other.keys():
        return False
    return all(
        value == other[name] or (value != value and other[name] != other[name]) for name, value in one.items()
    )
