"""Where each panel stands, as a pure function of the screen's size and of what there is to show."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from tui.screens.splits import Border, Splits
from widgets.drawing.metrics import metric_rows

WIDE_FROM = 110
"""Columns from which curves and table stand side by side."""

MEDIUM_FROM = 60
"""Columns below which one line a metric stands in for the curves."""

GAP = 2
"""Columns between two panels side by side."""

_ROOMY = 180
"""Columns from which the table may take more than half of the screen."""

_RIGHT_CELLS = 44
"""Columns of the right side of a wide screen, however narrow the table: the log stands there too."""

_CURVE_CELLS = 28
"""Columns that a curve needs."""

_SMALL_CELLS = 24
"""Columns of the smallest curves, under the main ones."""

_TIERS = (1, 2, 3, 3)
"""Curves side by side, from the top of a wide screen down, where there is room for as many."""

_TIER_ROWS = 9
"""Rows of one of the lower tiers; the first gets what is left."""

_FIRST_ROWS = 12
"""Rows of the first curve that a third tier leaves to it."""

_GRID_CELLS = 34
"""Columns of a curve on a page of many equal ones."""

MOST_CURVES = 12
"""Curves that are drawn at once, on a screen of any size."""

_CURVE_ROWS = 7
"""Rows that a curve needs to be worth more than a sparkline."""

_LOG_ROWS = 6
"""Rows of a log that is always shown: its rule, and five lines."""

_GOOD_TABLE_ROWS = 9
"""Rows of a table that takes no more from the metrics of a narrow screen."""

_TABLE_ROWS = 5
"""Rows below which a table says nothing: its rule, its header, two milestones and the recent mean."""


class Box(Struct, frozen=True):
    """A rectangle of cells, from the upper left corner of the screen."""

    x: int
    y: int
    width: int
    height: int

    @property
    def cells(self) -> tuple[int, int, int, int]:
        """The same as plain numbers."""
        return self.x, self.y, self.width, self.height


class Content(Struct, frozen=True):
    """What there is to show.

    `metrics` counts the metrics that have not been shown on an earlier `page`. `stats_rows` are those under a
    metric that has the screen to itself; 0 where none has. `table_cells` is the table's whole width. `shows_log`
    is the user's wish, None for the usual. `is_asking` says that a line is being typed in. `splits` are the shares
    of what borders divide, by their names, where they have been moved.
    """

    metrics: int = 0
    page: int = 0
    stats_rows: int = 0
    table_cells: int = 0
    table_rows: int = 0
    status_rows: int = 1
    banner_rows: int = 0
    notice_rows: int = 0
    shows_log: bool | None = None
    is_empty: bool = False
    is_asking: bool = False
    splits: Mapping[str, float] = field(default_factory=dict)


class Arrangement(Struct, frozen=True):
    """The boxes by panel: status, banner, notice, curve0 to curve11, metrics, stats, table, log, keys, ask, empty.

    What is not in there is not shown. The metrics panel holds those that have no curve. `borders` can be moved.
    """

    kind: str
    boxes: dict[str, Box] = field(default_factory=dict)
    borders: tuple[Border, ...] = ()

    @property
    def curves(self) -> int:
        """How many metrics are drawn as curves."""
        return sum(name.startswith("curve") for name in self.boxes)


def kind_of(width: int) -> str:
    """`wide`, `medium` or `narrow`."""
    if width >= WIDE_FROM:
        return "wide"
    return "medium" if width >= MEDIUM_FROM else "narrow"


def arrange(width: int, height: int, content: Content) -> Arrangement:
    """Give every panel its box; they never overlap and never leave the screen."""
    kind = kind_of(width)
    boxes: dict[str, Box] = {}
    top = 0
    for name, rows in (
        ("status", content.status_rows),
        ("banner", content.banner_rows),
        ("notice", content.notice_rows),
    ):
        rows = min(rows, height - top)
        if rows > 0:
            boxes[name] = Box(0, top, width, rows)
            top += rows
    bottom = height
    if bottom > top and (content.is_asking or (height >= 16 and width >= 40)):
        bottom -= 1
        boxes["ask" if content.is_asking else "keys"] = Box(0, bottom, width, 1)
    body = Box(0, top, width, max(bottom - top, 0))
    splits = Splits(content.splits)
    if body.height > 0:
        boxes |= _fill(kind, body, content, splits)
    shown = {name: box for name, box in boxes.items() if box.width > 0 and box.height > 0}
    return Arrangement(kind, shown, tuple(splits.borders))


def _fill(kind: str, body: Box, content: Content, splits: Splits) -> dict[str, Box]:
    if content.is_empty:
        return {"empty": body}
    if content.stats_rows:
        curve, stats = _cut(body, body.height - content.stats_rows)
        return {"curve0": curve, "stats": stats}
    return _LAYOUTS[kind](body, content, splits)


def _wide(body: Box, content: Content, splits: Splits) -> dict[str, Box]:
    """Curves at the left, the table at the right; the log under the table if there is room, else under all."""
    most = body.width * 3 // 5 if body.width >= _ROOMY else body.width // 2
    usual = body.width - min(max(content.table_cells, _RIGHT_CELLS), most - GAP) - GAP
    spare = body.height - content.table_rows
    is_wanted = content.shows_log is not False
    is_beside = is_wanted and spare >= _LOG_ROWS
    log_rows = _LOG_ROWS if is_wanted and (content.shows_log or body.height >= 22) else 0
    upper, log = body, Box(0, 0, 0, 0)
    if log_rows and not is_beside:
        upper, log = _cut(body, splits.down("log", body.cells, body.height - log_rows, (_CURVE_ROWS, 3)))
    width = splits.across("side", upper.cells, usual, (_CURVE_CELLS, _CURVE_CELLS + GAP))
    left = Box(upper.x, upper.y, width, upper.height)
    right = Box(upper.x + width + GAP, upper.y, upper.width - width - GAP, upper.height)
    if is_beside:
        right, log = _cut(right, splits.down("table", right.cells, content.table_rows, (_TABLE_ROWS, 3)))
    return _stacked_curves(left, content) | {"table": right, "log": log}


def _cut(box: Box, rows: int) -> tuple[Box, Box]:
    """The box's first rows, and the rest."""
    rows = max(min(rows, box.height), 0)
    return (
        Box(box.x, box.y, box.width, rows),
        Box(box.x, box.y + rows, box.width, box.height - rows),
    )


