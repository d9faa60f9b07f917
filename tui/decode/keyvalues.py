"""Finds names and numbers in a line of text, however the program that wrote it sets them apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from tui.decode.numbers import DURATION, NUMBER, SCALES, UNIT, Printed, read_duration, read_number

PAIR_LIMIT = 2000
"""The most numbers that are read from one line."""

WORDS_IN_KEY = 6
"""A key has at most so many words, as `elapsed time per iteration`; of a longer sentence the last word is taken."""

DURATION_MARK, COUNT_MARK = "\0t", "\0/"
"""Stand in a skeleton for a duration and for `n/N`; a plain number is stood for by its unit."""

_VALUE = re.compile(
    r"(?=[-+.\dnNiI])(?<![\w.@/+\\-])(?:"
    rf"(?P<duration>{DURATION})(?![\w:])"
    r"|(?P<at>\d[\d,]{0,19}) ?/ *(?P<of>\d[\d,]{0,19})(?![\w.])"
    rf"|(?P<digits>{NUMBER})(?P<unit>{UNIT})(?![\w@]|[.:-]\w|/\d)"
    r")"
)
_WRAPPED = re.compile(
    r"\b(?:(?:np|numpy|torch|jnp)\.)?(?:tensor|float\d+|int\d+|array|Array)"
    r"\(\[?\s*([-+\w.]+)\s*\]?[^()]*(?:\([^()]*\)[^()]*)?\)"
)
_BREAK = re.compile(r"[|;\t\]}{>,]|\s-+>?\s|\s{2,}|\s:\s|:\s|\.\s|=")
_LEVELS = frozenset(("DEBUG", "INFO", "WARNING", "WARN", "ERROR", "CRITICAL"))
_MORE_NAME = re.compile(r" \w+\s*[:=]")
_LINKING = re.compile(r"^(?:(?:with|and|the|a|an|of|is|was|has|got|at)\s+)+", re.IGNORECASE)
_JUNK = " \t'\"`#*>_.:<~/-(["
_TAIL = " \t:=([{'\"<≈~"

Skeleton = tuple[str, ...]


class Scanned(NamedTuple):
    """A line taken apart: what stands before each number and what kind it is, by turns, then what stands at the end.

    Programs print the same line again and again; its skeleton is what stays the same.
    """

    skeleton: Skeleton
    numbers: list[re.Match[str]]


class Key(NamedTuple):
    """The words before a number; empty where none belong to it. `is_word`: only a blank parts them from it."""

    text: str
    is_word: bool


def scan(text: str) -> Scanned:
    """The numbers of a line in order, and the line around them."""
    if "(" in text and ("tensor(" in text or "rray(" in text or "float" in text or "int" in text):
        text = _WRAPPED.sub(r"\1", text)
    skeleton: list[str] = []
    numbers: list[re.Match[str]] = []
    end = 0
    for found in _VALUE.finditer(text):
        if found.end() < len(text) and text[found.end() - 1].isalpha() and _is_word(text, found):
            continue
        skeleton.append(text[end : found.start()])
        _, at, _, digits, unit = found.groups()
        skeleton.append(unit if digits else COUNT_MARK if at else DURATION_MARK)
        numbers.append(found)
        end = found.end()
        if len(numbers) >= PAIR_LIMIT:
            break
    skeleton.append(text[end:])
    return Scanned(tuple(skeleton), numbers)


def _is_word(text: str, found: re.Match[str]) -> bool:
    """Whether a `nan` is part of a name: `number of nan iterations: 0`."""
    if (
        found["digits"] is None
        or not found["digits"][-1].isalpha()
        or not _MORE_NAME.match(text, found.end())
    ):
        return False
    return text[: found.start()].rstrip()[-1:] not in (":", "=", "|", ",", "(", "[", "")


def find_keys(skeleton: Skeleton) -> list[Key]:
    """The key of each number of a line; a rate without words is named after its unit."""
    keys = []
    for gap, kind in zip(skeleton[::2], skeleton[1::2], strict=False):
        key = _find_key(gap)
        if not key.text and "/s" in kind:
            key = Key(kind.strip(), key.is_word)  # 16745.90 words/s
        keys.append(key)
    return keys


def read_unscaled(found: re.Match[str]) -> float:
    """The value of a number as its digits say it: 2500M of memory are no 2.5 billion."""
    digits = found["digits"]
    return float(digits.replace(",", "")) if digits else read_value(found)


def read_value(found: re.Match[str]) -> float:
    """The value of a number that was found; of `n/N` the n."""
    duration, at, _, digits, unit = found.groups()
    if digits:
        value = float(digits.replace(",", "") if "," in digits else digits)
        return value * SCALES.get(unit, 1.0) if unit else value
    return float(at.replace(",", "")) if at else read_duration(duration)


def read_total(found: re.Match[str]) -> float | None:
    """The N of `n/N`."""
    total = found["of"]
    return float(total.replace(",", "")) if total else None


def read_printed(found: re.Match[str]) -> Printed:
    """A number that was found, with its unit and how exactly it was printed."""
    if found["digits"]:
        return read_number(found["digits"], found["unit"])
    return Printed(read_value(found), "s" if found["duration"] else "", 0.0)


def find_pairs(text: str) -> list[tuple[str, float]]:
    """The numbers of a line with their keys, in order.

    >>> find_pairs("step 3000: train loss 0.0153, val loss 0.8562")
    [('step', 3000.0), ('train loss', 0.0153), ('val loss', 0.8562)]
    """
    skeleton, numbers = scan(text)
    return list(zip((key.text for key in find_keys(skeleton)), map(read_value, numbers), strict=True))


def _find_key(gap: str) -> Key:
    """The name at the end of what stands between two numbers."""
    body = gap.rstrip(_TAIL)
    tail = gap[len(body) :]
    is_word = not any(char in tail for char in ":=[(")
    start = 0
    for found in _BREAK.finditer(body):
        start = found.end()
    key = _close_brackets(body[start:].lstrip(" )]")).strip(_JUNK)
    if not any(map(str.isalpha, key)) or key in _LEVELS:
        return Key("", is_word)
    words = _LINKING.sub("", key).split()
    if len(words) > (3 if is_word else WORDS_IN_KEY):
        words = [] if is_word else words[-1:]
    return Key(" ".join(words), is_word)


def _close_brackets(key: str) -> str:
    """The part of a key behind its last bracket that is not closed, or behind one that was not opened."""
    for opening, closing in ("()", "[]"):
        opened, closed = key.rfind(opening), key.rfind(closing)
        if opened > closed or (closed >= 0 and key.count(opening) < key.count(closing)):
            key = key[max(opened, closed) + 1 :]
    return key


def leads(skeletons: Sequence[str]) -> bool:
    """Whether the first number of a skeleton opens its line, but for a bracket."""
    return not skeletons[0].strip(" [")
