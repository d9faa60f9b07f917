"""Formulas of metrics and numbers: `+ - * /`, parentheses, and nothing else that could be run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeVar

from msgspec import Struct

T = TypeVar("T")

LONGEST = 1000
"""The most characters that a formula may have."""

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+(?:_\d+)*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))"
    r"|(?P<name>[^\W\d][\w.]*)"
    r"|(?P<quote>[`'\"])(?P<quoted>.+?)(?P=quote)"
    r"|(?P<sign>[-+*/()]))"
)
_RANKS = {"+": 1, "-": 1, "*": 2, "/": 2, "~": 3}  # `~` stands for a minus before one operand


class Number(Struct, frozen=True):
    """Puts a number on the stack."""

    value: float


class Name(Struct, frozen=True):
    """Puts a metric on the stack."""

    name: str


class Sign(Struct, frozen=True):
    """Takes its one (`~`) or two operands from the stack, and puts the result there."""

    sign: str


Word = Number | Name | Sign


class Formula(Struct, frozen=True):
    """A formula, ready to be worked out: `words` stand in the order of their evaluation, operands first."""

    text: str
    words: tuple[Word, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The metrics in it, each once, in the order of the text."""
        return tuple(dict.fromkeys(word.name for word in self.words if isinstance(word, Name)))

    def work_out(self, operand: Callable[[str | float], T], combine: Callable[[str, T, T], T]) -> T:
        """The result, over whatever `operand` makes of names and numbers; a minus before one is 0 less it."""
        stack: list[T] = []
        for word in self.words:
            match word:
                case Number(value):
                    stack.append(operand(value))
                case Name(name):
                    stack.append(operand(name))
                case Sign("~"):
                    stack.append(combine("-", operand(0.0), stack.pop()))
                case Sign(sign):
                    right, left = stack.pop(), stack.pop()
                    stack.append(combine(sign, left, right))
        (result,) = stack
        return result


def parse_formula(text: str) -> Formula:
    """Read a formula.

    A name of letters, digits, `_` and `.` stands as it is; any other one, such as eval/loss or top-1, in backticks or
    quotes: `` `eval/loss` - loss ``. Without them `eval/loss` is a division.

    Raises:
        ValueError: It is none; the message says what is wrong, where, and what would be right.
    """
    if len(text) > LONGEST:
        raise ValueError(f"a formula has at most {LONGEST} characters, and this one {len(text):,}")
    words: list[Word] = []
    waiting: list[str] = []
    awaits_operand = True
    for at, word in _split(text):
        if isinstance(word, Sign):
            awaits_operand = _take_sign(word.sign, at, words, waiting, awaits_operand=awaits_operand)
        elif not awaits_operand:
            raise ValueError(
                f"there is no sign before character {at + 1} ({text[at:].strip()[:20]!r}); known are + - * /"
            )
        else:
            words.append(word)
            awaits_operand = False
    if awaits_operand:
        raise ValueError("it ends where a metric or a number should stand" if text.strip() else "it is empty")
    if "(" in waiting:
        raise ValueError("a parenthesis is not closed")
    words += map(Sign, reversed(waiting))
    return Formula(text, tuple(words))


def _take_sign(sign: str, at: int, words: list[Word], waiting: list[str], *, awaits_operand: bool) -> bool:
    """Put a sign where it belongs (Dijkstra's shunting yard, 1961); whether an operand has to follow."""
    if sign == "(":
        if not awaits_operand:
            raise ValueError(f"there is no sign before the parenthesis at character {at + 1}")
        waiting.append(sign)
        return True
    if sign == "-" and awaits_operand:
        waiting.append("~")
        return True
    if awaits_operand:
        raise ValueError(f"a metric or a number should stand before {sign!r} at character {at + 1}")
    if sign == ")":
        while waiting and waiting[-1] != "(":
            words.append(Sign(waiting.pop()))
        if not waiting:
            raise ValueError(f"the parenthesis at character {at + 1} was never opened")
        waiting.pop()
        return False
    while waiting and waiting[-1] != "(" and _RANKS[waiting[-1]] >= _RANKS[sign]:
        words.append(Sign(waiting.pop()))
    waiting.append(sign)
    return True


def _split(text: str) -> Iterator[tuple[int, Word]]:
    """The words of a formula, each with the place where it begins."""
    place = 0
    while text[place:].strip():
        match = _TOKEN.match(text, place)
        if match is None:
            at = place + len(text[place:]) - len(text[place:].lstrip())
            raise ValueError(
                f"{text[at : at + 10]!r} at character {at + 1} is no part of a formula; it knows metrics, numbers,"
                " + - * / and parentheses, and any other name in backticks: `eval/loss`"
            )
        at, place = match.start(match.lastgroup or 0), match.end()
        if match["number"]:
            yield at, Number(float(match["number"]))
        elif match["sign"]:
            yield at, Sign(match["sign"])
        else:
            yield at, Name(match["name"] or match["quoted"])