def _stacked_curves(room: Box, content: Content) -> dict[str, Box]:
    """The main page: a large curve, smaller ones under it, the rest of the metrics last; else a page of equal ones."""
    if content.page:
        return _grid(room, content.metrics)
    tiers = _tiers(room, content.metrics)
    below = _metric_rows(content.metrics - sum(tiers), room.width, room.height // (3 if tiers else 1))
    left = room.height - below
    boxes = {"metrics": Box(room.x, room.y + left, room.width, below)}
    each = 2 * left // (3 + 2 * (len(tiers) - 1))  # the first is half as high again as the others
    top, first = room.y, 0
    for number, curves in enumerate(tiers):
        rows = each if number else left - each * (len(tiers) - 1)
        boxes |= _side_by_side(Box(room.x, top, room.width, rows), range(first, first + curves))
        top, first = top + rows, first + curves
    return boxes


def _tiers(room: Box, metrics: int) -> list[int]:
    """How many curves stand side by side, from the top down."""
    found: list[int] = []
    for most in _TIERS:
        curves = min(most, metrics - sum(found), max((room.width + GAP) // (_SMALL_CELLS + GAP), 1))
        if curves <= 0 or (len(found) == 1 and curves < 2 and metrics > 2):
            break
        tiers = [*found, curves]
        rest = _metric_rows(metrics - sum(tiers), room.width, room.height // 3)
        needed = 2 * _CURVE_ROWS + 2 if len(tiers) == 2 else _FIRST_ROWS + _TIER_ROWS * len(found)
        if found and room.height - (rest if len(tiers) > 2 else 0) < needed:
            break
        found = tiers
    return found


def _grid(room: Box, metrics: int) -> dict[str, Box]:
    """Curves of equal size, as many as fit."""
    across = max((room.width + GAP) // (_GRID_CELLS + GAP), 1)
    down = min(max(room.height // _TIER_ROWS, 1), max(MOST_CURVES // across, 1), -(-metrics // across))
    boxes: dict[str, Box] = {}
    for row in range(down):
        top, bottom = (room.y + room.height * edge // down for edge in (row, row + 1))
        line = Box(room.x, top, room.width, bottom - top)
        cells = _side_by_side(line, range(row * across, (row + 1) * across))
        boxes |= dict(list(cells.items())[: metrics - row * across])
    return boxes


def _side_by_side(room: Box, indices: range) -> dict[str, Box]:
    """Curves of equal width in one row."""
    boxes: dict[str, Box] = {}
    count = len(indices)
    for place, index in enumerate(indices):
        start = place * (room.width + GAP) // count
        stop = (place + 1) * (room.width + GAP) // count - GAP
        boxes[f"curve{index}"] = Box(room.x + start, room.y, stop - start, room.height)
    return boxes


def _metric_rows(count: int, width: int, most: int) -> int:
    """The rows of a panel for so many metrics, its rule included; none where not even one fits."""
    if count <= 0 or most < 2:
        return 0
    return min(metric_rows(count, width) + 1, most)


def _medium(body: Box, content: Content, splits: Splits) -> dict[str, Box]:
    beside = min(content.metrics, max((body.width + GAP) // (_CURVE_CELLS + 4 + GAP), 1), 3)
    curve_rows = min(max(body.height * 2 // 5, _CURVE_ROWS), 18) if beside else 0
    if body.height < _CURVE_ROWS + _TABLE_ROWS:
        beside, curve_rows = 0, 0
    if curve_rows:
        curve_rows = splits.down("curves", body.cells, curve_rows, (_CURVE_ROWS - 2, _TABLE_ROWS))
    curves, rest = _cut(body, curve_rows)
    boxes = _side_by_side(curves, range(beside)) if beside else {}
    return boxes | _metrics_over_table(rest, content, content.metrics - beside, splits)


def _metrics_over_table(room: Box, content: Content, metrics: int, splits: Splits) -> dict[str, Box]:
    """The metrics, and under them the table or, when asked for, the log."""
    above = _metric_rows(metrics, room.width, room.height // 3)
    if above:
        above = splits.down("metrics", room.cells, above, (2, _TABLE_ROWS))
    shown, lower = _cut(room, above)
    boxes = {"metrics": shown}
    if content.shows_log:
        return boxes | {"log": lower}
    log = Box(0, 0, 0, 0)
    if lower.height - content.table_rows >= _LOG_ROWS and content.shows_log is None:
        lower, log = _cut(lower, splits.down("table", lower.cells, content.table_rows, (_TABLE_ROWS, 3)))
    return boxes | {"table": lower, "log": log}


def _narrow(body: Box, content: Content, splits: Splits) -> dict[str, Box]:
    curve_rows = 0
    if (
        content.metrics
        and body.height >= content.metrics + 8 + _TABLE_ROWS + 8
        and body.width >= _CURVE_CELLS
    ):
        curve_rows = 9
    boxes = _side_by_side(Box(body.x, body.y, body.width, curve_rows), range(1)) if curve_rows else {}
    rest = Box(body.x, body.y + curve_rows, body.width, body.height - curve_rows)
    metrics = content.metrics - (1 if curve_rows else 0)
    rows = min(metrics, max(rest.height // 2, rest.height - _GOOD_TABLE_ROWS, 4))
    if rest.height - rows < _TABLE_ROWS:
        rows = rest.height
    elif rows:
        rows = splits.down("metrics", rest.cells, rows, (1, _TABLE_ROWS))
    boxes["metrics"], lower = _cut(rest, rows)
    boxes["log" if content.shows_log else "table"] = lower
    return boxes


_LAYOUTS = {"wide": _wide, "medium": _medium, "narrow": _narrow}
