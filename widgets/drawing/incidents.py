"""The list of all alerts of a run: one of them unfolded, with the numbers behind it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from widgets import levels
from widgets.cells import Line, clean, fill, left, line_width, spread, wrap
from widgets.drawing.alerts import Alert, Fact
from widgets.numbers import format_step

AIRY_FROM = 16
"""Rows from which an empty one stands between two alerts."""

ANY = ""
"""Stands for every severity, and for every kind."""


class ListView(Struct, frozen=True):
    """How the list is looked at: which alert is unfolded, its first row in sight, and what is left out."""

    number: int | None = None
    top: int = 0
    level: str = ANY
    kind: str = ANY


class Block(Struct, frozen=True):
    """The rows of one alert in the list, `start` and `stop` counted from the list's first."""

    alert: Alert
    start: int
    stop: int


_ALL = ListView()


def choose_alerts(alerts: Sequence[Alert], view: ListView) -> tuple[Alert, ...]:
    """The alerts that are not left out, in their order."""
    return tuple(
        alert for alert in alerts if view.level in (ANY, alert.level) and view.kind in (ANY, alert.kind)
    )


def selected(alerts: Sequence[Alert], view: ListView) -> Alert | None:
    """The alert that is unfolded: the one that was chosen, else the first; None where there is none."""
    chosen = choose_alerts(alerts, view)
    return next((alert for alert in chosen if alert.number == view.number), chosen[0] if chosen else None)


def lay_out_alerts(
    alerts: Sequence[Alert], view: ListView, width: int, height: int
) -> tuple[list[Line], list[Block]]:
    """All rows under the heading, as many as that takes, and which of them are whose."""
    open_one = selected(alerts, view)
    lines: list[Line] = []
    blocks: list[Block] = []
    for alert in choose_alerts(alerts, view):
        if lines and height >= AIRY_FROM:
            lines.append([])
        start = len(lines)
        lines += _draw_alert(alert, width, is_open=alert is open_one)
        blocks.append(Block(alert, start, len(lines)))
    return lines, blocks


def draw_alerts(alerts: Sequence[Alert], width: int, height: int, view: ListView = _ALL) -> list[Line]:
    """The heading, and under it as many rows of the list as fit from where it is scrolled to."""
    if height < 1:
        return []
    lines, _ = lay_out_alerts(alerts, view, width, height)
    if not lines:
        lines = [[("no alert so far" if not alerts else "none of these", "dim")]]
    room = height - 1
    top = min(max(view.top, 0), max(len(lines) - room, 0))
    below = len(lines) - top - room
    shown = lines[top : top + room]
    heading = _heading(alerts, view, width, (top > 0, below > 0))
    return [fill(line, width) for line in (spread(*heading, width), *shown)]


