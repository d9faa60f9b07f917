"""Many runs at a glance, one row each: the worst on top, grouped by where they are, the chosen one told below."""

from __future__ import annotations

from widgets import levels
from widgets.cells import Line, Span, clean, fill, fit, fit_middle, left, line_width, panel, right, wrap
from widgets.drawing.fleetlayout import HostLine, Layout, lay_out
from widgets.drawing.fleetrows import COLUMNS, NUMBERS, Fleet, FleetRow, text_of
from widgets.drawing.metrics import draw_sparkline

__all__ = [
    "COLUMNS",
    "Fleet",
    "FleetRow",
    "draw_fleet",
    "draw_rows",
    "keys_in_sight",
    "list_rows",
    "row_at",
    "scroll_to_chosen",
]

STATES = {
    "live": ("●", "good"),
    "silent": ("◌", "warning"),
    "no answer": ("◐", "warning"),
    "retrying": ("↻", "warning"),
    "refused": ("✖", "critical"),
    "not found": ("✖", "critical"),
    "connecting": ("◌", "dim"),
    "looking": ("◌", "dim"),
    "reading": ("…", "dim"),
    "finished": ("■", "dim"),
    "ended": ("■", "dim"),
}
"""A sign and a style for each word that tells what is known of a run now."""

_CALM = ("live", "finished", "ended", "reading")
_DETAIL_FROM_ROWS = ((20, 4), (14, 3), (9, 2))
"""From how many rows of the panel on how many are for the chosen run, its rule among them."""


def draw_fleet(fleet: Fleet, cells: int, rows: int, top: int = 0) -> list[Line]:
    """The rows from line `top` on, under a rule that counts the runs by their health; below, more of the chosen one."""
    layout = lay_out(fleet, cells)
    room = list_rows(rows)
    shown = layout.lines[top : top + room]
    head = [_header(layout, cells)][: _head_rows(rows) - 1]
    body = [*head, *(_draw_line(line, fleet, layout, cells) for line in shown)]
    if not fleet.rows:
        body[len(head) :] = [[("  " + (fleet.note or "no run yet"), "dim")]]
    body += [[] for _ in range(room + len(head) - len(body))]
    body += _detail(fleet, cells, rows)
    return panel(body, _title(fleet, layout, top, room), _note(fleet), (cells, rows))


def draw_rows(fleet: Fleet, cells: int) -> list[Line]:
    """The header and every row, for paper."""
    layout = lay_out(fleet, cells)
    return [_header(layout, cells), *(_draw_line(line, fleet, layout, cells) for line in layout.lines)]


def list_rows(rows: int) -> int:
    """How many lines of a panel of so many rows are for runs."""
    return max(rows - _head_rows(rows) - _detail_rows(rows), 0)


def row_at(fleet: Fleet, cells: int, rows: int, y: int, top: int = 0) -> int | None:
    """The key of the run that is drawn in this row; None where none is."""
    at = y - _head_rows(rows)
    if not 0 <= at < list_rows(rows):
        return None
    line = dict(enumerate(lay_out(fleet, cells).lines)).get(top + at)
    return line.key if isinstance(line, FleetRow) else None


def scroll_to_chosen(fleet: Fleet, cells: int, rows: int, top: int) -> int:
    """The first line to show, moved no more than is needed for the chosen run to be in sight, its host's line too."""
    lines, room = lay_out(fleet, cells).lines, list_rows(rows)
    at = next(
        (n for n, line in enumerate(lines) if isinstance(line, FleetRow) and line.key == fleet.chosen), 0
    )
    first = at - 1 if at and room > 2 and isinstance(lines[at - 1], HostLine) else at
    top = min(max(top, at - room + 1), first)
    return max(min(top, len(lines) - room), 0)


def keys_in_sight(fleet: Fleet, cells: int, rows: int, top: int) -> frozenset[int]:
    """The runs that are drawn."""
    shown = lay_out(fleet, cells).lines[top : top + list_rows(rows)]
    return frozenset(line.key for line in shown if isinstance(line, FleetRow))


def _title(fleet: Fleet, layout: Layout, top: int, room: int) -> Line:
    count = len(fleet.rows)
    marked = sum(row.is_marked for row in fleet.rows)
    line: Line = [(f"{count} run{'s' * (count != 1)}", "title")]
    if len(layout.lines) > room > 0:
        above = sum(isinstance(each, FleetRow) for each in layout.lines[:top])
        seen = sum(isinstance(each, FleetRow) for each in layout.lines[top : top + room])
        line.append((f"  {above + 1}–{above + seen}", "dim"))
    if marked:
        line.append((f"  {marked} marked", "accent"))
    return line


