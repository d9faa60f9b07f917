"""Where each panel stands, as a pure function of the screen's size and of what there is to show."""

from __future__ import annotations

from dataclasses import dataclass, field

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

_CURVE_ROWS = 7
"""Rows that a curve needs to be worth more than a sparkline."""

_LOG_ROWS = 6
"""Rows of a log that is always shown: its rule, and five lines."""

_GOOD_TABLE_ROWS = 9
"""Rows of a table that takes no more from the metrics of a narrow screen."""

_TABLE_ROWS = 5
"""Rows below which a table says nothing: its rule, its header, two milestones and the recent mean."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of cells, from the upper left corner of the screen."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Content:
    """What there is to show.

    `curves` are the main metrics, at most three, that may be drawn as curves; `metrics` counts all metrics,
    those included. `table_cells` is the table's whole width. `shows_log` is the user's wish, None for the usual.
    """

    curves: int = 0
    metrics: int = 0
    table_cells: int = 0
    table_rows: int = 0
    status_rows: int = 1
    banner_rows: int = 0
    notice_rows: int = 0
    shows_log: bool | None = None
    is_empty: bool = False


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The boxes by panel: status, banner, notice, curve0 to curve2, metrics, table, log, keys, empty.

    What is not in there is not shown. The metrics panel holds those that have no curve.
    """

    kind: str
    boxes: dict[str, Box] = field(default_factory=dict)

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
    if height >= 16 and width >= 40:
        bottom -= 1
        boxes["keys"] = Box(0, bottom, width, 1)
    body = Box(0, top, width, max(bottom - top, 0))
    if body.height > 0:
        boxes |= {"empty": body} if content.is_empty else _LAYOUTS[kind](body, content)
    return Arrangement(kind, {name: box for name, box in boxes.items() if box.width > 0 and box.height > 0})


def _wide(body: Box, content: Content) -> dict[str, Box]:
    """Curves at the left, the table at the right; the log under the table if there is room, else under all."""
    most = body.width * 3 // 5 if body.width >= _ROOMY else body.width // 2
    table_width = min(max(content.table_cells, _RIGHT_CELLS), most - GAP)
    right = Box(body.x + body.width - table_width, body.y, table_width, body.height)
    spare = body.height - content.table_rows
    is_wanted = content.shows_log is not False
    if is_wanted and spare >= _LOG_ROWS:
        left = Box(body.x, body.y, body.width - table_width - GAP, body.height)
        table, log = _cut(right, content.table_rows)
        return _stacked_curves(left, content) | {"table": table, "log": log}
    log_rows = _LOG_ROWS if is_wanted and (content.shows_log or body.height >= 22) else 0
    upper, log = _cut(body, body.height - log_rows)
    left = Box(body.x, body.y, body.width - table_width - GAP, upper.height)
    return _stacked_curves(left, content) | {"table": _cut(right, upper.height)[0], "log": log}


def _cut(box: Box, rows: int) -> tuple[Box, Box]:
    """The box's first rows, and the rest."""
    rows = max(min(rows, box.height), 0)
    return (
        Box(box.x, box.y, box.width, rows),
        Box(box.x, box.y + rows, box.width, box.height - rows),
    )


def _stacked_curves(room: Box, content: Content) -> dict[str, Box]:
    """The first curve over the full width, the others side by side under it, the rest of the metrics last."""
    can_pair = content.curves >= 2 and room.height >= 2 * _CURVE_ROWS + 2
    curves = content.curves if can_pair else min(content.curves, 1)
    below = _metric_rows(content.metrics - curves, room.width, room.height // (3 if curves else 1))
    rows = room.height - below
    boxes: dict[str, Box] = {}
    if curves:
        first = rows if curves == 1 else rows - rows // 2
        boxes["curve0"] = Box(room.x, room.y, room.width, first)
        lower = Box(room.x, room.y + first, room.width, rows - first)
        boxes |= _side_by_side(lower, range(1, curves))
    boxes["metrics"] = Box(room.x, room.y + room.height - below, room.width, below)
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


def _medium(body: Box, content: Content) -> dict[str, Box]:
    beside = min(content.curves, max((body.width + GAP) // (_CURVE_CELLS + 4 + GAP), 1), 3)
    curve_rows = min(max(body.height * 2 // 5, _CURVE_ROWS), 18) if beside else 0
    if body.height < _CURVE_ROWS + _TABLE_ROWS:
        beside, curve_rows = 0, 0
    boxes = _side_by_side(Box(body.x, body.y, body.width, curve_rows), range(beside)) if beside else {}
    rest = Box(body.x, body.y + curve_rows, body.width, body.height - curve_rows)
    return boxes | _metrics_over_table(rest, content, content.metrics - beside, rest.height // 3)


def _metrics_over_table(room: Box, content: Content, metrics: int, most: int) -> dict[str, Box]:
    """The metrics, and under them the table or, when asked for, the log."""
    above = _metric_rows(metrics, room.width, most)
    lower = Box(room.x, room.y + above, room.width, room.height - above)
    boxes = {"metrics": Box(room.x, room.y, room.width, above)}
    if content.shows_log:
        return boxes | {"log": lower}
    spare = lower.height - content.table_rows
    if spare >= _LOG_ROWS and content.shows_log is None:
        boxes["log"] = Box(lower.x, lower.y + lower.height - spare, lower.width, spare)
        lower = Box(lower.x, lower.y, lower.width, lower.height - spare)
    return boxes | {"table": lower}


def _narrow(body: Box, content: Content) -> dict[str, Box]:
    curve_rows = 0
    if content.curves and body.height >= content.metrics + 8 + _TABLE_ROWS + 8 and body.width >= _CURVE_CELLS:
        curve_rows = 9
    boxes = _side_by_side(Box(body.x, body.y, body.width, curve_rows), range(1)) if curve_rows else {}
    rest = Box(body.x, body.y + curve_rows, body.width, body.height - curve_rows)
    metrics = content.metrics - (1 if curve_rows else 0)
    rows = min(metrics, max(rest.height // 2, rest.height - _GOOD_TABLE_ROWS, 4))
    if rest.height - rows < _TABLE_ROWS:
        rows = rest.height
    lower = Box(rest.x, rest.y + rows, rest.width, rest.height - rows)
    boxes["metrics"] = Box(rest.x, rest.y, rest.width, rows)
    boxes["log" if content.shows_log else "table"] = lower
    return boxes


_LAYOUTS = {"wide": _wide, "medium": _medium, "narrow": _narrow}
