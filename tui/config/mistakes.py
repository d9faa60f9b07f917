"""Mistakes in a configuration, each with file, line, key and what would be right."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from tui.config.places import Path


class WrongValueError(ValueError):
    """A value that can't stand where it does; the message is what it must be."""

    def __init__(self, expected: str, place: Place | None = None) -> None:
        super().__init__(expected)
        self.place = place


class Mistake(Struct, frozen=True):
    """One thing that is wrong: where, and what to do about it."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


class Page(Struct, frozen=True, eq=False):
    """One configuration file: its lines, and the mistakes that were found in it so far."""

    file: str
    lines: Mapping[Path, int] = {}
    mistakes: list[Mistake] = []


class Place(Struct, frozen=True, eq=False):
    """Where in a configuration file something stands; as text `file:line: dotted.key`.

    All are equal: a value that has moved to another line is still the same.
    """

    page: Page
    path: Path = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place)

    def __hash__(self) -> int:
        return hash(Place)

    def __str__(self) -> str:
        return f"{self.page.file}:{self.line}: {self.name}"

    @property
    def line(self) -> int:
        """The line of the key, or of the nearest one above it; 1 where nothing is known."""
        for end in range(len(self.path), 0, -1):
            if self.path[:end] in self.page.lines:
                return self.page.lines[self.path[:end]]
        return 1

    @property
    def name(self) -> str:
        """The dotted key; what stands in an array is told by its number."""
        keys = [part for part in self.path if isinstance(part, str)]
        dotted = ".".join(keys)
        position = next((part for part in self.path if isinstance(part, int)), None)
        return dotted if position is None else f"item {position + 1} of {dotted}"

    def into(self, *keys: str | int) -> Place:
        """The place of what stands below."""
        return Place(self.page, (*self.path, *keys))

    def mistake(self, message: str) -> Mistake:
        """A mistake at this place."""
        return Mistake(self.page.file, self.line, message)

    def complain(self, message: str) -> None:
        """Note a mistake at this place."""
        self.page.mistakes.append(self.mistake(message))

    def must_be(self, expected: str) -> None:
        """Note that what stands here must be something else."""
        self.complain(f"{self.name} must be {expected}")

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Note a `WrongValueError` from within as a mistake, and go on."""
        try:
            yield
        except WrongValueError as error:
            (error.place or self).must_be(str(error))

    def check_keys(
        self, found: Collection[str], known: Collection[str], deeper: Collection[str] = ()
    ) -> None:
        """Note every key that is unknown, with the nearest right one; `deeper` are dotted keys of tables in here."""
        for name in found:
            if name not in known:
                moved = next((dotted for dotted in deeper if dotted.endswith(f".{name}")), None)
                hint = f"did you mean {moved}?" if moved else suggest(name, known)
                self.into(name).complain(f"unknown key {self.into(name).name}; {hint}")


def suggest(word: str, known: Collection[str]) -> str:
    """The end of a sentence about an unknown word: what was probably meant, or what there is."""
    if near := nearest(word, known):
        return f"did you mean {near}?"
    return f"known are {', '.join(known)}" if known else "there is none"


def nearest(word: str, known: Collection[str]) -> str | None:
    """The known word that was probably meant."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, list(known), 1)), None)


def nowhere() -> Place:
    """The place of what stands in no file."""
    return Place(Page("(defaults)"))