def _note(fleet: Fleet) -> Line:
    """How many are how healthy, the worst first."""
    line: Line = [(fleet.note + "  ", "accent")] if fleet.note and fleet.rows else []
    for level in ("critical", "warning", "unknown", "healthy"):
        count = sum(row.level == level for row in fleet.rows)
        if count:
            line.append((f"{levels.glyph(level)} {count} ", levels.style(level)))
    if line:
        line[-1] = (line[-1][0].rstrip(), line[-1][1])
    return line


# The rows


def _draw_line(line: FleetRow | HostLine, fleet: Fleet, layout: Layout, cells: int) -> Line:
    if isinstance(line, HostLine):
        return fill([(fit_middle(clean(line.host), cells), "dim")], cells)
    return fill(_draw_row(line, layout, is_chosen=line.key == fleet.chosen), cells)


def _draw_row(row: FleetRow, layout: Layout, *, is_chosen: bool) -> Line:
    name = left(fit_middle(clean(row.name), layout.name_cells), layout.name_cells)
    line: Line = [
        ("›" if is_chosen else " ", "focus"),
        (levels.glyph(row.level), levels.style(row.level)),
        ("*" if row.is_marked else " ", "accent"),
        (name, "focus" if is_chosen else "strong"),
    ]
    blanks = 0
    for column, size in layout.columns.items():
        cell = _write(column, row, size, layout)
        before, behind = layout.gap, max(size - line_width(cell), 0)
        if column in NUMBERS:
            before, behind = before + behind, 0
        line += [(" " * (blanks + before), "plain"), *cell]
        blanks = behind
    return line


def _header(layout: Layout, cells: int) -> Line:
    line: Line = [(left("   name", 3 + layout.name_cells), "dim")]
    for name, size in layout.columns.items():
        text = right(name, size) if name in NUMBERS else left(name, size)
        line.append((" " * layout.gap + text, "dim"))
    return fill(line, cells)


def _write(column: str, row: FleetRow, cells: int, layout: Layout) -> Line:
    if column == "curve":
        return draw_sparkline(row.course, cells)
    if column == "alert":
        return _write_alert(row, cells, has_state="state" in layout.columns)
    if column == "state":
        glyph, style = STATES.get(row.state, ("?", "dim"))
        word = "dim" if row.state in _CALM else style
        return [(glyph, style), (" " + fit(clean(row.state), cells - 2), word)]
    return [(fit(text_of(column, row), cells), _STYLES.get(column, "plain"))]


def _write_alert(row: FleetRow, cells: int, *, has_state: bool) -> Line:
    """What is wrong; what is barred says by which state, where there is no other column for it."""
    alert = clean(row.alert)
    glyph, style = STATES.get(row.state, ("?", "dim"))
    if has_state or row.state in _CALM:
        return [(fit(alert, cells), levels.style(row.level))]
    told: list[Span] = [(f"{glyph} {clean(row.state)}", style)]
    if alert and line_width(told) + 8 <= cells:
        told.append((f" {alert}", levels.style(row.level)))
    return fill(told, cells)


_STYLES = {"loss": "strong", "host": "dim"}

# The chosen run


def _head_rows(rows: int) -> int:
    """The rule, and the names of the columns where there are rows enough."""
    return 2 if rows >= 5 else 1


def _detail_rows(rows: int) -> int:
    return next((count for least, count in _DETAIL_FROM_ROWS if rows >= least), 0)


def _detail(fleet: Fleet, cells: int, rows: int) -> list[Line]:
    """A rule, where the chosen run is, and what is wrong with it; nothing where there is no room."""
    room = _detail_rows(rows)
    row = next((each for each in fleet.rows if each.key == fleet.chosen), None)
    if not room:
        return []
    lines: list[Line] = [[("─" * cells, "frame")]]
    if row is not None:
        style = "warning" if row.level == "unknown" else levels.style(row.level)
        told = clean(row.detail or f"{row.level}, {row.state}")
        where = room - 2 or (0 if row.detail else 1)
        if where:
            lines.append([(" " + fit_middle(clean(row.address) or clean(row.name), cells - 1), "dim")])
        lines += [
            [(" " + text, style if row.detail else "dim")]
            for text in wrap(told, cells - 1, room - len(lines))
        ]
    lines = lines[:room]
    return lines + [[] for _ in range(room - len(lines))]
