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


class JsonLines:
    """Decodes lines that each hold one JSON object. Keeps nothing but what it learned of their shapes.

    `rejected` holds the indices of the lines of the last call that are none.
    """

    name = "jsonl"

    def __init__(self, names: Names | None = None) -> None:
        self.rejected: list[int] = []
        self._names = names or Names()
        self._plain: dict[tuple[str, ...], bool] = {}

    def decode(self, lines: Sequence[bytes]) -> Batch:
        """The entries of whole lines. Never raises: what is no JSON object counts as malformed."""
        self.rejected = []
        out = Collector()
        alike: tuple[str, ...] = ()  # the names of the rows that are held in `values`, one after the other
        values: list[object] = []
        loads = orjson.loads
        for line in lines:
            try:
                row = loads(line)
            except orjson.JSONDecodeError:
                self._take_alike(alike, values, out)
                values = []
                self._take(_load_lenient(line), out)
                continue
            names = tuple(row) if type(row) is dict else ()
            if names and names == alike:
                values += row.values()
                continue
            self._take_alike(alike, values, out)
            alike, values = names, list(row.values()) if names else []
            if not names:
                self._take(row, out)
        self._take_alike(alike, values, out)
        out.malformed = len(self.rejected)
        return out.batch()

    def finish(self) -> Batch:
        """Nothing is ever held back."""
        return Batch()

    def _take_alike(self, names: tuple[str, ...], values: list[object], out: Collector) -> None:
        """Take in rows that have the same names: all at once, where they hold nothing but numbers.

        They come from orjson, which reads no integer beyond 64 bits.
        """
        if values and _NUMERIC.issuperset(map(type, values)) and self._is_plain(names):
            out.add(names, values)  # type: ignore[arg-type]  # all are numbers
            return
        for start in range(0, len(values), len(names) or 1):
            self._take(dict(zip(names, values[start : start + len(names)], strict=True)), out)

    def _take(self, row: object, out: Collector) -> None:
        """Take in whatever stands on a line."""
        if not isinstance(row, dict):
            self.rejected.append(out.entries + out.remarks + len(self.rejected))
            return
        names = tuple(row)
        if names and all(map(_is_float, row.values())) and self._is_plain(names):
            out.add(names, list(row.values()))
        elif flat := flatten_row(row, self._names):
            out.add_entry(flat)
        else:
            out.remarks += 1

    def _is_plain(self, names: tuple[str, ...]) -> bool:
        """Whether all these names can be shown as they are."""
        known = self._plain.get(names)
        if known is None and max(len(names), len(self._plain)) <= FIELD_LIMIT:
            known = self._plain[names] = all(names) and self._names.admit_all(names)
        return bool(known)


def _is_float(value: object) -> bool:
    """Whether a value is a number that fits into a float."""
    return type(value) is float or (type(value) is int and abs(value) < FLOAT_LIMIT)


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
