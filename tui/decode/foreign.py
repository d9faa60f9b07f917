"""Tells the lines of other programs from broken ones, and finds the error in which a log ends."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tui.decode.text import clean, strip_sequences
from tui.regex import Regex

_FOREIGN = Regex(
    r"^\s*(?:Traceback \(most|File \"|During handling|The above exception|\.\.\.|[~^ ]+$|[-=*#_]{5,})"
    r"|\b(?:\w+Warning|WARNING|WARN|INFO|ERROR|DEBUG|CRITICAL|NCCL|CUDA|nohup|wandb|slurmstepd|srun|mpirun|torchrun)\b"
    r"|^\s*\w[\w.]*(?:Error|Exception|Interrupt|Exit)\b"
    r"|\d{4}-\d\d-\d\d[ T]\d\d:\d\d|^\[?\w*rank\s?\d+|\bsite-packages/|\d+%\s?\|",
    re.IGNORECASE,
)
_BEGIN = Regex(r"Traceback \(most recent call last\)|^\s*File \".*\", line \d+")
_ERROR = Regex(
    r"^\W*(?P<kind>(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Exit|Killed|Timeout|Signal)):?(?:\s+(?P<what>\S.*))?$"
)
_PLAIN_ERRORS = Regex(
    r"\b(?:CUDA out of memory|Segmentation fault|Bus error|core dumped|out-of-memory|oom[-_ ]kill|Killed process"
    r"|CANCELLED AT|DUE TO TIME LIMIT|CUDA error|NCCL (?:error|WARN .* timeout)|srun: error)|^Killed$",
    re.IGNORECASE,
)
_RANK = Regex(r"^\s*(?:\[?rank\s?\d+\]?[:\s]*|\d+: )+", re.IGNORECASE)
_ECHOES = ("ChildFailedError", "SystemExit", "CalledProcessError")
_ERROR_CHARS = 300


def is_foreign(line: bytes) -> bool:
    """Whether a line is plainly another program's: a traceback, a warning, a launcher's or a library's word."""
    return _FOREIGN.search(line[:2000].decode("utf-8", "replace")) is not None


def count_foreign(lines: Iterable[bytes]) -> int:
    """How many of these lines are another program's; an indented one below such a line is part of it, as source is."""
    count, is_below = 0, False
    for line in lines:
        is_below = is_foreign(line) or (is_below and line[:1] in (b" ", b"\t"))
        count += is_below
    return count


class Ending:
    """Watches for errors between the entries; one that no entry follows is how the log ends."""

    def __init__(self) -> None:
        self.error: str | None = None
        self._is_in_traceback = False

    def note(self, lines: Iterable[bytes]) -> None:
        """Look at lines that are no entries."""
        for line in lines:
            self._note(line)

    def forget(self) -> None:
        """The run went on: an entry came."""
        self.error = None
        self._is_in_traceback = False

    def _note(self, line: bytes) -> None:
        if self.error is not None and not self.error.startswith(_ECHOES):
            return  # the first one is the cause, what follows are its echoes
        text = line[:2000].decode("utf-8", "replace")
        if "\x1b" in text:
            text = strip_sequences(text)
        text = _RANK.sub("", text).strip()
        if _BEGIN.search(text):
            self._is_in_traceback = True
        elif self._is_in_traceback and (found := _ERROR.match(text)):
            kind = found["kind"].rpartition(".")[2]
            what = found["what"]
            self.error = clean(f"{kind}: {what}" if what else kind, _ERROR_CHARS)
            self._is_in_traceback = False
        elif _PLAIN_ERRORS.search(text):
            self.error = clean(text, _ERROR_CHARS)
