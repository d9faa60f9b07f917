"""The log alone, on the whole screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen

from tui.screens.help import named
from widgets.drawing.keys import Key, Keys
from widgets.drawing.log import Log, LogView
from widgets.key_line import KeyLine
from widgets.log_tail import LogTail

CLOCK_S = 0.25
"""Seconds between two looks at the log."""

_KEYS = Keys(
    (
        Key("Esc", "back", "close"),
        Key("f", "filter", "write('pattern')"),
        Key("/", "search", "write('search')"),
        Key("n", "next", "find(1)"),
        Key("N", "before", "find(-1)"),
        Key("w", "fold", "fold"),
        Key("End", "follow", "follow"),
    )
)


class LogScreen(Screen[LogView]):
    """Shows the last lines of the log, and follows them; gives how it was looked at when it is closed.

    Args:
        log: Gives the log as it is now.
        view: How it is looked at.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,F", "close", "back", key_display="Esc", show=False, id="log.close"),
    ]

    def __init__(self, log: Callable[[], Log], view: LogView) -> None:
        super().__init__()
        self._log = log
        self._view = view

    def compose(self) -> ComposeResult:
        """The log, and its keys under it."""
        yield LogTail(id="log")
        yield KeyLine(_KEYS, id="keys")

    def on_mount(self) -> None:
        """Keep looking."""
        log = self.query_one(LogTail)
        log.look(self._view)
        log.show(self._log())
        log.focus()
        self.call_after_refresh(lambda: self.query_one(KeyLine).show(named(self, _KEYS)))
        self.set_interval(CLOCK_S, lambda: log.show(self._log()))

    def action_close(self) -> None:
        """Back to the run."""
        self.dismiss(self.query_one(LogTail).view)

    def action_write(self, what: str) -> None:
        """Write a filter or a search."""
        self.query_one(LogTail).action_write(what)

    def action_find(self, by: int) -> None:
        """Go to the next find, or the one before."""
        self.query_one(LogTail).action_find(by)

    def action_fold(self) -> None:
        """Fold long lines, or cut them."""
        self.query_one(LogTail).action_fold()

    def action_follow(self) -> None:
        """Go to the last line."""
        self.query_one(LogTail).action_move(1_000_000)

    def on_log_tail_opened(self, event: LogTail.Opened) -> None:
        """What opened it closes it."""
        self.action_close()
