"""A sentence about the way to the log, or about what is awaited."""

from __future__ import annotations

from msgspec import Struct

from widgets.cells import Line, clean, left, line_width, wrap


class Notice(Struct, frozen=True):
    """What to tell: a short headline, and a sentence of what, where, and what to do next."""

    headline: str
    text: str = ""
    level: str = "info"


class Remark(Struct, frozen=True):
    """A sentence about what is being typed; `level` is `good`, `warning`, `critical` or `dim`."""

    text: str
    level: str = "dim"


_MARKS = {"good": "✓ ", "warning": "▲ ", "critical": "✖ "}


def draw_remark(remark: Remark, width: int, rows: int) -> list[Line]:
    """The sentence after the mark of its level, over at most `rows` rows."""
    mark = _MARKS.get(remark.level, "")
    style = "dim" if remark.level == "good" else remark.level
    texts = wrap(clean(remark.text), width - len(mark), rows)
    heads = [(mark, remark.level), *[(" " * len(mark), "plain")] * (len(texts) - 1)]
    return [[head, (text, style)] for head, text in zip(heads, texts, strict=True)]


def draw_notice(notice: Notice, width: int, rows: int) -> list[Line]:
    """The headline and the sentence, over at most `rows` rows."""
    style = {"critical": "critical", "warning": "warning"}.get(notice.level, "dim")
    head, text = clean(notice.headline), clean(notice.text)
    whole = f"{head}: {text}" if text else head
    return [[(left(" " + line, width), style)] for line in wrap(whole, width - 2, rows)]


def draw_empty(notice: Notice, width: int, height: int) -> list[Line]:
    """The same in the middle of an empty room, headline over sentence."""
    style = {"critical": "critical", "warning": "warning"}.get(notice.level, "strong")
    cells = min(max(width - 4, 8), 72)
    lines: list[Line] = [[(text, style)] for text in wrap(clean(notice.headline), cells, 3)]
    lines += [[(text, "dim")] for text in wrap(clean(notice.text), cells, 8)] if notice.text else []
    above: list[Line] = [[]] * max((height - len(lines)) // 2, 0)
    return [*above, *(_centred(line, width) for line in lines)][:height]


def _centred(line: Line, width: int) -> Line:
    return [(" " * max((width - line_width(line)) // 2, 0), "plain"), *line]
