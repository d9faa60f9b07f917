"""Holds back the entry of a line that a progress bar may draw over: only its last state counts."""

from __future__ import annotations

from typing import NamedTuple

from tui.decode.batch import Collector
from tui.decode.names import FIELD_LIMIT, Names
from tui.decode.standing import NOWHERE, Place


class _Held(NamedTuple):
    fields: tuple[str, ...]
    values: list[float]
    place: tuple[float | None, float | None]


class Redraws:
    """Hands entries on: those of whole lines at once, those of redraws when another place is reached."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._held: _Held | None = None
        self._plain: set[tuple[str, ...]] = set()

    def add(
        self, entry: dict[str, float], out: Collector, place: Place = NOWHERE, *, is_redraw: bool = False
    ) -> None:
        """Take in an entry; of two at one place, of which the first was drawn over, the second stays."""
        if self._held is not None and self._held.place != place[:2]:
            self.release(out)
        fields, values = self._admit(entry)
        self._held = _Held(fields, values, place[:2])
        if not is_redraw:
            self.release(out)

    def release(self, out: Collector) -> None:
        """Hand on what is held: nothing draws over it any more."""
        if self._held is not None:
            out.add(self._held.fields, self._held.values)
            self._held = None

    def _admit(self, entry: dict[str, float]) -> tuple[tuple[str, ...], list[float]]:
        """The names and values of an entry, as the log may have them."""
        names = tuple(entry)
        if names in self._plain:
            return names, list(entry.values())
        if self._names.admit_all(names) and len(self._plain) < FIELD_LIMIT:
            self._plain.add(names)
            return names, list(entry.values())
        admitted = {self._names.admit(name): value for name, value in entry.items()}
        kept = {name: value for name, value in admitted.items() if name is not None}
        return tuple(kept), list(kept.values())
