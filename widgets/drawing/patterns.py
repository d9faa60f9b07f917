"""Regular expressions that a person types, matched against a log's lines in a bounded time."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from types import FrameType
from typing import TypeVar

Pattern = re.Pattern[str]
Found = TypeVar("Found")

PATIENCE_S = 0.2
"""Seconds of processor time that one matching may take; a thousand lines take a sane pattern a hundredth of it."""

TOO_SLOW = "it takes too long"

_slow: set[str] = set()
"""Patterns that took too long once."""


class _TookTooLong(Exception):  # noqa: N818 - never leaves this module
    """A pattern goes back and forth over a line without an end in sight."""


def compile_pattern(text: str) -> tuple[Pattern | None, str]:
    """A regular expression, and why it can't be taken as one: then it is matched as it stands.

    Small letters match large ones too.

    >>> compile_pattern("loss|acc")[1], compile_pattern("(loss")[1]
    ('', 'missing ), unterminated subpattern at position 0')
    """
    return (_literal(text), TOO_SLOW) if text in _slow else _compile(text)


def matches(text: str, lines: Sequence[str]) -> list[bool]:
    """Which lines hold what the pattern stands for."""

    def find(pattern: Pattern) -> list[bool]:
        return [pattern.search(line) is not None for line in lines]

    return _in_time(text, find) or [True] * len(lines)


def find_spans(text: str, line: str) -> list[tuple[int, int]]:
    """Where in a line the pattern fits, as first and last index after it, without empty fits."""

    def find(pattern: Pattern) -> list[tuple[int, int]]:
        return [found.span() for found in pattern.finditer(line) if found.end() > found.start()]

    return _in_time(text, find) or []


def _in_time(text: str, find: Callable[[Pattern], Found]) -> Found | None:
    """What is found by the pattern, or by the text as it stands where that takes too long; None without one."""
    pattern, _ = compile_pattern(text)
    if pattern is None:
        return None
    try:
        with _patience():
            return find(pattern)
    except _TookTooLong:
        _slow.add(text)
    return find(_literal(text))


@contextmanager
def _patience() -> Iterator[None]:
    """Let what runs in here raise once its time is up.

    `re` can be stopped by nothing but a signal, which it looks for every few thousand steps; and signals are the
    main thread's alone, where screens are drawn. In any other, there is no bound.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    is_over = False

    def stop(number: int, frame: FrameType | None) -> None:
        if not is_over:
            raise _TookTooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE_S)
        yield
    finally:
        is_over = True
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@lru_cache(maxsize=64)
def _compile(text: str) -> tuple[Pattern | None, str]:
    if not text:
        return None, ""
    try:
        return re.compile(text, _flags(text)), ""
    except (re.error, OverflowError, RecursionError) as error:
        return _literal(text), str(error)


def _literal(text: str) -> Pattern:
    return re.compile(re.escape(text), _flags(text))


def _flags(text: str) -> re.RegexFlag:
    return re.IGNORECASE if text.islower() else re.NOFLAG
