"""Where in a TOML text each key stands, so that a mistake can be told with its line."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections import defaultdict

Path = tuple[str | int, ...]
"""A key's way from the top: names of keys, and positions in arrays from 0."""

_BLANK = re.compile(r"(?:[\s,]|#[^\n]*)*")
_STRINGS = re.compile(
    r'"""(?:\\.|[^\\])*?"""(?:"{0,2})|\'\'\'.*?\'\'\'(?:\'{0,2})|"(?:\\.|[^"\\])*"|\'[^\']*\'', re.DOTALL
)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_BARE_VALUE = re.compile(r"[^,\]}\n#]*")


def find_lines(text: str) -> dict[Path, int]:
    r"""The line, from 1, of every key, table and item of an array.

    Args:
        text: TOML that `tomllib` has read without an error; of other text the result means nothing.

    >>> find_lines('[runs.a]\nvia = [\n"x"]')[("runs", "a", "via", 0)]
    3
    """
    scanner = _Scanner(text)
    scanner.scan()
    return scanner.lines


class _Scanner:
    """Goes over the text once, key by key."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {}
        self._text = text
        self._at = 0
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._tables: dict[Path, int] = defaultdict(int)  # how many tables each array of tables has so far

    def scan(self) -> None:
        table: Path = ()
        while self._skip_blank():
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)

    def _header(self) -> Path:
        """`[table]` or `[[item of an array of tables]]`; the path of what follows."""
        start = self._at
        is_array = self._text.startswith("[[", start)
        self._at += 1 + is_array
        *above, last = self._keys()
        self._at = self._text.index("]", self._at) + 1 + is_array
        path: Path = ()
        for name in above:
            path = self._newest((*path, name))
            self.lines.setdefault(path, self._line(start))
        path = (*path, last)
        if is_array:
            self.lines.setdefault(path, self._line(start))
            self._tables[path] += 1
        path = self._newest(path)
        self.lines[path] = self._line(start)
        return path

    def _newest(self, path: Path) -> Path:
        """The last table where the path is that of an array of them, else the path itself."""
        return (*path, self._tables[path] - 1) if path in self._tables else path

    def _pair(self, table: Path) -> None:
        """`key = value`, the key perhaps dotted."""
        start, path = self._at, table
        for name in self._keys():
            path = (*path, name)
            self.lines.setdefault(path, self._line(start))
        self._at = self._text.index("=", self._at) + 1
        self._value(path)

    def _keys(self) -> list[str]:
        names = []
        while True:
            self._skip_space()
            if quoted := _STRINGS.match(self._text, self._at):
                names.append(str(tomllib.loads(f"key = {quoted[0]}")["key"]))
            elif not (quoted := _BARE_KEY.match(self._text, self._at)):
                return names
            else:
                names.append(quoted[0])
            self._at = quoted.end()
            self._skip_space()
            if not self._text.startswith(".", self._at):
                return names
            self._at += 1

    def _value(self, path: Path) -> None:
        self._skip_space()
        if self._text.startswith("[", self._at):
            self._array(path)
        elif self._text.startswith("{", self._at):
            self._inline_table(path)
        else:
            found = _STRINGS.match(self._text, self._at) or _BARE_VALUE.match(self._text, self._at)
            self._at = found.end() if found else len(self._text)

    def _array(self, path: Path) -> None:
        self._at += 1
        number = 0
        while self._skip_blank() and self._text[self._at] != "]":
            self.lines[(*path, number)] = self._line(self._at)
            self._value((*path, number))
            number += 1
        self._at += 1

    def _inline_table(self, path: Path) -> None:
        self._at += 1
        while self._skip_blank() and self._text[self._at] != "}":
            self._pair(path)
        self._at += 1

    def _skip_blank(self) -> bool:
        """Go over white space, commas and comments; whether anything follows."""
        blank = _BLANK.match(self._text, self._at)
        self._at = blank.end() if blank else self._at
        return self._at < len(self._text)

    def _skip_space(self) -> None:
        while self._text.startswith((" ", "\t"), self._at):
            self._at += 1

    def _line(self, at: int) -> int:
        return bisect_right(self._starts, at)
