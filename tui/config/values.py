"""What may stand behind a key: each reader takes a value of TOML and gives ours, or says what it must be."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, TypeVar

from msgspec import Struct

from tui.config.mistakes import Place, WrongValueError, nearest
from tui.errors import TargetError
from tui.roles import Role
from tui.target import parse_target

T = TypeVar("T")

Read = Callable[[object, Place], T]
"""Reads one value; raises `WrongValueError` where it can't stand there, or notes mistakes at places within it."""

Points = tuple[tuple[float, float], ...]


def text(value: object, at: Place) -> str:
    """A string that is not empty."""
    if not isinstance(value, str):
        raise WrongValueError("a string", at)
    if not value:
        raise WrongValueError("a string that is not empty", at)
    return value


def texts(value: object, at: Place) -> tuple[str, ...]:
    """A list of strings."""
    return _items(value, at, text, 'a list of strings, such as ["loss", "accuracy"]')


def address(value: object, at: Place) -> str:
    """The address of a log."""
    try:
        parse_target(text(value, at))
    except TargetError as error:
        raise WrongValueError(f"an address, but {error}", at) from error
    return str(value)


def addresses(value: object, at: Place) -> tuple[str, ...]:
    """One address, or a list of them."""
    if isinstance(value, str):
        return (address(value, at),)
    found = _items(value, at, address, "an address, or a list of addresses")
    if not found:
        raise WrongValueError("an address, or a list of at least one", at)
    return found


def members(value: object, at: Place) -> tuple[str, ...]:
    """The members of a group, at least one."""
    expected = 'a list of runs, by name or address, such as ["drafter", "gpu-box:/runs/b.jsonl"]'
    found = _items(value, at, address, expected)
    if not found:
        raise WrongValueError(expected, at)
    return found


def prefixes(value: object, at: Place) -> tuple[str, ...]:
    """A list of command prefixes, each one string of shell words."""
    found = texts(value, at)
    for number, prefix in enumerate(found):
        try:
            words = shlex.split(prefix)
        except ValueError as error:
            raise WrongValueError(f"a command prefix, but: {error}", at.into(number)) from error
        if not words:
            raise WrongValueError("a command prefix, such as 'sudo -n'", at.into(number))
    return found


def switch(value: object, at: Place) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise WrongValueError("true or false", at)
    return value


def choice(known: tuple[str, ...]) -> Read[str]:
    """One of some words."""

    def read(value: object, at: Place) -> str:
        if value not in known:
            near = nearest(str(value), known)
            raise WrongValueError(
                f"one of {', '.join(known)}" + (f"; did you mean {near}?" if near else ""), at
            )
        return str(value)

    return read


def choices(known: tuple[str, ...]) -> Read[tuple[str, ...]]:
    """A list of some words out of several."""
    one = choice(known)
    return lambda value, at: _items(value, at, one, f"a list of some of {', '.join(known)}")


def number_where(is_right: Callable[[float], bool], expected: str) -> Read[float]:
    """A finite number of which something is true."""

    def read(value: object, at: Place) -> float:
        number = _number(value)
        if number is None or not is_right(number):
            raise WrongValueError(expected, at)
        return number

    return read


number = number_where(lambda value: True, "a number")
step = number_where(lambda value: value >= 0, "a step, a number that is not negative")
positive = number_where(lambda value: value > 0, "a number above 0")
seconds = number_where(lambda value: value >= 0, "seconds, a number that is not negative")
share = number_where(lambda value: 0 < value < 1, "a share, a number between 0 and 1")


