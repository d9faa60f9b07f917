"""Takes off a line what loggers, launchers and container runtimes put before the words of the program."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import NamedTuple

from tui.decode.text import strip_sequences

STAMPS = 3
"""How many stamps a line may open with: the program's, the launcher's, the runtime's."""

STAMP_REACH = 200
"""How far from the start a stamp may be, in characters."""

_STAMP = re.compile(
    r"(?P<year>\d{4})[-/](?P<month>\d\d)[-/](?P<day>\d\d)[T ](?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)"
    r"(?P<fraction>[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"
)
_OTHER_STAMPS = re.compile(
    r"\b\d\d[/.]\d\d(?:[/.]\d\d(?:\d\d)?)? \d\d:\d\d:\d\d(?:[.,]\d+)?"  # 11/27 01:10:47 and 09/04/20 11:44:20
    r"|^[IWEF]\d{4}(?:\d{4})? \d\d:\d\d:\d\d(?:\.\d+)?\s+\d+ "  # glog: I20241125 23:40:57 2556141
    r"|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\d+ \d\d:\d\d:\d\d(?:\.\d+)?(?: \d{4})?"
    r"|^\[\d\d:\d\d:\d\d(?:\.\d+)?\]"
)
_PLACES = re.compile(
    r"\b[\w./<>-]+\.(?:py|cpp|cc|cu|c|h|rs|go):\d+(?::\w+)?\]?"  # the line of source that spoke
    r"|\b[A-Za-z_][\w.]*:[a-z_<>]\w*:\d+(?= - )"  # loguru: module:function:line
    r"|\b(?:[a-z_]\w*\.)+[a-z_]\w*:\d+(?=\s+(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)\b)|\bhost:\d+(?=\s)"
    r"|\bsite-packages/\S+"
)
_RANKS = re.compile(
    r"^(?:\s*\[?(?:rank|Rank|RANK|GPU|gpu|Worker|worker)[ _]?\d+\]?\s*[:|]?)+|\[(?:Rank|rank) \d+\]"
    r"|^\((?:\w+ )?pid=\d+(?:, ip=[\d.]+)?\)|^\s*\d+: (?=\S)"
)
_CONTAINER = re.compile(
    r"^[\w.-]+-\d+ +\| "  # docker compose: trainer-1  |
    r"|^\[pod/\S+\] "  # kubectl logs --prefix
    r"|(?<=\d) std(?:out|err) [FP] |(?<=Z) std(?:out|err) [FP] "  # CRI: 2024-01-01T00:00:00Z stdout F
)
_MAY_BE_PLACE = re.compile(r"\.(?:cpp|cc|cu|c|h|rs|go):\d|:\d+ - |host:\d|\w:\d+\s+[A-Z]")
_LEVELS = ("INFO:", "WARNING:", "ERROR:", "DEBUG:", "CRITICAL:")
_LOGGER = re.compile(r"^[A-Z]+:(?:[\w.]+:)?(?=\s?\S)")
_HAS_CLOCK = re.compile(r"\d\d:\d\d:\d\d")


class Bare(NamedTuple):
    """A line without its prefixes, and its time in UTC epoch seconds where one was there."""

    text: str
    stamp_s: float | None


def strip_prefixes(text: str) -> Bare:
    """The line without escape sequences, stamps, ranks, source places and the marks of container runtimes."""
    if "\x1b" in text:
        text = strip_sequences(text)
    if "| " in text or " std" in text or text.startswith("[pod/"):
        text = _CONTAINER.sub(" ", text)
    stamp = None
    if ":" in text:
        text, stamp = _strip_stamps(text)
        if ".py:" in text or "site-packages" in text or _MAY_BE_PLACE.search(text):
            text = _PLACES.sub(" ", text)
    if text.startswith(_LEVELS):
        text = _LOGGER.sub(" ", text)
    if "ank" in text or "pid=" in text or _RANKS.match(text):
        text = _RANKS.sub(" ", text.lstrip())
    return Bare(text, stamp)


def _strip_stamps(text: str) -> tuple[str, float | None]:
    """The line without its stamps, and the time of the last of them: outer ones are a launcher's."""
    stamp = None
    for _ in range(STAMPS):
        found = _STAMP.search(text, 0, STAMP_REACH)
        if found is None:
            break
        stamp = _epoch_seconds(found)
        text = f"{text[: found.start()]} {text[found.end() :]}"
    if text.count(":") > 1 and _HAS_CLOCK.search(text):
        text = _OTHER_STAMPS.sub(" ", text)
    return text, stamp


def _epoch_seconds(found: re.Match[str]) -> float | None:
    """The time of a matched stamp, taken as UTC: a log seldom says its zone, and only differences matter."""
    parts = [int(found[name]) for name in ("year", "month", "day", "hour", "minute", "second")]
    try:
        whole = datetime(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], tzinfo=UTC).timestamp()
    except ValueError:
        return None
    return whole + float("0." + found["fraction"][1:]) if found["fraction"] else whole
