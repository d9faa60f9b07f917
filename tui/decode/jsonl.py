"""JSON lines: one object a line, nested or flat, as most trainers write them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

import orjson

from tui.decode.batch import Batch, Collector
from tui.decode.names import FIELD_LIMIT, NAME_CHARS, Names, tidy_name
from tui.decode.numbers import to_number
from tui.roles import is_step_name

DEPTH_LIMIT = 8
"""How deep objects are looked into; deeper ones are configurations and media, not metrics."""

FLOAT_LIMIT = 1 << 1023
"""From here on an integer may not fit into a float."""

_NUMERIC = frozenset((float, int))
_TAGS = ("event", "type", "kind", "record", "phase")
_CONTROL = frozenset(
    "config configuration args arguments hparams hyperparameters hyperparams params settings meta metadata header init"
    " start started run_start train_start begin setup done end ended finish finished complete completed run_end exit"
    " train_end env environment system".split()
)
_COCO = ("AP", "AP50", "AP75")
_COCO_LENGTH = 12

Shape = tuple[tuple[str, ...], tuple[type, ...]]


class JsonLines:
    """Decodes lines that each hold one JSON object. Keeps nothing but what it learned of their shapes.

    `rejected` holds the indices of the lines of the last call that are none.
    """

    name = "jsonl"

    def __init__(self, names: Names | None = None) -> None:
        self.rejected: list[int] = []
        self._names = names or Names()
        self._flat: dict[Shape, tuple[str, ...] | None] = {}

    def decode(self, lines: Sequence[bytes]) -> Batch:
        """The entries of whole lines. Never raises: what is no JSON object counts as malformed."""
        self.rejected = []
        out = Collector()
        add, loads = out.add, orjson.loads
        for line in lines:
            is_small = True  # orjson reads no larger integers
            try:
                row = loads(line)
            except orjson.JSONDecodeError:
                row, is_small = _load_lenient(line), False
            if type(row) is not dict:
                self.rejected.append(out.entries + out.remarks + len(self.rejected))
                continue
            fields, values = self._read(row, is_small=is_small)
            if fields:
                add(fields, values)
            else:
                out.remarks += 1
        out.malformed = len(self.rejected)
        return out.batch()

    def finish(self) -> Batch:
        """Nothing is ever held back."""
        return Batch()

    def _read(self, row: dict[str, object], *, is_small: bool) -> tuple[tuple[str, ...], list[float]]:
        """The names and values of a row's numeric fields, by the short way where its shape is a plain one.

        `is_small`: no integer of it is beyond 64 bits.
        """
        shape = (tuple(row), tuple(map(type, row.values())))
        try:
            fields = self._flat[shape]
        except KeyError:
            fields = self._flat[shape] = self._plain_fields(row) if len(self._flat) < FIELD_LIMIT else None
        if fields is not None:
            values: list[float] = list(row.values())  # type: ignore[arg-type]  # plain: all are numbers
            if is_small or all(abs(value) < FLOAT_LIMIT for value in values if type(value) is int):
                return fields, values
        flat = flatten_row(row, self._names)
        return tuple(flat), list(flat.values())

    def _plain_fields(self, row: dict[str, object]) -> tuple[str, ...] | None:
        """The names, where every value is a number and every name can be shown as it is."""
        names = tuple(row)
        is_plain = len(names) <= FIELD_LIMIT and all(type(value) in _NUMERIC for value in row.values())
        return names if is_plain and all(names) and self._names.admit_all(names) else None


def load_object(line: bytes) -> dict[str, object] | None:
    """The JSON object on a line, or None where there is none.

    Takes `NaN`, `Infinity`, `-Infinity` and numbers beyond the range of a float, as Python's trainers write them
    and the JSON standard forbids; takes bytes that are no UTF-8 inside of strings.
    """
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError:
        row = _load_lenient(line)
    return row if isinstance(row, dict) else None


def flatten_row(row: Mapping[str, object], names: Names | None = None) -> dict[str, float]:
    """The numeric fields of a row by name, nested ones joined with `/`; none of a row that only frames the run."""
    if is_control(row):
        return {}
    flat: dict[str, float] = {}
    _flatten(row.items(), "", flat, names or Names(), 0)
    return flat


def is_control(row: Mapping[str, object]) -> bool:
    """Whether a row says of itself that it is a configuration, a beginning or an end, and no measurement."""
    tags = [row[tag] for tag in _TAGS if isinstance(row.get(tag), str)]
    if not any(str(tag).lower() in _CONTROL for tag in tags):
        return row.get("step") == "PARAMETER"  # DLLogger's own mark
    return not any(is_step_name(name) for name in row)


def _load_lenient(line: bytes) -> object:
    if not line.lstrip().startswith(b"{"):  # only objects count, and most broken lines are none
        return None
    try:
        return json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None


def _flatten(
    items: Iterable[tuple[str, object]], prefix: str, flat: dict[str, float], names: Names, depth: int
) -> None:
    for key, value in items:
        if len(flat) >= FIELD_LIMIT:
            return
        if isinstance(value, dict) and (nested := _nested(value)) is not None:
            if depth < DEPTH_LIMIT:
                _flatten(nested, f"{prefix}{tidy_name(key)}/", flat, names, depth + 1)
            continue
        for name, number in _numbers(f"{prefix}{key[: 2 * NAME_CHARS]}", value):
            if (admitted := names.admit(name)) is not None:
                flat[admitted] = number


def _nested(value: dict[str, object]) -> Iterable[tuple[str, object]] | None:
    """What is inside an object that holds fields of its own; None for one that is a single value."""
    if "_type" in value:  # a picture, a video, a histogram
        return ()
    is_moments = "mean" in value and value.keys() <= {"num", "mean", "std", "min", "max"}
    return None if is_moments else value.items()


def _numbers(name: str, value: object) -> Iterable[tuple[str, float]]:
    """The numbers in a value that is no object: mostly one, or none."""
    if isinstance(value, dict):
        value = value["mean"]
    if isinstance(value, list):
        if "coco" in name and len(value) == _COCO_LENGTH:
            return _coco(name, value)
        if not value or not (len(value) == 1 or is_step_name(name)):
            return ()
        value = value[-1]
    number = to_number(value)
    return () if number is None else ((name, number),)


def _coco(name: str, value: list[object]) -> Iterable[tuple[str, float]]:
    """The first three of COCO's twelve averages: over all thresholds, at 0.5, at 0.75."""
    found = ((f"{name}/{part}", to_number(one)) for part, one in zip(_COCO, value, strict=False))
    return [(part, number) for part, number in found if number is not None]
