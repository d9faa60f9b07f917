"""The screen of one run: a clock looks at its feed, and what has changed is drawn again."""

from __future__ import annotations

import time
from typing import ClassVar

import numpy as np
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget

from tui.feed import Feed
from tui.screens.alerts import AlertsScreen
from tui.screens.arrange import Arrangement, Content, arrange, kind_of
from tui.screens.help import HelpScreen, printed_key
from tui.screens.view import (
    Panels,
    view_alerts,
    view_banner,
    view_empty,
    view_log,
    view_notice,
    view_panels,
    view_status,
)
from widgets.alert_banner import AlertBanner
from widgets.curve_plot import CurvePlot
from widgets.drawing.alerts import Banner, banner_rows
from widgets.drawing.curve import Curve
from widgets.drawing.keys import Key, Keys
from widgets.drawing.notice import Notice, draw_notice
from widgets.drawing.status import status_rows
from widgets.drawing.table import Table, table_cells
from widgets.key_line import KeyLine
from widgets.log_tail import LogTail
from widgets.metric_list import MetricList, Metrics
from widgets.milestone_table import MilestoneTable
from widgets.notice_line import EmptyState, NoticeLine
from widgets.smoothing import DEFAULT_SPAN, SPANS
from widgets.status_strip import StatusStrip

CLOCK_S = 0.25
"""Seconds between two looks at the feed."""

SHARE = 0.1
"""The most of the time that drawing curves may take; a slow terminal or a fast log gets fewer frames."""

BANNER_ROWS = {"wide": 3, "medium": 3, "narrow": 5}
"""The most rows that an alert's sentence may take; never more than a quarter of the screen."""

NOTICE_ROWS = 3


class RetryAsked(Message):
    """A person wants a run to be connected again; what stood in its way may have stood in that of others."""

    def __init__(self, feed: Feed) -> None:
        super().__init__()
        self.feed = feed