def scrolled_to(alerts: Sequence[Alert], view: ListView, width: int, height: int, down: int) -> ListView:
    """The view after a move by one alert; one that is longer than the room is read to its end first."""
    _, blocks = lay_out_alerts(alerts, view, width, height)
    room = max(height - 1, 1)
    here = next((i for i, block in enumerate(blocks) if block.alert is selected(alerts, view)), None)
    if here is None:
        return view
    block = blocks[here]
    if down > 0 and block.stop > view.top + room:
        return _with(view, block.alert, min(view.top + room // 2, block.stop - room))
    if down < 0 and block.start < view.top:
        return _with(view, block.alert, max(view.top - room // 2, block.start))
    chosen = blocks[min(max(here + down, 0), len(blocks) - 1)].alert
    return in_sight(alerts, _with(view, chosen, view.top), width, height)


def in_sight(alerts: Sequence[Alert], view: ListView, width: int, height: int) -> ListView:
    """The view scrolled so far that the unfolded alert is seen, from its head."""
    lines, blocks = lay_out_alerts(alerts, view, width, height)
    room = max(height - 1, 1)
    top = min(max(view.top, 0), max(len(lines) - room, 0))
    for block in blocks:
        if block.alert is selected(alerts, view):
            top = min(max(top, block.stop - room), block.start)
    return ListView(view.number, top, view.level, view.kind)


def alert_at(alerts: Sequence[Alert], view: ListView, width: int, height: int, row: int) -> Alert | None:
    """The alert that is drawn in a row of the list's room, its heading being row 0."""
    lines, blocks = lay_out_alerts(alerts, view, width, height)
    top = min(max(view.top, 0), max(len(lines) - (height - 1), 0))
    place = row - 1 + top
    return next((block.alert for block in blocks if row > 0 and block.start <= place < block.stop), None)


def _with(view: ListView, alert: Alert, top: int) -> ListView:
    return ListView(alert.number, top, view.level, view.kind)


def _heading(
    alerts: Sequence[Alert], view: ListView, width: int, beyond: tuple[bool, bool]
) -> tuple[Line, Line]:
    """How many alerts there are, what is left out, and whether there are rows above and below."""
    arrows = " ".join(arrow for arrow, is_there in zip("↑↓", beyond, strict=True) if is_there)
    only = " ".join(part.replace("_", " ") for part in (view.level, view.kind) if part)
    firing = sum(alert.is_firing for alert in alerts)
    calm = sum(alert.is_acknowledged for alert in alerts)
    counts = [
        f"{firing} firing",
        f"{len(alerts) - firing} cleared",
        *([f"{calm} acknowledged"] if calm else []),
    ]
    head: Line = [("alerts", "title"), *([(f"  only {clean(only)}", "accent")] if only else [])]
    for index, count in enumerate(counts):
        part = ((", " if index else "  ") + count, "dim")
        if line_width([*head, part]) + len(arrows) < width:
            head.append(part)
    return head, [(arrows, "accent")]


def _draw_alert(alert: Alert, width: int, *, is_open: bool) -> list[Line]:
    is_loud = alert.is_firing and not alert.is_acknowledged
    style = levels.style(alert.level) if alert.is_firing else "dim"
    head: Line = [
        ("▸ " if is_open else "  ", "focus"),
        (f"{levels.glyph(alert.level)} {alert.level}  ", style),
        (alert.title, "strong" if is_loud or is_open else "plain"),
    ]
    name = "now" if alert.is_about_now else f"#{alert.number}"
    lines = [spread(head, [(f"  {name}  ", "faint"), (_state(alert), style if is_loud else "dim")], width)]
    body = "plain" if is_loud or is_open else "dim"
    lines += [[("    " + text, body)] for text in wrap(clean(alert.message), width - 4, 8 if is_open else 1)]
    return lines + _draw_details(alert, width) if is_open else lines


def _state(alert: Alert) -> str:
    if not alert.is_firing:
        return f"cleared at {format_step(alert.cleared_step)}"
    return "acknowledged" if alert.is_acknowledged else "firing"


def _draw_details(alert: Alert, width: int) -> list[Line]:
    """Since when, what else shows it, the numbers, and what the detector sees now."""
    steps = f"began about step {format_step(alert.onset_step)}, raised at {format_step(alert.raised_step)}"
    steps += f", follows from #{alert.cause}" if alert.cause is not None else ""
    others = [clean(name) for name in alert.metrics if name != alert.metric]
    told = [steps, *([f"also in {', '.join(others)}"] if others else [])]
    lines: list[Line] = [[("    " + text, "dim")] for each in told for text in wrap(each, width - 4, 3)]
    lines += _draw_facts(alert.evidence, width)
    if alert.now:
        lines += [[("    seen now", "dim")], *_draw_facts(alert.now, width)]
    if alert.unarmed:
        why = f"its detector is not armed now: {clean(alert.unarmed)}"
        lines += [[("    " + text, "dim")] for text in wrap(why, width - 4, 3)]
    return lines


def _draw_facts(facts: tuple[Fact, ...], width: int) -> list[Line]:
    """The numbers in as many columns as fit, each name beside its number; a long number gets rows of its own."""
    told = [(clean(name).replace("_", " "), clean(text)) for name, text in facts]
    room = max(width - 4, 1)
    name_cells = min(max((len(name) for name, _ in told), default=0), max(room - 12, 6))
    short = [each for each in told if len(each[1]) <= max(room - name_cells - 2, 4) and len(each[1]) <= 24]
    text_cells = max((len(text) for _, text in short), default=0)
    columns = max((room + 2) // (name_cells + text_cells + 4), 1)
    rows = -(-len(short) // columns)
    lines: list[Line] = []
    for row in range(rows):
        line: Line = []
        for name, text in short[row::rows]:
            gap = "  " if line else "    "
            line += [(gap + left(name, name_cells) + "  ", "dim"), (left(text, text_cells), "plain")]
        lines.append(line)
    for name, text in (each for each in told if each not in short):
        lines += [[("    ", "plain"), (name, "dim")]]
        lines += [[("      " + part, "plain")] for part in wrap(text, width - 6, 4)]
    return lines
