"""Alerts as data, and the banner of those that hold now."""

from __future__ import annotations

from msgspec import Struct

from widgets import levels
from widgets.cells import Line, clean, fit, left, line_width, spread, wrap

Fact = tuple[str, str]
"""The name of a number behind an alert, and the number as text."""


class Alert(Struct, frozen=True):
    """One incident; the same `number` is the same incident. `level` is info, warning or critical.

    `metrics` are the others that show it. `now` is what its detector sees at this moment, `unarmed` why that is
    nothing. `is_about_now` marks an alert that has no place in the log's own count of incidents.
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
    is_acknowledged: bool = False
    metrics: tuple[str, ...] = ()
    now: tuple[Fact, ...] = ()
    unarmed: str = ""

    @property
    def title(self) -> str:
        """What it is, and of what: `gradient collapse of grad_norm`."""
        kind = clean(self.kind).replace("_", " ")
        return f"{kind} of {clean(self.metric)}" if self.metric else kind


class Banner(Struct, frozen=True):
    """The alerts that hold now, the worst and newest first; those that a person has acknowledged stand apart.

    `earlier` counts those that have cleared. `keys` are those that list alerts, and that acknowledge one.
    """

    firing: tuple[Alert, ...] = ()
    earlier: int = 0
    acknowledged: tuple[Alert, ...] = ()
    keys: tuple[str, str] = ("a", "A")


def banner_rows(banner: Banner, width: int, most: int) -> int:
    """How many rows the banner takes, at most `most`; none without an alert."""
    return len(draw_banner(banner, width, most))


def draw_banner(banner: Banner, width: int, rows: int, *, is_flashing: bool = False) -> list[Line]:
    """The first alert over at most `rows` rows of the alert's own ground, and how many there are.

    Where all are acknowledged, they are named in one calm row.
    """
    if width < 4 or rows < 1:
        return []
    if not banner.firing:
        return [_draw_acknowledged(banner, width)] if banner.acknowledged else []
    alert = banner.firing[0]
    style = f"{'critical' if alert.level == 'critical' else 'warning'}-{'flash' if is_flashing else 'bar'}"
    head = f" {levels.glyph(alert.level)} {alert.level.upper()}  {clean(alert.kind).replace('_', ' ')}  "
    message, tails = clean(alert.message), _tails(banner)
    for tail in tails:
        if line_width([(head + message + tail, style)]) <= width:
            return [spread([(head + message, style)], [(tail, style)], width, (" ", style))]
    short = tails[-1]
    if width - len(head) - len(short) >= 24:
        return _beside(head, message, short, width, rows, style)
    top = _padded(spread([(head.rstrip(), style)], [(short, style)], width, (" ", style)), width, style)
    return [top, *(_bar(f" {text}", width, style) for text in wrap(message, width - 2, rows - 1))][:rows]


def _tails(banner: Banner) -> tuple[str, str, str]:
    """How many alerts there are and what can be done about them, from long to short."""
    count, calm = len(banner.firing), len(banner.acknowledged)
    counts = [f"1 of {count}"] if count > 1 else []
    counts += [f"{calm} acknowledged"] if calm else []
    why, calms = (clean(key) for key in banner.keys)
    told = " · ".join([*counts, f"{why} lists them" if count > 1 else f"{why} tells why"])
    return f"  {told} · {calms} calms it ", f"  {told} ", f"  1 of {count} " if count > 1 else " "


def _draw_acknowledged(banner: Banner, width: int) -> Line:
    """The alerts that still hold but need no shouting, the worst level's mark before them."""
    alerts = banner.acknowledged
    worst = levels.worst([alert.level for alert in alerts]) or "info"
    mark = (f" {levels.glyph(worst)} ", levels.style(worst))
    names = ", ".join(alert.title for alert in alerts)
    text, again = f"{len(alerts)} acknowledged: {names}", f"{clean(banner.keys[1])} shows them again "
    return spread([mark, (fit(text, max(width - 4, 0)), "dim")], [(again, "faint")], width)


def _beside(head: str, message: str, tail: str, width: int, rows: int, style: str) -> list[Line]:
    """The message to the right of the head, its later lines under its first."""
    texts = wrap(message, width - len(head) - len(tail), rows)
    lines = [spread([(head + texts[0], style)], [(tail, style)], width, (" ", style))]
    return [*lines, *(_bar(" " * len(head) + text, width, style) for text in texts[1:])]


def _bar(text: str, width: int, style: str) -> Line:
    return [(left(text, width), style)]


def _padded(line: Line, width: int, style: str) -> Line:
    return [*line, (" " * (width - line_width(line)), style)]