def count(value: object, at: Place) -> int:
    """A whole number from 1."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < 10**9:
        raise WrongValueError("a whole number from 1", at)
    return value


def span(value: object, at: Place) -> int:
    """A number of entries to smooth over; 0 is none."""
    return 0 if value == 0 and not isinstance(value, bool) else count(value, at)


def steps(value: object, at: Place) -> tuple[float, ...]:
    """A list of steps."""
    return _items(value, at, step, "a list of steps, such as [100, 500, 1000]")


def points(value: object, at: Place) -> Points:
    """A list of pairs of numbers, the first of which rise."""
    found = _items(value, at, _pair, "a list of pairs, such as [[1000, 0.11], [20000, 0.31]]")
    if not found or any(one[0] >= other[0] for one, other in pairwise(found)):
        raise WrongValueError("a list of pairs whose first numbers rise", at)
    return found


def number_by_step(value: object, at: Place) -> Points:
    """One positive number from the start, or pairs of a step and the number from there on."""
    if _number(value) is not None:
        return ((0.0, positive(value, at)),)
    expected = (
        "a number above 0, or pairs of a step and the number from there on: [[1, 12000], [15001, 260000]]"
    )
    if not isinstance(value, list):
        raise WrongValueError(expected, at)
    found = points(value, at)
    if any(each <= 0 for _, each in found):
        raise WrongValueError(expected, at)
    return found


def table(value: object, at: Place) -> Mapping[str, Any]:
    """A table of anything."""
    if not isinstance(value, dict):
        raise WrongValueError(f"a table, [{at.name}]", at)
    return value


def each(read: Read[T]) -> Read[dict[str, T]]:
    """A table whose every key is a name; what can't be read is noted and left out."""

    def read_all(value: object, at: Place) -> dict[str, T]:
        found: dict[str, T] = {}
        for name, item in table(value, at).items():
            with at.into(name).noting():
                found[name] = read(item, at.into(name))
        return found

    return read_all


def role(value: object, at: Place) -> Role:
    """A role, by its name."""
    return Role(choice(tuple(Role))(value, at))


class Binding(Struct, frozen=True):
    """The keys for an action, one or several with commas between them, and where the configuration says so."""

    keys: str
    place: Place


def bindings(value: object, at: Place) -> dict[str, Binding]:
    """Keys by the name of the action; a name with dots may be written with quotes or without."""
    found: dict[str, Binding] = {}
    for name, item in table(value, at).items():
        spot = at.into(name)
        with spot.noting():
            if isinstance(item, dict):
                found |= {f"{name}.{rest}": binding for rest, binding in bindings(item, spot).items()}
            else:
                found[name] = Binding(text(item, spot), spot)
    return found


def command(placeholders: tuple[str, ...]) -> Read[tuple[str, ...]]:
    """A command and its arguments, in which some words in braces stand for something."""

    def read(value: object, at: Place) -> tuple[str, ...]:
        example = '["notify-send", "{title}", "{message}"]'
        words = _items(value, at, _word, f"a command and its arguments, such as {example}")
        if words and (not words[0] or "{" in words[0]):
            raise WrongValueError("the name of a program", at.into(0))
        for place, word in enumerate(words):
            for name in re.findall(r"\{(\w+)\}", word):
                if name not in placeholders:
                    near = nearest(name, placeholders)
                    hint = f"did you mean {{{near}}}?" if near else f"known are {', '.join(placeholders)}"
                    raise WrongValueError(
                        f"without {{{name}}}, which stands for nothing; {hint}", at.into(place)
                    )
        return words

    return read


def _word(value: object, at: Place) -> str:
    if not isinstance(value, str):
        raise WrongValueError("a string", at)
    return value


def _items(value: object, at: Place, read: Read[T], expected: str) -> tuple[T, ...]:
    if not isinstance(value, list):
        raise WrongValueError(expected, at)
    return tuple(read(item, at.into(number)) for number, item in enumerate(value))


def _pair(value: object, at: Place) -> tuple[float, float]:
    pair = [_number(item) for item in value] if isinstance(value, list) else []
    if len(pair) != 2 or pair[0] is None or pair[1] is None:
        raise WrongValueError("a pair of numbers", at)
    return pair[0], pair[1]


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None
