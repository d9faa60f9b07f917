"""The end of the log, as text and nothing but text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from widgets.cells import Line, clean, fit, panel


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log; a malformed one could not be read as an entry."""

    text: str
    is_malformed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Log:
    """The last lines, oldest first; `path` is where they are from, `malformed` counts over the whole log.

    `form` is the name of the format that they are read in.
    """

    lines: Sequence[LogLine] = ()
    path: str = ""
    malformed: int = 0
    form: str = ""


def draw_log(log: Log, width: int, height: int, *, back: int = 0, is_focused: bool = False) -> list[Line]:
    """As many of the last lines as fit under a rule; `back` lines up from the end."""
    rows = height - 1
    back = min(back, max(len(log.lines) - rows, 0))
    stop = len(log.lines) - back
    shown = log.lines[max(stop - rows, 0) : stop]
    body = [_draw_line(line, width) for line in shown] or [[("no line yet", "dim")]]
    title: Line = [("log", "title")]
    if log.path:
        title.append((f"  {fit(clean(log.path), max(width // 2, 8))}", "faint"))
    if log.form:
        title.append((f"  {log.form}", "dim"))
    return panel(body, title, _note(log, back), (width, height), is_focused=is_focused)


def _draw_line(line: LogLine, width: int) -> Line:
    if line.is_malformed:
        return [("✖ ", "warning"), (fit(_short(line.text, width), width - 2), "warning")]
    return [(fit(_short(line.text, width), width), "dim")]


def _note(log: Log, back: int) -> Line:
    if back:
        return [(f"{back:,} newer below", "accent")]
    return [(f"{log.malformed:,} malformed", "warning")] if log.malformed else []


def _short(text: str, width: int) -> str:
    """The beginning that can show at all; a line may be a megabyte long."""
    return clean(text[: 4 * width])
