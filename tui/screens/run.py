"""The screen of one run: what keys and the mouse do to how it is shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import replace
from textual.message import Message

from tui.feed import Feed
from tui.roster import Pattern
from tui.screens import window
from tui.screens.alerts import AlertsScreen
from tui.screens.bindings import RUN_BINDINGS
from tui.screens.board import DisplayChanged
from tui.screens.clock import CLOCK_S
from tui.screens.curves import chosen_axis, next_axis, place_alert, source_of
from tui.screens.export import ExportScreen
from tui.screens.help import HelpScreen
from tui.screens.tending import Tending
from tui.screens.view import view_alerts
from tui.store.entry import entry_at, nearest_entry
from widgets.curve_plot import CurvePlot
from widgets.drawing.alerts import Alert
from widgets.drawing.rows import STEP
from widgets.log_tail import LogTail
from widgets.metric_list import MetricList
from widgets.milestone_table import MilestoneTable
from widgets.pattern_line import PatternLine
from widgets.smoothing import SPANS

__all__ = ["CLOCK_S", "DisplayChanged", "RetryAsked", "RunScreen"]

AROUND = 0.15
"""The share of the run that is shown around an alert whose curves are wanted."""


class RetryAsked(Message):
    """A person wants a run, or a search, connected again; what stood in its way may stand in that of others."""

    def __init__(self, feed: Feed | Pattern) -> None:
        super().__init__()
        self.feed = feed


class RunScreen(Tending):
    """Shows one run at any size of the terminal, in the way that a person chooses."""

    class Left(Message):
        """There is nothing left to go back from on this screen."""

    BINDINGS = RUN_BINDINGS

    # Screens above this one

    def action_help(self) -> None:
        """Show what every key does."""
        self.app.push_screen(HelpScreen(tuple(self.active_bindings.values())))

    def action_alerts(self) -> None:
        """Show all alerts of the run, with their evidence; the curves of one may be asked for there."""
        self.app.push_screen(
            AlertsScreen(lambda: view_alerts(self.feed, self.choice.acknowledged), self.toggle_acknowledged),
            self.show_alert,
        )

    def show_alert(self, alert: Alert | None) -> None:
        """Put an alert's metric on the whole screen, with the crosshair where it began."""
        whole = self.curves.whole
        if alert is None or whole is None:
            return
        x = place_alert(self.feed, self.choice, alert.onset_step)
        around = (whole[1] - whole[0]) * AROUND
        choice = window.choose(
            self.choice, whole, x - around, max(x, whole[1] if alert.is_firing else x) + around
        )
        metric = alert.metric if alert.metric in self.feed.shown.fields else None
        self.choose(replace(choice, focus=metric, cursor=x))

    def action_export(self) -> None:
        """Write the screen, a report or the data into a file."""
        picture = self.app.export_screenshot(title=f"milepost {self.feed.name}")
        names = self._panels.names or self.feed.run.fields
        self.app.push_screen(ExportScreen(self.feed, names, picture), self._tell_written)

    def _tell_written(self, file: Path | None) -> None:
        if file is not None:
            self.notify(f"wrote {file}", timeout=4, markup=False)

    # Which metrics

    def action_filter(self) -> None:
        """Ask for a part of the names of metrics."""
        self._ask(is_asking=True)
        self.query_one(PatternLine).ask(self.choice.pattern)

    def on_pattern_line_typed(self, event: PatternLine.Typed) -> None:
        """Show at once what is found."""
        self.choose(replace(self.choice, pattern=event.pattern, page=0, focus=None))
        self.query_one(PatternLine).tell(f"{len(self._panels.names):,} of {self._panels.of:,} ")

    def on_pattern_line_done(self, event: PatternLine.Done) -> None:
        """Keep what was found, or show everything again."""
        self.set_focus(None)
        self._ask(is_asking=False)
        if not event.is_kept:
            self.choose(replace(self.choice, pattern=""))

    def _ask(self, *, is_asking: bool) -> None:
        self._is_asking = is_asking
        self._place()

    def action_turn(self, by: int) -> None:
        """Show the next page, or in place of the one metric the next one."""
        names = self._panels.names
        if self.choice.focus in names:
            name = names[(names.index(self.choice.focus) + by) % len(names)]
            self.choose(replace(self.choice, focus=name))
        elif self.choice.focus is None:
            self.choose(replace(self.choice, page=(self._page.number + by) % self._page.count))

    def action_open(self) -> None:
        """Show the chosen metric alone, or all of them again."""
        name = self.chosen_name()
        self.choose(replace(self.choice, focus=None if self.choice.focus else name))

    def action_pin(self) -> None:
        """Put the chosen metric first, or back into its place."""
        name, pinned = self.chosen_name(), self.choice.pinned
        if name is not None:
            rest = tuple(each for each in pinned if each != name)
            self.choose(replace(self.choice, pinned=rest if name in pinned else (*pinned, name)))

    def action_hide(self) -> None:
        """Hide the chosen metric."""
        name = self.chosen_name()
        if name is not None and len(self._panels.names) > 1:
            hidden = (*self.choice.hidden, name)
            self.choose(replace(self.choice, hidden=hidden, focus=None))
            self.notify(f"{name} is hidden; H shows it again", timeout=4, markup=False)

    def action_show_hidden(self) -> None:
        """Show all metrics again."""
        self.choose(replace(self.choice, hidden=()))

    def chosen_name(self) -> str | None:
        """The metric that keys are about: the one alone, that of the focused panel, else the first."""
        if self.choice.focus is not None:
            return self.choice.focus
        if isinstance(self.focused, CurvePlot) and self.focused.data.curve.name:
            return self.focused.data.curve.name
        names = self.visible_names() or self._panels.names[self._page.start :]
        return names[0] if names else None

    def on_curve_plot_opened(self, event: CurvePlot.Opened) -> None:
        """A double click shows a metric alone, or all again."""
        self.choose(replace(self.choice, focus=None if self.choice.focus else event.name))

    def on_metric_list_opened(self, event: MetricList.Opened) -> None:
        """A click in the list shows a metric alone."""
        self.choose(replace(self.choice, focus=event.name))

    # How curves are drawn

    def action_cycle_smoothing(self) -> None:
        """Smooth the curves over more entries, after the most over none."""
        wider = [span for span in SPANS if span > self.choice.span]
        self.choose(replace(self.choice, span=min(wider, default=SPANS[0])))

    def action_switch(self, what: str) -> None:
        """Switch a part of the display on or off."""
        switched: dict[str, Any] = {what: not getattr(self.choice, what)}
        choice = replace(self.choice, **switched)
        self.choose(window.reset(choice) if what == "log_x" else choice)

    def action_cycle_axis(self) -> None:
        """Draw over the next axis that the log has; a range of the one before means nothing on it."""
        axis = next_axis(self.feed.shown, self.choice)
        if axis == chosen_axis(self.feed.shown, self.choice):
            self.notify("this log has no tokens, epochs or times to draw over", timeout=4)
        self.choose(replace(window.reset(self.choice), x=axis, cursor=None))

    # The range of x

    def action_zoom(self, turns: float) -> None:
        """See less, larger, or more; around the crosshair where there is one."""
        self._zoom(turns, self.choice.cursor)

    def _zoom(self, turns: float, at: float | None) -> None:
        if self.curves.whole is not None:
            self.choose(window.zoom(self.choice, self.curves.whole, turns, at))

    def action_pan(self, by: int) -> None:
        """Move the range to what was before, or comes after."""
        self._pan(by * window.PAN)

    def _pan(self, share: float) -> None:
        if self.curves.whole is not None:
            self.choose(window.pan(self.choice, self.curves.whole, share))

    def action_reset_window(self) -> None:
        """Show the whole run again; where that is shown, put the borders of panels back."""
        whole = window.reset(self.choice)
        self.choose(whole if whole != self.choice else replace(whole, splits={}))

    def on_curve_plot_zoomed(self, event: CurvePlot.Zoomed) -> None:
        """The wheel zooms where the pointer is."""
        self._zoom(event.turns, event.x)

    def on_curve_plot_panned(self, event: CurvePlot.Panned) -> None:
        """The wheel with shift, or a drag with it, pans."""
        self._pan(event.share)

    def on_curve_plot_chosen(self, event: CurvePlot.Chosen) -> None:
        """A range that was dragged over is shown alone."""
        if self.curves.whole is not None:
            self.choose(window.choose(self.choice, self.curves.whole, event.low, event.high))

    # The crosshair

    def action_crosshair(self) -> None:
        """Read all curves at one place, first at the newest entry in sight; or stop it."""
        if self.choice.cursor is not None:
            self.choose(replace(self.choice, cursor=None))
        elif self.curves.whole is not None:
            shown = window.shown(self.choice, self.curves.whole) or self.curves.whole
            self._point(shown[1])

    def on_curve_plot_pointed(self, event: CurvePlot.Pointed) -> None:
        """A click puts the crosshair there, and where there is one it follows the pointer."""
        if event.is_click or self.choice.cursor is not None:
            self._point(event.x)

    def _point(self, x: float) -> None:
        """Put the crosshair on the entry of the first curve that is nearest to x."""
        names = self.visible_names()
        if names:
            source = source_of(self.feed.shown, names[0], self.choice)
            entry = nearest_entry(source.points, source.x_of, x)
            self.choose(replace(self.choice, cursor=x if entry is None else entry.x))

    def action_move(self, across: int, down: int) -> None:
        """Move the crosshair where there is one, else scroll the table, also while nothing is focused."""
        if self.choice.cursor is not None and across:
            self._step(across)
        elif self.choice.focus is not None:
            self.action_turn(across or down)
        else:
            self.query_one(MilestoneTable).action_move(across, down)

    def _step(self, by: int) -> None:
        """Move the crosshair by a column, or to the next entry where that is farther."""
        names, whole, cursor = self.visible_names(), self.curves.whole, self.choice.cursor
        columns = self.query_one("#curve0", CurvePlot).columns()
        if not names or whole is None or cursor is None or not columns:
            return
        source = source_of(self.feed.shown, names[0], self.choice)
        here = nearest_entry(source.points, source.x_of, cursor)
        if here is None:
            return
        low, high = window.shown(self.choice, whole) or whole
        onward = nearest_entry(source.points, source.x_of, here.x + by * (high - low) / columns)
        if onward is None or (onward.point - here.point) * by <= 0:
            onward = entry_at(source.points, source.x_of, here.point + by)
        choice = replace(self.choice, cursor=onward.x)
        beyond = onward.x < low or onward.x > high
        self.choose(window.pan(choice, whole, by * window.PAN) if beyond else choice)

    # The rest

    def action_back(self) -> None:
        """Back from what was chosen last: the crosshair, one metric, a range, a filter."""
        choice = self.choice
        if choice.cursor is not None:
            self.choose(replace(choice, cursor=None))
        elif choice.focus is not None:
            self.choose(replace(choice, focus=None))
        elif choice.window is not None:
            self.choose(window.reset(choice))
        elif choice.pattern:
            self.choose(replace(choice, pattern=""))
        elif choice.page:
            self.choose(replace(choice, page=0))
        elif self.focused is not None:
            self.set_focus(None)
        else:
            self.post_message(self.Left())

    def action_toggle_log(self) -> None:
        """Show or hide the log's last lines."""
        self.choose(replace(self.choice, shows_log="log" not in self.arrangement.boxes))

    def action_filter_log(self) -> None:
        """Show the log, and let a filter for it be written."""
        if "log" not in self.arrangement.boxes:
            self.choose(replace(self.choice, shows_log=True))
        self.query_one(LogTail).action_write("pattern")

    def action_cycle_table(self) -> None:
        """Show the changes per 1,000 steps in the table, or the values."""
        self.choose(replace(self.choice, shows_changes=not self.choice.shows_changes))

    def on_milestone_table_sorted(self, event: MilestoneTable.Sorted) -> None:
        """Keep the order that was chosen."""
        order = event.order
        is_usual = order.column == STEP and not order.is_descending
        self.choose(replace(self.choice, sort=None if is_usual else (order.column, order.is_descending)))

    def action_retry(self) -> None:
        """Try to connect again at once, with all runs that share the way."""
        self.feed.retry_now()
        self.post_message(RetryAsked(self.feed))
