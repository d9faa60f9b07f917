"""The panels of one run: a clock looks at its feed, and what has changed is drawn again, as it was chosen."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.events import Resize
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget

from tui.feed import Feed
from tui.screens.arrange import MOST_CURVES, Arrangement, Content, arrange, kind_of
from tui.screens.clock import Clock
from tui.screens.curves import Curves, view_curves, view_reading
from tui.screens.display import Display
from tui.screens.help import key_line, key_of
from tui.screens.paging import Page, turn_to
from tui.screens.readiness import Readiness
from tui.screens.references import view_references
from tui.screens.stats import view_stats
from tui.screens.view import (
    Panels,
    view_banner,
    view_empty,
    view_log,
    view_metrics,
    view_names,
    view_notice,
    view_panels,
    view_status,
)
from widgets import canvas
from widgets.alert_banner import AlertBanner
from widgets.curve_plot import CurvePlot, Plot
from widgets.drawing.alerts import Banner, banner_rows
from widgets.drawing.keys import Keys
from widgets.drawing.metrics import metric_columns
from widgets.drawing.notice import Notice, draw_notice
from widgets.drawing.rows import STEP, Order
from widgets.drawing.stats import stats_rows
from widgets.drawing.status import status_rows
from widgets.drawing.table import Table, table_cells
from widgets.key_line import KeyLine
from widgets.log_tail import LogTail
from widgets.metric_list import MetricList, Metrics
from widgets.milestone_table import MilestoneTable
from widgets.notice_line import EmptyState, NoticeLine
from widgets.pattern_line import PatternLine
from widgets.stats_line import StatsLine
from widgets.status_strip import StatusStrip

STATUS_S = 1.0
"""Seconds between two looks at what time alone changes; between them nothing is done while nothing comes."""

SHARE, READING_SHARE = 0.012, 0.1
"""The most of the time that drawing curves may take, also while a log's past is coming in: the rest is fewer frames."""

PAINT_S = 0.02
"""Seconds until the panels are drawn: a frame, in which the status is painted."""

SOON_S = 0.05
"""Seconds after which it is looked again whether what drawing needs is ready."""

LATEST_S = 2.0
"""Seconds after which what has come is drawn, whatever that costs."""

SENTENCE_ROWS = {"wide": 3, "medium": 3, "narrow": 5}
"""The most rows that a sentence may take, an alert's or one about the link; never more than a quarter of the screen."""

NOTICE_ROWS = 3
"""Rows that a sentence about the link may take on any screen: it says what to do next at its end."""


class DisplayChanged(Message):
    """A person has chosen another way to see a run."""

    def __init__(self, feed: Feed, choice: Display) -> None:
        super().__init__()
        self.feed, self.choice = feed, choice


