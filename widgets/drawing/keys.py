"""The keys that do something here, as far as they fit."""

from __future__ import annotations

from msgspec import Struct

from widgets.cells import Line, width


class Key(Struct, frozen=True):
    """A key as it is printed, what it does in a word, and the name of the action behind it."""

    key: str
    label: str
    action: str


class Keys(Struct, frozen=True):
    """The keys, the most needed first."""

    keys: tuple[Key, ...] = ()


def fitting(keys: Keys, cells: int) -> list[tuple[int, Key]]:
    """The keys that fit in a row, each with the column where it begins."""
    placed: list[tuple[int, Key]] = []
    column = 1
    for key in keys.keys:
        if column + _cells(key) > cells:
            break
        placed.append((column, key))
        column += _cells(key) + 2
    return placed


def draw_keys(keys: Keys, cells: int) -> list[Line]:
    """The keys in one row."""
    line: Line = [(" ", "plain")]
    for column, key in fitting(keys, cells):
        if column > 1:
            line.append(("  ", "plain"))
        line += [(key.key, "accent"), (f" {key.label}", "faint")]
    return [line]


def key_at(keys: Keys, cells: int, column: int) -> Key | None:
    """The key that is drawn at this column, if one is."""
    for start, key in fitting(keys, cells):
        if start <= column < start + _cells(key):
            return key
    return None


def _cells(key: Key) -> int:
    return width(key.key) + 1 + width(key.label)
