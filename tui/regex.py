"""Regular expressions that are compiled when they are first used: that takes up to a millisecond each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property


class Regex:
    """One that most logs have no use for; its methods are those of `re.Pattern`, as fast after their first call."""

    def __init__(self, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self.pattern = pattern
        self._flags = flags

    @cached_property
    def search(self) -> Callable[[str], re.Match[str] | None]:
        """The first match anywhere."""
        return self._compiled.search

    @cached_property
    def match(self) -> Callable[[str], re.Match[str] | None]:
        """The match at the beginning."""
        return self._compiled.match

    @cached_property
    def finditer(self) -> Callable[[str], Iterator[re.Match[str]]]:
        """All matches, one after the other."""
        return self._compiled.finditer

    @cached_property
    def findall(self) -> Callable[[str], list[tuple[str, ...]]]:
        """The groups of all matches."""
        return self._compiled.findall

    @cached_property
    def sub(self) -> Callable[[str, str], str]:
        """A text with something else in place of all matches."""
        return self._compiled.sub

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self._flags)
