"""The milestone table as text, markdown and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

from tui.decode.text import clean
from tui.store.hidden import Hidden
from tui.store.milestones import Row, Table
from tui.store.progress import Progress
from widgets.drawing.rows import ahead_text
from widgets.numbers import NumberFormat, format_step, format_value, pick_format

MARK = "!"
"""Stands at a change between two milestones that hides something; what, is told under the table."""

CHECKPOINT = "◆"
"""Stands at a milestone of which a checkpoint is kept."""


def table_to_text(table: Table, progress: Progress | None) -> str:
    """The table in aligned columns: between two rows the change per 1,000 steps, the recent means under it.

    `progress` tells when what is ahead is due; None that nothing is due any more.
    """
    cells = milestone_cells(table, progress, with_changes=True)
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    lines = [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
    return "\n".join([*lines, *(describe_hidden(each) for row in table.rows for each in row.hidden)])


def describe_hidden(hidden: Hidden) -> str:
    """What two milestones hide, in a line."""
    what = hidden.kind.replace("_", " ")
    value = "" if hidden.value is None else f": {format_value(hidden.value)}"
    return f"{MARK} {clean(hidden.metric)} {what} at step {format_step(hidden.step)}{value}"


def table_to_markdown(table: Table, progress: Progress | None) -> str:
    """The table as markdown, numbers to the right."""
    head, *rows = [
        [cell.replace("|", "\\|") for cell in row]
        for row in milestone_cells(table, progress, with_changes=False)
    ]
    rule = ["---:"] * len(head)
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, rule, *rows])


def table_to_csv(table: Table) -> str:
    """The table as CSV with all digits: values, then changes per 1,000 steps; a missing one is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [clean(name) for name in table.columns]
    others = list(dict.fromkeys(other for row in table.rows for other in row.differences))
    compared = [(other, name) for other in others for name in table.columns]
    header = ["milestone", "step", *names, *(f"{name} per 1000 steps" for name in names)]
    writer.writerow([*header, *(f"{clean(name)} vs {clean(other)}" for other, name in compared)])
    for row in table.rows:
        values = [_exact(row.values.get(name)) for name in table.columns]
        changes = [_exact(row.per_1000_steps.get(name)) for name in table.columns]
        told = [_exact(row.differences.get(other, {}).get(name)) for other, name in compared]
        writer.writerow([_exact(row.milestone), _exact(row.step), *values, *changes, *told])
    means = [_exact(table.recent.values.get(name)) for name in table.columns]
    writer.writerow([f"last {table.recent.entries}", "", *means, *[""] * (len(names) + len(compared))])
    return out.getvalue()


def _exact(value: float | None) -> str:
    if value is None:
        return ""
    return str(int(value)) if abs(value) < 1e15 and value == int(value) else repr(value)


def milestone_cells(table: Table, progress: Progress | None, *, with_changes: bool) -> list[list[str]]:
    """The rows of the table as text, its header first; with the change per 1,000 steps between them if asked for."""
    formats = {name: _format_for(table, name) for name in table.columns}
    cells = [["step", *(clean(name) for name in table.columns)]]
    for row in table.rows:
        if with_changes and row.per_1000_steps:
            cells.append(["per 1k", *(_pace(row, name, formats[name]) for name in table.columns)])
        cells.append([_label(row, progress), *(_value(row, name, formats[name]) for name in table.columns)])
        cells += [
            [f"vs {clean(other)}", *(_change(told, name, formats[name]) for name in table.columns)]
            for other, told in row.differences.items()
        ]
    means = [formats[name](table.recent.values.get(name)) for name in table.columns]
    return [*cells, [f"last {table.recent.entries}", *means]]


def _format_for(table: Table, name: str) -> NumberFormat:
    return pick_format([row.values[name] for row in table.rows if name in row.values])


def _label(row: Row, progress: Progress | None) -> str:
    """The milestone, the real step where it differs, and whether there is a checkpoint: `◆ 500 (499)`."""
    milestone = format_step(row.milestone)
    if row.step is None:
        due_s = progress.due_in_s(row.milestone) if progress else None
        return f"{milestone} {ahead_text(due_s, is_over=progress is None)}"
    kept = f"{CHECKPOINT} " if row.checkpoint is not None else ""
    return kept + (milestone if row.step == row.milestone else f"{milestone} ({format_step(row.step)})")


def _value(row: Row, name: str, form: NumberFormat) -> str:
    text = form(row.values.get(name))
    return f"{text} ({format_step(row.steps[name])})" if name in row.steps else text


def _pace(row: Row, name: str, form: NumberFormat) -> str:
    mark = MARK if any(each.metric == name for each in row.hidden) else ""
    told = _change(row.per_1000_steps, name, form)
    return told + mark if told else ""


def _change(changes: Mapping[str, float], name: str, form: NumberFormat) -> str:
    change = changes.get(name)
    return "" if change is None else form.change(change)
