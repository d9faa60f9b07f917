"""What a login has to ask a person: one question at a time, and only what may be kept is kept, in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from copy import copy
from typing import Literal, Protocol

from msgspec import Struct

from tui.sources.trouble import plain

Kind = Literal["passphrase", "password", "code", "host key"]

_SAID_LINES = 12
"""The most lines of a server's words that go with a question: a banner may be a page, a question is none."""


class Question(Struct, frozen=True):
    """One thing to ask, safe to show on a terminal.

    Attributes:
        kind: What is asked for.
        host: Who asks, as `user@host`.
        text: What to type, in a few words.
        is_secret: Whether the answer may not be seen while it is typed.
        said: What the server has printed, or what has to be known to answer, line by line.
    """

    kind: Kind
    host: str
    text: str
    is_secret: bool = True
    said: tuple[str, ...] = ()


class Asker(Protocol):
    """Whoever can put a question to a person."""

    async def ask(self, question: Question) -> str | None:
        """The answer; None where the person refuses to give one. Cancelling it takes the question back."""
        ...


def _nobody() -> None:
    """Nobody wants to know."""


class Desk:
    """Where all logins of a program put their questions. What is kept here is gone with the program.

    Args:
        asker: Who asks; None where nobody can be asked.
    """

    def __init__(self, asker: Asker | None) -> None:
        self._asker = asker
        self._turn = asyncio.Lock()
        self._kept: dict[str, str] = {}
        self._tell: Callable[[], None] = _nobody

    @property
    def is_open(self) -> bool:
        """Whether there is somebody to ask."""
        return self._asker is not None

    def telling(self, tell: Callable[[], None]) -> Desk:
        """The same desk for one login: `tell` is called before each of its questions."""
        desk = copy(self)
        desk._tell = tell
        return desk

    async def ask(self, question: Question, keep_as: str | None = None) -> str | None:
        """The answer to a question: a kept one, else the person's.

        Args:
            question: What to ask.
            keep_as: The name under which the answer is kept, for the next login; None for what is used once.
        """
        if self._asker is None:
            return None
        self._tell()
        async with self._turn:
            if keep_as in self._kept:
                return self._kept[keep_as]
            answer = await self._asker.ask(question)
            if answer is not None and keep_as is not None:
                self._kept[keep_as] = answer
            return answer

    def forget(self, name: str, answer: str) -> None:
        """Keep an answer that was wrong no longer; a newer one stays."""
        if self._kept.get(name) == answer:
            del self._kept[name]


class Interview:
    """The questions of one login, whose time does not run while a person thinks.

    After the first that is refused nothing more is asked.

    Args:
        desk: Takes the questions.
        limit: The time that the login may take.
        limit_s: That time, in seconds; it begins anew after each answer.

    Attributes:
        pending: The question that has been put and not answered.
        refused: The question that the person did not want to answer.
    """

    def __init__(self, desk: Desk, limit: asyncio.Timeout, limit_s: float) -> None:
        self._desk = desk
        self._limit = limit
        self._limit_s = limit_s
        self.pending: Question | None = None
        self.refused: Question | None = None

    @property
    def is_open(self) -> bool:
        """Whether it makes sense to ask."""
        return self._desk.is_open and self.refused is None

    async def ask(self, question: Question, keep_as: str | None = None) -> str | None:
        """The answer; None where it is refused, now or before, and where nobody can be asked."""
        if not self.is_open:
            return None
        self.pending = question
        self._limit.reschedule(None)
        answer = await self._desk.ask(question, keep_as)
        self._limit.reschedule(asyncio.get_running_loop().time() + self._limit_s)
        self.pending = None
        if answer is None:
            self.refused = question
        return answer

    def forget(self, name: str, answer: str) -> None:
        """Keep an answer that was wrong no longer."""
        self._desk.forget(name, answer)


def plain_lines(text: str) -> tuple[str, ...]:
    """A server's words line by line, without control characters and empty lines, and not too many."""
    lines = tuple(line for line in map(plain, text.splitlines()) if line)
    return lines if len(lines) <= _SAID_LINES else (*lines[: _SAID_LINES - 1], "…")