class RunScreen(Screen[None]):
    """Shows one run at any size of the terminal.

    Args:
        feed: The run; it is read, never written.
        position: Which of several runs it is, as text ("2/3").
        is_calm: Whether the banner may not flash.
    """

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "app.quit", "quit", tooltip="quit; nothing is left running over there"),
        Binding("question_mark", "help", "help", key_display="?", tooltip="keys and signs"),
        Binding(
            "s", "cycle_smoothing", "smooth", tooltip="smooth the curves over 20, 100, 500 entries, or not"
        ),
        Binding("l", "toggle_log", "log", tooltip="show or hide the log's last lines"),
        Binding("m", "toggle_changes", "changes", tooltip="values at milestones, or change per 1,000 steps"),
        Binding("a", "alerts", "alerts", tooltip="all alerts, and the numbers behind them"),
        Binding("R", "retry", "retry", key_display="R", tooltip="connect again at once"),
        Binding("left_square_bracket", "app.switch_run(-1)", "run before", show=False, key_display="["),
        Binding("right_square_bracket", "app.switch_run(1)", "next run", show=False, key_display="]"),
        Binding("up", "scroll_table(0,-1)", "earlier milestones", show=False),
        Binding("down", "scroll_table(0,1)", "later milestones", show=False),
        Binding("left", "scroll_table(-1,0)", "columns to the left", show=False),
        Binding("right", "scroll_table(1,0)", "columns to the right", show=False),
        Binding("tab", "app.focus_next", "next panel", show=False),
        Binding("shift+tab", "app.focus_previous", "panel before", show=False),
    ]

    def __init__(self, feed: Feed, position: str | None = None, *, is_calm: bool = False) -> None:
        super().__init__()
        self.feed = feed
        self.span = DEFAULT_SPAN
        self.position = position
        self.arrangement = Arrangement("narrow")
        self._is_calm = is_calm
        self._shows_log: bool | None = None
        self._panels = Panels((), (), Table())
        self._notice: Notice | None = None
        self._seen = (-1, -1, -1, False)  # the revisions of feed, run, alerts; whether it is a preview
        self._link = feed.link
        self._link_at = time.monotonic()
        self._panels_due = 0.0
        self._status_due = 0.0

    def compose(self) -> ComposeResult:
        """Every panel there is; `arrange` says which are seen."""
        yield StatusStrip(view_status(self.feed, self.position), id="status")
        yield AlertBanner(id="banner", is_calm=self._is_calm)
        yield NoticeLine(Notice(""), id="notice")
        yield EmptyState(Notice(""), id="empty")
        for index in range(3):
            yield CurvePlot(_NO_CURVE, id=f"curve{index}")
        yield MetricList(Metrics(), id="metrics")
        yield MilestoneTable(id="table")
        yield LogTail(id="log")
        yield KeyLine(self._keys(), id="keys")

    def on_mount(self) -> None:
        """Start the clock."""
        self.set_interval(CLOCK_S, self.tick)
        self.tick()

    def on_resize(self, event: Resize) -> None:
        """Another size may be another layout."""
        self._place()

    # The clock

    def tick(self) -> None:
        """Look at the feed, and draw what has changed."""
        now = time.monotonic()
        if self.feed.link is not self._link:
            self._link, self._link_at = self.feed.link, now
        is_new = self.feed.revision != self._seen[0]
        if is_new or now >= self._status_due:
            self._status_due = now + 1.0
            self._show_status(now)
        if is_new:
            self._seen = (self.feed.revision, *self._seen[1:])
            self.query_one(LogTail).show(view_log(self.feed))
        self._refresh_panels(now)

    def _show_status(self, now: float) -> None:
        since_link_s = now - self._link_at
        self.query_one(StatusStrip).show(view_status(self.feed, self.position))
        empty = view_empty(self.feed, since_link_s)
        if empty:
            self.query_one(EmptyState).show(empty)
        self._notice = view_notice(self.feed, since_link_s)
        if self._notice:
            self.query_one(NoticeLine).show(self._notice)
        self.query_one(AlertBanner).show(view_banner(self.feed))
        self._place()

    def _refresh_panels(self, now: float) -> None:
        """Draw curves, metrics and table again where entries or alerts have come, as often as is affordable."""
        seen = (self.feed.run.revision, _alerts_revision(self.feed), self.feed.preview is not None)
        if seen == self._seen[1:] or now < self._panels_due:
            return
        self._seen = (self._seen[0], *seen)
        started = time.perf_counter()
        self._panels = view_panels(self.feed, self.span)
        if not self._place():
            self._show_panels()
        self._panels_due = now + (time.perf_counter() - started) / SHARE

    def _show_panels(self) -> None:
        panels, curves = self._panels, self.arrangement.curves
        for index, curve in enumerate(panels.curves[:curves]):
            self.query_one(f"#curve{index}", CurvePlot).show(curve)
        title = "" if self.arrangement.kind == "narrow" else "metrics"
        self.query_one(MetricList).show(Metrics(panels.metrics[curves:], title))
        self.query_one(MilestoneTable).show(panels.table)

    # The layout

    def _place(self) -> bool:
        """Give every panel its box, and show them again, where the layout has changed; whether it has."""
        if not self.is_mounted or not self.size:
            return False
        arrangement = arrange(*self.size, self._content())
        if arrangement == self.arrangement:
            return False
        self.arrangement = arrangement
        for panel in self.query("RunScreen > *").results(Widget):
            _put(panel, arrangement)
        self._show_panels()
        return True

    def _content(self) -> Content:
        width, height = self.size
        panels, banner = self._panels, self.query_one(AlertBanner).data
        return Content(
            curves=len(panels.curves),
            metrics=len(panels.metrics),
            table_cells=table_cells(panels.table),
            table_rows=len(panels.table.rows) + 5,
            status_rows=status_rows(width),
            banner_rows=_banner_rows(banner, width, height),
            notice_rows=len(draw_notice(self._notice, width, NOTICE_ROWS)) if self._notice else 0,
            shows_log=self._shows_log,
            is_empty=not self.feed.run.entries,
        )

    # What keys do

    def action_help(self) -> None:
        """Show what every key does."""
        self.app.push_screen(HelpScreen(tuple(self.active_bindings.values())))

    def action_alerts(self) -> None:
        """Show all alerts of the run, with their evidence."""
        self.app.push_screen(AlertsScreen(lambda: view_alerts(self.feed), self.feed.name))

    def action_cycle_smoothing(self) -> None:
        """Smooth the curves over more entries, after the most over none."""
        self.span = SPANS[(SPANS.index(self.span) + 1) % len(SPANS)]
        self._panels = view_panels(self.feed, self.span)
        self._show_panels()

    def action_toggle_log(self) -> None:
        """Show or hide the log's last lines."""
        self._shows_log = "log" not in self.arrangement.boxes
        self._place()

    def action_toggle_changes(self) -> None:
        """Show the changes per 1,000 steps in the table, or the values."""
        self.query_one(MilestoneTable).toggle_changes()

    def action_scroll_table(self, across: int, down: int) -> None:
        """Scroll the table, also while nothing is focused."""
        self.query_one(MilestoneTable).action_move(across, down)

    def action_retry(self) -> None:
        """Try to connect again at once, with all runs that share the way."""
        self.feed.retry_now()
        self.post_message(RetryAsked(self.feed))

    def _keys(self) -> Keys:
        shown = [binding for binding in self.BINDINGS if isinstance(binding, Binding) and binding.show]
        return Keys(
            tuple(Key(printed_key(binding), binding.description, binding.action) for binding in shown)
        )


_NO_CURVE = Curve("", np.zeros(0), np.zeros(0))


def _banner_rows(banner: Banner, width: int, height: int) -> int:
    return banner_rows(banner, width, max(min(BANNER_ROWS[kind_of(width)], height // 4), 1))


def _alerts_revision(feed: Feed) -> int:
    """A number that differs where an alert was raised, changed or cleared."""
    return hash(
        tuple(
            (alert.number, alert.kind, alert.severity, alert.state, alert.onset_step) for alert in feed.alerts
        )
    )


def _put(panel: Widget, arrangement: Arrangement) -> None:
    box = arrangement.boxes.get(panel.id or "")
    panel.display = box is not None
    if box is not None:
        panel.styles.offset = (box.x, box.y)
        panel.styles.width, panel.styles.height = box.width, box.height
