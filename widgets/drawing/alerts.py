"""Alerts: the banner of those that hold now, and the list of all that were."""

from __future__ import annotations

from dataclasses import dataclass

from widgets import levels
from widgets.cells import Line, clean, fill, left, line_width, spread, wrap
from widgets.numbers import format_step

Fact = tuple[str, str]
"""The name of a number behind an alert, and the number as text."""


@dataclass(frozen=True, slots=True)
class Alert:
    """One incident; the same `number` is the same incident. `level` is info, warning or critical.

    `is_about_now` marks one that has no place in the log's own count of incidents.
    """

    number: int
    level: str
    kind: str
    metric: str
    message: str
    onset_step: float
    raised_step: float
    cleared_step: float | None = None
    is_firing: bool = True
    evidence: tuple[Fact, ...] = ()
    cause: int | None = None
    is_about_now: bool = False


@dataclass(frozen=True, slots=True)
class Banner:
    """The alerts that hold now, the worst and newest first; `earlier` counts those that have cleared."""

    firing: tuple[Alert, ...] = ()
    earlier: int = 0


def banner_rows(banner: Banner, width: int, most: int) -> int:
    """How many rows the banner takes, at most `most`; none without an alert."""
    return len(draw_banner(banner, width, most)) if banner.firing else 0


def draw_banner(banner: Banner, width: int, rows: int, *, is_flashing: bool = False) -> list[Line]:
    """The first alert over at most `rows` rows of the alert's own ground, and how many there are."""
    if not banner.firing or width < 4:
        return []
    alert = banner.firing[0]
    style = f"{'critical' if alert.level == 'critical' else 'warning'}-{'flash' if is_flashing else 'bar'}"
    head = f" {levels.glyph(alert.level)} {alert.level.upper()}  {clean(alert.kind).replace('_', ' ')}  "
    count = len(banner.firing)
    tail = f"  1 of {count} · a lists them " if count > 1 else "  a tells why "
    message = clean(alert.message)
    if len(head) + len(message) + len(tail) <= width:
        return [spread([(head + message, style)], [(tail, style)], width, (" ", style))]
    short = f"  1 of {count} " if count > 1 else " "
    first = width - len(head) - len(short)
    if first >= 24:
        return _beside(head, message, short, width, rows, style)
    top = _padded(spread([(head.rstrip(), style)], [(short, style)], width, (" ", style)), width, style)
    return [top, *(_bar(f" {text}", width, style) for text in wrap(message, width - 2, rows - 1))][:rows]


def _beside(head: str, message: str, tail: str, width: int, rows: int, style: str) -> list[Line]:
    """The message to the right of the head, its later lines under its first."""
    texts = wrap(message, width - len(head) - len(tail), rows)
    lines = [spread([(head + texts[0], style)], [(tail, style)], width, (" ", style))]
    return [*lines, *(_bar(" " * len(head) + text, width, style) for text in texts[1:])]


def _bar(text: str, width: int, style: str) -> Line:
    return [(left(text, width), style)]


def _padded(line: Line, width: int, style: str) -> Line:
    return [*line, (" " * (width - line_width(line)), style)]


def draw_alerts(alerts: tuple[Alert, ...], width: int) -> list[Line]:
    """Every alert with its message, its steps and its evidence, as many rows as that takes."""
    if not alerts:
        return [fill([("no alert so far", "dim")], width)]
    firing = sum(alert.is_firing for alert in alerts)
    lines: list[Line] = [[("alerts", "title"), (f"  {firing} firing, {len(alerts) - firing} cleared", "dim")]]
    for alert in alerts:
        lines += [[], *_draw_alert(alert, width)]
    return [fill(line, width) for line in lines]


def _draw_alert(alert: Alert, width: int) -> list[Line]:
    style = levels.style(alert.level) if alert.is_firing else "dim"
    kind = clean(alert.kind).replace("_", " ")
    head: Line = [
        (f"{levels.glyph(alert.level)} {alert.level}  ", style),
        (f"{kind} of {clean(alert.metric)}", "strong"),
    ]
    state: Line = (
        [("firing", style)] if alert.is_firing else [(f"cleared at {format_step(alert.cleared_step)}", "dim")]
    )
    body = "plain" if alert.is_firing else "dim"
    name = "now" if alert.is_about_now else f"#{alert.number}"
    lines = [spread(head, [(f"{name}  ", "faint"), *state], width)]
    lines += [[("  " + text, body)] for text in wrap(clean(alert.message), width - 2, 6)]
    steps = f"  began about step {format_step(alert.onset_step)}, raised at {format_step(alert.raised_step)}"
    steps += f", follows from #{alert.cause}" if alert.cause is not None else ""
    lines += [[("  " + text, "dim")] for text in wrap(steps, width - 2, 3)]
    return lines + _draw_evidence(alert.evidence, width)


def _draw_evidence(evidence: tuple[Fact, ...], width: int) -> list[Line]:
    """The numbers in as many columns as fit, each name beside its number."""
    if not evidence:
        return []
    facts = [(clean(name).replace("_", " "), clean(text)) for name, text in evidence]
    name_cells = min(max(len(name) for name, _ in facts), max(width - 16, 8))
    text_cells = min(max(len(text) for _, text in facts), 40)
    columns = max((width - 2) // (name_cells + text_cells + 4), 1)
    rows = -(-len(facts) // columns)
    lines: list[Line] = []
    for row in range(rows):
        line: Line = [("  ", "plain")]
        for name, text in facts[row::rows]:
            line += [(left(name, name_cells) + "  ", "dim"), (left(text, text_cells) + "  ", "plain")]
        lines.append(line)
    return lines
