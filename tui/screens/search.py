"""The screen of a pattern that has not brought a run yet: what is looked for, where, and what stands in the way."""

from __future__ import annotations

import time
from typing import ClassVar

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen

from tui.events import LinkState
from tui.roster import Pattern
from tui.screens.help import HelpScreen, key_line
from tui.screens.run import CLOCK_S, RetryAsked
from tui.screens.status import view_trouble
from tui.sources.expand import no_match
from widgets.drawing.keys import Keys
from widgets.drawing.notice import Notice
from widgets.drawing.status import Status
from widgets.key_line import KeyLine
from widgets.notice_line import EmptyState
from widgets.status_strip import StatusStrip


class RunsFound(Message):
    """A pattern that is on the screen has brought its first runs."""

    def __init__(self, pattern: Pattern) -> None:
        super().__init__()
        self.pattern = pattern


class SearchScreen(Screen[None]):
    """Shows how the search goes, and says when there is something better to show.

    Args:
        pattern: What is looked for; it is read, never written.
        position: Which of several places this is, as text ("2/3").
    """

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "app.quit", "quit", id="search.quit", tooltip="quit; nothing is left running over there"),
        Binding("question_mark", "help", "help", id="search.help", key_display="?", tooltip="keys and signs"),
        Binding("R", "retry", "retry", id="search.retry", key_display="R", tooltip="look again at once"),
        Binding("escape", "app.show_fleet", "all runs", id="search.fleet", show=False, tooltip="show all runs"),
        Binding("o", "app.open_another", "open", id="search.open_another", tooltip="open another run"),
        Binding(
            "left_square_bracket", "app.switch_run(-1)", "run before", id="search.before", show=False,
            key_display="[",
        ),
        Binding(
            "right_square_bracket", "app.switch_run(1)", "next run", id="search.after", show=False, key_display="]",
        ),
    ]  # fmt: skip

    def __init__(self, pattern: Pattern, position: str | None = None) -> None:
        super().__init__()
        self.pattern = pattern
        self.position = position
        self._link = pattern.link
        self._link_at = time.monotonic()

    def compose(self) -> ComposeResult:
        """The status on top, what is awaited in the middle, the keys below."""
        yield StatusStrip(view_status(self.pattern, self.position), id="status")
        yield EmptyState(view_search(self.pattern), id="empty")
        yield KeyLine(Keys(), id="keys")

    def on_mount(self) -> None:
        """Start the clock."""
        self.set_interval(CLOCK_S, self.tick)
        self.tick()

    def tick(self) -> None:
        """Look at the pattern; nothing is replaced while a question stands above this screen."""
        if not self.is_current:
            return
        if self.pattern.runs:
            self.post_message(RunsFound(self.pattern))
            return
        now = time.monotonic()
        if self.pattern.link is not self._link:
            self._link, self._link_at = self.pattern.link, now
        self.query_one(StatusStrip).show(view_status(self.pattern, self.position))
        self.query_one(EmptyState).show(view_search(self.pattern, now - self._link_at))
        self.query_one(KeyLine).show(key_line(self))

    def action_help(self) -> None:
        """Show what every key does."""
        self.app.push_screen(HelpScreen(tuple(self.active_bindings.values())))

    def action_retry(self) -> None:
        """Look again at once, with all that share the way."""
        self.pattern.retry_now()
        self.post_message(RetryAsked(self.pattern))


def view_status(pattern: Pattern, position: str | None = None) -> Status:
    """The way to where it is looked for; of a run's health nothing is known."""
    target = pattern.target
    return Status(target.path, target.place, "unknown", pattern.link.state.value, position=position)


def view_search(pattern: Pattern, since_link_s: float = 0.0) -> Notice:
    """What is awaited, or what is wrong and what can be done about it."""
    target, link = pattern.target, pattern.link
    if link.state is LinkState.CONNECTING:
        return Notice(f"looking for logs at {target.text}", f"connecting to {target.place}")
    if link.state is LinkState.LIVE:
        return Notice(f"looking for logs at {target.text}", f"asking {target.place}")
    if link.detail == str(no_match(target)):
        advice = f"nothing matches on {target.place}; check the pattern, or start the runs that write there"
        trouble = view_trouble(replace(link, detail=advice), target.place, since_link_s)
        return replace(trouble, headline=f"no log at {target.text} yet", level="warning")
    return view_trouble(link, target.place, since_link_s)
