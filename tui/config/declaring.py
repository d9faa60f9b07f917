"""One declaration a key: its type, its default, what it is for; reading, showing and messages come from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Generic, TypeVar, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from tui.config.mistakes import Place
from tui.config.values import Read, table

T = TypeVar("T")
S = TypeVar("S", bound="Section")


Problem = tuple[tuple[str, ...], str]
"""A way to a key below a table, () for the table itself; and what is to be said of it, after its name."""


class Section(Struct, frozen=True):
    """A table of the configuration with keys that are known beforehand; those of subclasses are annotated by `Key`."""

    def problems(self) -> Iterable[Problem]:
        """What is wrong with the keys taken together."""
        return ()


class Key(Struct, frozen=True):
    """A key of the configuration: what annotates the field of a `Section` that holds its value.

    Attributes:
        read: Takes the value from TOML.
        doc: One sentence on what it is for.
        example: A value as TOML, shown where there is no default that could be.
        name: How it is spelt in the file; as the field, where that is left out.
        kind: The kind of alerts that it belongs to, for the keys of `[health.KIND]`.
        is_rest: Whether it stands for every key that is not known by name.
        attribute: The name of the field, filled in by `keys_of`.
    """

    read: Read[Any]
    doc: str
    example: str = ""
    name: str = ""
    kind: str | None = None
    is_rest: bool = False
    attribute: str = ""


def keys_of(section: type[Section]) -> Mapping[str, Key]:
    """The keys of a section, in their order, by the names in the file."""
    return _find_keys(section)


@cache
def _find_keys(section: type[Section]) -> Mapping[str, Key]:
    found = {}
    for attribute, hint in get_type_hints(section, include_extras=True).items():
        for key in getattr(hint, "__metadata__", ()):
            named = replace(key, name=key.name or attribute, attribute=attribute)
            found[named.name] = named
    return found


class Nested(Struct, Generic[S], frozen=True):
    """Reads a table as a section; every mistake in it is noted, and what is wrong has its default."""

    kind: type[S]

    def __call__(self, value: object, at: Place) -> S:
        """The section."""
        return read_section(self.kind, table(value, at), at)


def read_section(kind: type[S], raw: Mapping[str, Any], at: Place) -> S:
    """The section that a table gives."""
    known = {name: each for name, each in keys_of(kind).items() if not each.is_rest}
    rest = next((each for each in keys_of(kind).values() if each.is_rest), None)
    before = len(at.page.mistakes)
    found: dict[str, Any] = {}
    if "place" in kind.__struct_fields__:
        found["place"] = at
    if rest:
        others = {name: value for name, value in raw.items() if name not in known}
        found[rest.attribute] = rest.read(others, at)
    else:
        at.check_keys(raw, known, _deeper(known))
    for each in known.values():
        if each.name in raw:
            with at.into(each.name).noting():
                found[each.attribute] = each.read(raw[each.name], at.into(each.name))
    made = kind(**found)
    if len(at.page.mistakes) == before:  # a key that is wrong by itself makes no second mistake
        for path, message in made.problems():
            spot = at.into(*path)
            spot.complain(f"{spot.name} {message}")
    return made


def _deeper(known: Mapping[str, Key]) -> list[str]:
    """The dotted keys of the tables among these keys."""
    return [
        f"{each.name}.{name}"
        for each in known.values()
        if isinstance(each.read, Nested)
        for name in keys_of(each.read.kind)
    ]
