"""The end of the log, as text and nothing but text: followed, scrolled, filtered, searched, folded."""

from __future__ import annotations

from collections.abc import Sequence

from widgets.cells import Line, Span, clean, fit, fit_middle, line_width, panel, wrap
from widgets.drawing.logview import (
    Log,
    LogLine,
    LogView,
    ReadLine,
    choose_lines,
    find_hits,
    fold,
    index_of,
)
from widgets.drawing.patterns import compile_pattern, find_spans

__all__ = ["Log", "LogLine", "LogView", "draw_log"]

BAR = "▼"
"""Stands before the number of lines that have come since the log was scrolled up."""

_BROKEN: Span = ("✖ ", "warning")
_FOLLOWING = LogView()


def draw_log(
    log: Log, width: int, height: int, view: LogView = _FOLLOWING, *, is_focused: bool = False
) -> list[Line]:
    """As many lines as fit under a rule, up to the one that the view is anchored at."""
    lines = choose_lines(log, view)
    trouble = _draw_trouble(view, width) if view.is_typing else []
    room = max(height - 1 - view.is_typing - len(trouble), 0)
    body = _draw_body(lines, view, width, room) if lines else [[(_nothing(log, view), "dim")]][:room]
    if view.is_typing:
        body += [[]] * (room - len(body)) + trouble
    note = _note(log, lines, view)
    title = _title(log, lines, view, width - line_width(note) - 5)
    return panel(body, title, note, (width, height), is_focused=is_focused)


def _draw_body(lines: Sequence[ReadLine], view: LogView, cells: int, room: int) -> list[Line]:
    """The rows that end at the anchor, from the last upwards; where that is too few, those from the first line."""
    last = len(lines) - 1 if view.anchor is None else index_of(lines, view.anchor)
    body: list[Line] = []
    skipped = view.rest if view.anchor is not None else 0
    for index in range(last, -1, -1):
        rows = _draw_line(lines[index], view, cells)
        body = [*(rows[: len(rows) - skipped] if skipped else rows), *body]
        skipped = 0
        if len(body) >= room:
            return body[len(body) - room :]
    for index in range(last + 1, len(lines)):
        if len(body) >= room:
            break
        body += _draw_line(lines[index], view, cells)
    return body[:room]


def _draw_line(line: ReadLine, view: LogView, cells: int) -> list[Line]:
    style = "warning" if line.is_malformed else "plain" if line.number == view.hit else "dim"
    mark: Line = [_BROKEN] if line.is_malformed else []
    room = max(cells - line_width(mark), 0)
    if view.folds and room:
        return [
            [*(mark if row == 0 or not mark else [("  ", "plain")]), *_marked(text, view.search, style)]
            for row, text in enumerate(fold(line.text, room))
        ]
    return [[*mark, *_marked(_cut(line.text, room, view.search), view.search, style)]]


def _cut(text: str, cells: int, search: str) -> str:
    """The part of a line that can show; where the search finds something only further on, the part with that."""
    first, end = next(iter(find_spans(search, text)), (0, 0))
    if end <= cells - 1:
        return fit(clean(text[: 4 * cells]), cells)
    start = min(max(first - cells // 3, 0), max(len(text) - cells + 1, 0))
    return fit("…" + clean(text[start : start + 4 * cells]), cells)


def _marked(text: str, search: str, style: str) -> Line:
    """The text with what the search finds in it set off."""
    line: Line = []
    at = 0
    for first, end in find_spans(search, text):
        line += [(text[at:first], style), (text[first:end], "focus")]
        at = end
    return [span for span in (*line, (text[at:], style)) if span[0]]


def _nothing(log: Log, view: LogView) -> str:
    return f"no line of the last {len(log.lines):,} matches" if log.lines and view.pattern else "no line yet"


def _draw_trouble(view: LogView, cells: int) -> list[Line]:
    """That what is being typed is no regular expression yet."""
    reasons = (compile_pattern(text)[1] for text in (view.pattern, view.search))
    why = next((reason for reason in reasons if reason), "")
    told = f"taken as it is, not as a regular expression: {why}"
    return [[(text, "warning")] for text in wrap(told, cells, 2)] if why else []


def _title(log: Log, lines: Sequence[ReadLine], view: LogView, cells: int) -> Line:
    """What is shown, in so many cells: the filter, or the file and its format."""
    title: Line = [("log", "title")]
    if view.pattern:
        told = f": {len(lines):,} of {len(log.lines):,}"
        return [*title, (f"  {fit(clean(view.pattern), max(cells - len(told) - 5, 4))}{told}", "accent")]
    form = f"  {log.form}" if log.form else ""
    if log.path and cells - len(form) >= 16:
        title.append((f"  {fit_middle(clean(log.path), cells - len(form) - 6)}", "faint"))
    return [*title, (form, "dim")] if form else title


def _note(log: Log, lines: Sequence[ReadLine], view: LogView) -> Line:
    """Where the search is, what has come below, or how many lines could not be read."""
    parts: list[str] = []
    if view.search:
        hits = find_hits(lines, view)
        place = f"{hits.index(view.hit) + 1} of " if view.hit in hits else ""
        parts.append(
            f"{clean(view.search)[:20]}: {place}{len(hits):,}" if hits else f"{clean(view.search)[:20]}: none"
        )
    if view.anchor is not None:
        new = sum(line.number > view.since for line in lines) if view.since < log.newest else 0
        parts.append(f"{BAR} {new:,} new" if new else "paused")
    if parts:
        return [("  ".join(parts), "accent")]
    return [(f"{log.malformed:,} malformed", "warning")] if log.malformed else []
