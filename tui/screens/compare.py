"""The screen that shows one metric of several runs over each other, and side by side at the milestones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.screen import Screen

from tui.feed import Feed
from tui.screens.display import Display
from tui.screens.help import HelpScreen, key_line
from tui.screens.order import main_metrics
from tui.screens.overlay import common_axes, compared_metrics, view_overlay, view_side_by_side
from widgets.drawing.keys import Keys
from widgets.drawing.overlay import MOST_SERIES, Overlay
from widgets.drawing.sidebyside import SideBySide
from widgets.key_line import KeyLine
from widgets.overlay_plot import OverlayPlot, SideBySideTable
from widgets.smoothing import SPANS

MOST_COMPARED = MOST_SERIES
"""How many runs are compared at most: more lines than this nobody tells apart."""

CLOCK_S = 1.0

TABLE_FROM_ROWS = 18
"""Rows of the screen from which on there is room for the table under the curves."""

TABLE_SHARE = 3
"""The table has at most one row of so many."""


class CompareScreen(Screen[None]):
    """Compares runs while they are followed.

    Args:
        feeds: The runs, the first of which the others are compared with; they are read, never written.
        names: What they are called here; None for their own names.
    """

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "back", id="compare.back", key_display="Esc", tooltip="back to all runs"),
        Binding("question_mark", "help", "help", id="compare.help", key_display="?", tooltip="keys and signs"),
        Binding("m,right,n", "turn(1)", "metric", id="compare.next", key_display="m", tooltip="the next metric"),
        Binding("M,left,p", "turn(-1)", "before", id="compare.before", show=False, tooltip="the metric before"),
        Binding("x", "cycle_axis", "x axis", id="compare.axis",
                tooltip="draw over steps, tokens, epochs or time, as far as all of the logs have them"),
        Binding("s", "cycle_smoothing", "smooth", id="compare.smooth", tooltip="smooth over more entries, or none"),
        Binding("l", "switch_log", "log y", id="compare.log", tooltip="a logarithmic y axis, or a linear one"),
        Binding("q", "app.quit", "quit", id="compare.quit", tooltip="quit; nothing is left running over there"),
    ]  # fmt: skip

    def __init__(self, feeds: Sequence[Feed], names: Sequence[str] | None = None) -> None:
        super().__init__()
        self.feeds = list(feeds)
        self.names = list(names or (feed.name for feed in feeds))
        self.choice = Display()
        self.metric = next(iter(main_metrics(feeds[0].shown, compared_metrics(feeds))), "loss")
        self._seen: object = None

    def compose(self) -> ComposeResult:
        """The curves, the table, and the keys."""
        yield OverlayPlot(Overlay(self.metric), id="overlay")
        yield SideBySideTable(SideBySide(), id="sides")
        yield KeyLine(Keys(), id="keys")

    def on_mount(self) -> None:
        """Start the clock."""
        self.set_interval(CLOCK_S, self.tick)
        self.tick()

    def on_resize(self, event: Resize) -> None:
        """Another room for the table."""
        self._seen = None
        self.call_after_refresh(self.tick)

    def tick(self) -> None:
        """Draw again what has changed; nothing while another screen is on top."""
        if not self.is_current:
            return
        seen = (self.metric, self.choice, *(feed.revision for feed in self.feeds))
        if seen != self._seen:
            self._seen = seen
            self._show()
        self.query_one(KeyLine).show(key_line(self))

    def _show(self) -> None:
        sides = view_side_by_side(self.feeds, self.names, self.metric)
        table = self.query_one(SideBySideTable)
        table.display = self.size.height >= TABLE_FROM_ROWS and bool(sides.rows)
        table.styles.height = min(len(sides.rows) + 2, self.size.height // TABLE_SHARE)
        table.show(sides)
        self.query_one(OverlayPlot).show(view_overlay(self.feeds, self.names, self.metric, self.choice))

    def _choose(self, choice: Display) -> None:
        self.choice = choice
        self.tick()

    def action_turn(self, by: int) -> None:
        """Compare the next metric, or the one before."""
        metrics = compared_metrics(self.feeds)
        if metrics:
            at = metrics.index(self.metric) if self.metric in metrics else -by
            self.metric = metrics[(at + by) % len(metrics)]
            self.tick()

    def action_cycle_axis(self) -> None:
        """Draw over the next axis that all of the logs have."""
        axes = common_axes(self.feeds)
        if len(axes) < 2:
            self.notify("these logs have no tokens, epochs or times in common to draw over", timeout=4)
        at = axes.index(self.choice.x) if self.choice.x in axes else 0
        self._choose(replace(self.choice, x=axes[(at + 1) % len(axes)]))

    def action_cycle_smoothing(self) -> None:
        """Smooth the curves over more entries, after the most over none."""
        wider = [span for span in SPANS if span > self.choice.span]
        self._choose(replace(self.choice, span=min(wider, default=SPANS[0])))

    def action_switch_log(self) -> None:
        """Draw over a logarithmic y axis, or a linear one."""
        self._choose(replace(self.choice, log_y=not self.choice.log_y))

    def action_back(self) -> None:
        """Back to all runs."""
        self.app.pop_screen()

    def action_help(self) -> None:
        """Show what every key does."""
        self.app.push_screen(HelpScreen(tuple(self.active_bindings.values())))