class Board(Screen[None]):
    """Shows one run at any size of the terminal.

    Args:
        feed: The run; it is read, never written.
        position: Which of several runs it is, as text ("2/3").
        is_calm: Whether the banner may not flash.
        choice: How it is to be shown; None for the usual.
    """

    AUTO_FOCUS = ""

    def __init__(
        self,
        feed: Feed,
        position: str | None = None,
        *,
        is_calm: bool = False,
        choice: Display | None = None,
    ) -> None:
        super().__init__()
        self.feed = feed
        self.position = position
        self.choice = choice or Display()
        self.arrangement = Arrangement("narrow")
        self.curves = Curves()
        self._page = Page()
        self._is_calm = is_calm
        self._is_asking = False
        self._panels = Panels((), 0, Table())
        self._table_cells = (self._panels.table, 0)
        self._notice: Notice | None = None
        # revisions of feed, run, alerts; is it a preview; is it going on; options
        self._seen = (-1, -1, -1, False, True, feed.options)
        self._link = feed.link
        self._link_at = time.monotonic()
        self._panels_due = 0.0
        self._status_due = 0.0
        self._readiness = Readiness(feed.run)
        self._clock = Clock(lambda: self.call_later(self.tick))
        self._drawing: asyncio.Task[None] | None = None
        self._news: tuple[object, ...] = ()  # what was there when something had come last
        self._alert_keys = ("", "")

    def compose(self) -> ComposeResult:
        """Every panel there is; `arrange` says which are seen."""
        yield StatusStrip(view_status(self.feed, self.position), id="status")
        yield AlertBanner(id="banner", is_calm=self._is_calm)
        yield NoticeLine(Notice(""), id="notice")
        yield EmptyState(Notice(""), id="empty")
        for index in range(MOST_CURVES):
            yield CurvePlot(id=f"curve{index}")
        yield StatsLine(id="stats")
        yield MetricList(Metrics(), id="metrics")
        yield MilestoneTable(id="table")
        yield LogTail(id="log")
        yield PatternLine(id="ask")
        yield KeyLine(Keys(), id="keys")

    def on_mount(self) -> None:
        """Start the clock."""
        self.set_interval(STATUS_S, self.tick)
        self.feed.watchers.append(self._hurry)
        self.bindings_updated_signal.subscribe(self, self._show_keys)
        self._show_keys(self)
        self.tick()

    def on_unmount(self) -> None:
        """Nobody need tell of what comes any more."""
        self.feed.watchers.remove(self._hurry)
        self._readiness.stop()
        self._clock.stop()
        if self._drawing is not None:
            self._drawing.cancel()

    def on_screen_resume(self) -> None:
        """Catch up with what has come while another screen was shown."""
        self._show_keys(self)
        self.tick()

    def on_resize(self, event: Resize) -> None:
        """Another size may be another layout."""
        self._place()

    # The clock

    def tick(self) -> None:
        """Look at the feed, and draw what has changed; nothing while another run is shown."""
        self._readiness.keep_up(self._panels.names or self.feed.run.fields)
        if self not in self.app.screen_stack:
            return
        now = time.monotonic()
        if self.feed.link is not self._link:
            self._link, self._link_at = self.feed.link, now
        is_new = self.feed.revision != self._seen[0]
        if is_new or now >= self._status_due:
            self._status_due = now + STATUS_S / 2
            self._show_status(now)
        self._clock.note_look()
        if is_new:
            self._seen = (self.feed.revision, *self._seen[1:])
            self.query_one(LogTail).show(view_log(self.feed))
        self._refresh_panels(now)

    def _hurry(self) -> None:
        """Look at what has come; the size and the age of the file, and the like, can wait."""
        feed = self.feed
        news = (feed.run.revision, feed.link, feed.is_caught_up, feed.preview is None, len(feed.replaced))
        if news != self._news and self in self.app.screen_stack:
            self._news = news
            self._clock.hurry()

    def _show_keys(self, _: Screen[None]) -> None:
        """The keys that there are now; they change with the focus, and with the configuration."""
        self.query_one(KeyLine).show(key_line(self))
        self._alert_keys = (key_of(self, "alerts"), key_of(self, "acknowledge"))
        self.query_one(AlertBanner).show(self._banner())

    def _show_status(self, now: float) -> None:
        since_link_s = now - self._link_at
        self.query_one(StatusStrip).show(view_status(self.feed, self.position))
        empty = view_empty(self.feed, since_link_s)
        if empty:
            self.query_one(EmptyState).show(empty)
        self._notice = view_notice(self.feed, since_link_s)
        if self._notice:
            self.query_one(NoticeLine).show(self._notice)
        self.query_one(AlertBanner).show(self._banner())
        self._place()

    def _banner(self) -> Banner:
        banner = view_banner(self.feed, self.choice.acknowledged)
        if not banner.firing and not banner.acknowledged:
            return banner
        return replace(banner, keys=self._alert_keys)

    def _refresh_panels(self, now: float) -> None:
        """Draw curves, metrics and table again where entries or alerts have come, as often as is affordable."""
        feed = self.feed
        is_preview = feed.preview is not None
        seen = (feed.run.revision, _alerts_revision(feed), is_preview, feed.is_going_on, feed.options)
        if seen == self._seen[1:]:
            return
        is_early = (
            canvas.is_loading() or self._is_drawing() or (self._readiness.is_at_work and not is_preview)
        )
        if is_early or now < self._panels_due:
            self._clock.look_in(max(self._panels_due - now, SOON_S))
            return
        self._seen = (self._seen[0], *seen)
        self._drawing = asyncio.create_task(self._draw_panels())
        self._drawing.add_done_callback(self._end_drawing)

    def _is_drawing(self) -> bool:
        return self._drawing is not None and not self._drawing.done()

    def _end_drawing(self, drawing: asyncio.Task[None]) -> None:
        """An error in it is the application's."""
        if not drawing.cancelled() and drawing.exception():
            self.call_later(drawing.result)

    async def _draw_panels(self) -> None:
        """Draw them one after the other: what came is told first, and keys are heard in between."""
        await asyncio.sleep(PAINT_S)
        taken_s, started = 0.0, time.perf_counter()
        for _ in self._panel_by_panel():
            taken_s += time.perf_counter() - started
            await asyncio.sleep(0)
            started = time.perf_counter()
        feed = self.feed
        share = SHARE if feed.is_caught_up and not feed.past() else READING_SHARE
        self._panels_due = time.monotonic() + min(taken_s / share, LATEST_S)

    def _panel_by_panel(self) -> Iterator[None]:
        if self.is_mounted:
            self._panels = view_panels(self.feed, self.choice)
            yield
            if not self._place():
                yield from self._panels_shown()

    # What is chosen

    def choose(self, choice: Display) -> None:
        """Show the run in another way, and tell so."""
        before, self.choice = self.choice, choice
        if choice == before:
            return
        self.post_message(DisplayChanged(self.feed, choice))
        if replace(choice, cursor=before.cursor) == before:
            self._show_readings()
            return
        self._panels = replace(self._panels, names=view_names(self.feed, choice))
        if not self._place():
            self._show_panels()

    def visible_names(self) -> tuple[str, ...]:
        """The metrics that are drawn as curves now."""
        if self.choice.focus is not None:
            return (self.choice.focus,)
        first = self._page.start
        return self._panels.names[first : first + self.arrangement.curves]

    def _show_panels(self) -> None:
        for _ in self._panels_shown():
            pass

    def _panels_shown(self) -> Iterator[None]:
        """Show one panel after the other."""
        if not self.arrangement.boxes or "empty" in self.arrangement.boxes:
            return
        yield from self._curves_shown()
        if "metrics" in self.arrangement.boxes:
            self._show_metrics()
            yield
        if "stats" in self.arrangement.boxes and self.choice.focus:
            self.query_one(StatsLine).show(view_stats(self.feed, self.choice, self.choice.focus))
            yield
        table = self.query_one(MilestoneTable)
        table.show(self._panels.table)
        table.look(_cell_of(self.choice), Order(*self.choice.sort) if self.choice.sort else Order(STEP))
        yield

    def _curves_shown(self) -> Iterator[None]:
        names = [name for name in self.visible_names() if name in self.feed.shown.fields]
        stones = [row.step for row in self._panels.table.rows if row.step is not None]
        note = self._page.label if self.choice.focus is None else ""
        others = view_references(self.feed, self.choice, names)
        self.curves = view_curves(self.feed, self.choice, names, stones, others, note)
        yield
        for index in range(MOST_CURVES):
            if index < len(self.curves.curves):  # a key may have chosen others meanwhile
                curve = self.curves.curves[index]
                reading = view_reading(self.feed, self.choice, curve.name)
                self.query_one(f"#curve{index}", CurvePlot).show(Plot(curve, reading))
                yield

    def _show_readings(self) -> None:
        """Move the crosshair; nothing else is drawn."""
        for index, curve in enumerate(self.curves.curves):
            reading = view_reading(self.feed, self.choice, curve.name)
            self.query_one(f"#curve{index}", CurvePlot).read(reading)

    def _show_metrics(self) -> None:
        """The metrics after those that are drawn, as many as there is room for."""
        box = self.arrangement.boxes["metrics"]
        first = self._page.start + self.arrangement.curves
        rest = self._panels.names[first:]
        seen = view_metrics(self.feed, rest[: box.height * metric_columns(box.width)])
        is_narrow = self.arrangement.kind == "narrow"
        title = "" if is_narrow and not self.choice.pattern else "metrics"
        if title and len(self._panels.names) < self._panels.of:
            title = f"metrics  {len(self._panels.names):,} of {self._panels.of:,}"
        self.query_one(MetricList).show(Metrics(seen, title, len(rest) - len(seen)))

    # The layout

    def _place(self) -> bool:
        """Give every panel its box, and show them again, where the layout has changed; whether it has."""
        if not self.is_mounted or not self.size:
            return False
        page, arrangement = self._arrange()
        if (page, arrangement) == (self._page, self.arrangement):
            return False
        self._page, self.arrangement = page, arrangement
        for panel in self.children:
            if (panel.id or "textual-").startswith("textual-"):
                continue  # what Textual itself shows over a screen, such as toasts
            _put(panel, arrangement)
        self._show_panels()
        return True

    def _measure_table(self) -> int:
        """The table's whole width, measured once."""
        if self._table_cells[0] is not self._panels.table:
            self._table_cells = (self._panels.table, table_cells(self._panels.table))
        return self._table_cells[1]

    def _arrange(self) -> tuple[Page, Arrangement]:
        """The page that is asked for, or the last there is, and where its panels stand."""
        content = self._content()
        count = len(self._panels.names)
        first = arrange(*self.size, replace(content, metrics=count))
        if not self.choice.page or self.choice.focus is not None:
            later = _capacity(arrange(*self.size, replace(content, metrics=count, page=1)))
            return turn_to(0, count, _capacity(first), later), first
        later = _capacity(arrange(*self.size, replace(content, metrics=count, page=1)))
        page = turn_to(self.choice.page, count, _capacity(first), later)
        shown = replace(content, metrics=count - page.start, page=page.number)
        return page, arrange(*self.size, shown)

    def _content(self) -> Content:
        width, height = self.size
        banner, focus = self.query_one(AlertBanner).data, self.choice.focus
        stats = view_stats(self.feed, self.choice, focus) if focus else None
        return Content(
            stats_rows=min(stats_rows(stats, width), max(height // 8, 1)) if stats else 0,
            table_cells=self._measure_table() if kind_of(width) == "wide" else 0,
            table_rows=len(self._panels.table.rows) + 5,
            status_rows=status_rows(width),
            banner_rows=_banner_rows(banner, width, height),
            notice_rows=_notice_rows(self._notice, width, height),
            shows_log=self.choice.shows_log,
            is_empty=not self.feed.run.entries,
            is_asking=self._is_asking,
            splits=self.choice.splits,
        )


def _cell_of(choice: Display) -> str:
    if choice.shows_differences:
        return "difference"
    return "change" if choice.shows_changes else "value"


def _capacity(arrangement: Arrangement) -> int:
    """How many metrics a page has: its curves, or where there are none its lines."""
    box = arrangement.boxes.get("metrics")
    lines = box.height * metric_columns(box.width) if box else 0
    return arrangement.curves or lines or 1


def _banner_rows(banner: Banner, width: int, height: int) -> int:
    return banner_rows(banner, width, max(_sentence_rows(width, height), 1))


def _notice_rows(notice: Notice | None, width: int, height: int) -> int:
    return len(draw_notice(notice, width, max(_sentence_rows(width, height), NOTICE_ROWS))) if notice else 0


def _sentence_rows(width: int, height: int) -> int:
    return min(SENTENCE_ROWS[kind_of(width)], height // 4)


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
