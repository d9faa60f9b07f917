"""What can be done about a run's alerts, its table and its log, beside looking at them."""

from __future__ import annotations

import time
from typing import ClassVar

from msgspec.structs import replace
from textual.binding import Binding, BindingType

from tui.screens.borders import Borders
from tui.screens.incidents import acknowledge, forget
from tui.screens.logs import LogScreen
from tui.screens.view import view_log
from widgets.alert_banner import AlertBanner
from widgets.drawing.alerts import Alert
from widgets.drawing.log import LogView
from widgets.drawing.plain import table_markdown, table_text
from widgets.log_tail import LogTail
from widgets.milestone_table import MilestoneTable

_TABLE = Binding.Group("milestones")

NOTE_S = 4.0
"""Seconds for which it is said that something has been done."""


def _key(
    key: str, action: str, label: str, doc: str, *, id: str, group: Binding.Group | None = None
) -> Binding:
    return Binding(key, action, label, show=False, tooltip=doc, id=f"run.{id}", group=group)


class Tending(Borders):
    """A run whose alerts can be calmed, whose table can be sorted and copied, whose log can be read alone."""

    BINDINGS: ClassVar[list[BindingType]] = [
        _key("A", "acknowledge", "calm", "acknowledge the alert that is shown, or take it back", id="calm"),
        _key("F", "log_alone", "log alone", "the log on the whole screen", id="log_alone"),
        _key("t", "sort_table", "sort", "sort by the next column", id="sort", group=_TABLE),
        _key("i", "turn_table", "turn", "turn the order of the rows around", id="turn", group=_TABLE),
        _key(
            *(
                "d",
                "switch('shows_differences')",
                "differences",
                "what is more or less than in the reference",
            ),
            id="differences",
            group=_TABLE,
        ),
        _key("y", "copy_table('markdown')", "copy", "copy the table as markdown", id="copy", group=_TABLE),
        _key("Y", "copy_table('text')", "copy text", "copy it as plain text", id="copy_text", group=_TABLE),
    ]

    def action_acknowledge(self) -> None:
        """Calm the alert that is shown; where all are calm, let them be loud again."""
        banner = self.query_one(AlertBanner).data
        if banner.firing:
            self._remember(acknowledge(self.choice.acknowledged, banner.firing[:1]))
        elif banner.acknowledged:
            self._remember(forget(self.choice.acknowledged, banner.acknowledged))

    def toggle_acknowledged(self, alert: Alert) -> None:
        """Calm an alert, or let it be loud again."""
        change = forget if alert.is_acknowledged else acknowledge
        self._remember(change(self.choice.acknowledged, (alert,)))

    def _remember(self, acknowledged: dict[str, str]) -> None:
        self.choose(replace(self.choice, acknowledged=acknowledged))
        self._show_status(time.monotonic())

    def action_sort_table(self) -> None:
        """Sort the rows by the next column; after the last in the order of steps."""
        self.query_one(MilestoneTable).sort_by_neighbour(1)

    def action_turn_table(self) -> None:
        """Turn the order of the rows around."""
        self.query_one(MilestoneTable).turn_around()

    def action_copy_table(self, form: str) -> None:
        """Put the whole table into the clipboard of the terminal, as it is looked at (OSC 52)."""
        table = self.query_one(MilestoneTable)
        if not table.data.rows or not table.data.columns:
            return
        write = table_markdown if form == "markdown" else table_text
        self.app.copy_to_clipboard(write(table.data, table.view))
        rows, columns = len(table.data.rows), len(table.data.columns)
        told = f"{rows} milestones of {columns} metrics copied as {form}"
        self.notify(f"{told}; a terminal may refuse that", timeout=NOTE_S, markup=False)

    def action_log_alone(self) -> None:
        """Show the log on the whole screen, as it is looked at here."""
        log = self.query_one(LogTail)
        self.app.push_screen(LogScreen(lambda: view_log(self.feed), log.view), self._look_at_log)

    def on_log_tail_opened(self, event: LogTail.Opened) -> None:
        """The log itself asks for the whole screen."""
        self.action_log_alone()

    def _look_at_log(self, view: LogView | None) -> None:
        if view is not None:
            self.query_one(LogTail).look(replace(view, is_typing=False))
