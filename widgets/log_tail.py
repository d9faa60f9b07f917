"""The end of the log, which follows until it is scrolled up; it can be filtered and searched."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Click, Key, MouseScrollDown, MouseScrollUp
from textual.message import Message
from textual.widgets import Input

from widgets.cells import Line
from widgets.drawing.log import Log, LogView, draw_log
from widgets.drawing.logview import choose_lines, find_hits, moved, shown_at
from widgets.surface import Surface

PROMPTS = {"pattern": "filter ", "search": "search "}
"""What stands before the row that is written in; as wide as the style sheet leaves room for."""


class LogTail(Surface[Log], can_focus=True):
    """Shows the last lines of the log as they are."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "earlier lines", show=False, id="log.up", key_display="↑"),
        Binding("down,j", "move(1)", "later lines", show=False, id="log.down", key_display="↓"),
        Binding("pageup", "move(-10)", "ten lines up", show=False, id="log.page_up"),
        Binding("pagedown", "move(10)", "ten lines down", show=False, id="log.page_down"),
        Binding("home", "move(-1000000)", "the earliest line kept", show=False, id="log.first"),
        Binding("end", "move(1000000)", "the last line, and follow", show=False, id="log.last"),
        Binding(
            "f",
            "write('pattern')",
            "filter",
            tooltip="show only the lines that match",
            show=False,
            id="log.filter",
        ),
        Binding(
            "slash",
            "write('search')",
            "search",
            tooltip="search in the log",
            show=False,
            id="log.search",
            key_display="/",
        ),
        Binding("n", "find(1)", "next match", show=False, id="log.next"),
        Binding("N", "find(-1)", "match before", show=False, id="log.before"),
        Binding("w", "fold", "fold", tooltip="fold long lines, or cut them", show=False, id="log.fold"),
        Binding("escape", "clear", "all lines again", show=False, id="log.clear", key_display="Esc"),
        Binding("enter", "open", "the log on the whole screen", show=False, id="log.open"),
    ]

    class Opened(Message):
        """A person wants to see the log alone."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(Log(), id=id)
        self.view = LogView()
        self._written: str | None = None  # the field of the view that is being written
        self._before = self.view

    def compose(self) -> ComposeResult:
        """The row that a filter or a search is written in."""
        yield Input(classes="query", compact=True, select_on_focus=False)

    def on_mount(self) -> None:
        """Nothing is written yet."""
        self.query_one(Input).display = False

    def draw(self, data: Log, width: int, height: int) -> list[Line]:
        """The lines that it is scrolled to."""
        lines = draw_log(data, width, height, self.view, is_focused=self.has_focus or self.view.is_typing)
        if self._written is None:
            return lines
        lines = [*lines[: height - 1], *([[]] * (height - 1 - len(lines)))]
        return [*lines, [(PROMPTS[self._written], "accent")]]

    def look(self, view: LogView) -> None:
        """Look at the log in another way."""
        self.view = view
        self.redraw()

    def action_move(self, down: int) -> None:
        """Scroll by so many rows."""
        self.look(moved(self.data, self.view, self.size, down))

    def action_fold(self) -> None:
        """Show long lines whole over several rows, or cut them again."""
        self.look(replace(self.view, folds=not self.view.folds, rest=0))

    def action_open(self) -> None:
        """Ask for the log on the whole screen."""
        self.post_message(self.Opened())

    def action_clear(self) -> None:
        """Take back the search, then the filter, then the pause; with nothing to take back the key is another's."""
        if self.view.search:
            self.look(replace(self.view, search="", hit=None))
        elif self.view.pattern:
            self.look(replace(self.view, pattern=""))
        elif self.view.anchor is not None:
            self.action_move(1_000_000)
        else:
            raise SkipAction

    def action_find(self, by: int) -> None:
        """Go to the next line in which the search finds something, or to the one before."""
        hits = find_hits(choose_lines(self.data, self.view), self.view)
        if not hits:
            return
        here = hits.index(self.view.hit) if self.view.hit in hits else None
        found = hits[-1] if here is None else hits[(here + by) % len(hits)]
        self.look(shown_at(self.data, replace(self.view, hit=found), self.size, found))

    def action_write(self, what: str) -> None:
        """Let a filter (`pattern`) or a search (`search`) be written, with what it finds shown as it is."""
        self._written, self._before = what, self.view
        self.view = replace(self.view, is_typing=True)
        query = self.query_one(Input)
        query.value = getattr(self.view, what)
        query.cursor_position = len(query.value)
        query.display = True
        query.focus()
        self.redraw()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show at once what is found."""
        event.stop()
        if self._written == "pattern":
            self.look(replace(self.view, pattern=event.value))
        elif self._written == "search":
            self.view = replace(self.view, search=event.value, hit=None)
            self.action_find(1)
            self.redraw()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take what was written."""
        event.stop()
        self._finish(replace(self.view, is_typing=False))

    def on_key(self, event: Key) -> None:
        """Escape takes back what was being written."""
        if event.key == "escape" and self._written is not None:
            event.stop()
            event.prevent_default()
            self._finish(self._before)

    def on_descendant_blur(self) -> None:
        """What was being written when something else was chosen stays."""
        if self._written is not None:
            self._finish(replace(self.view, is_typing=False), takes_focus=False)

    def _finish(self, view: LogView, *, takes_focus: bool = True) -> None:
        self._written = None
        self.query_one(Input).display = False
        if takes_focus:
            self.focus()
        self.look(view)

    def on_click(self, event: Click) -> None:
        """A click on the rule follows again; a double one opens the log on the whole screen."""
        if event.chain > 1:
            self.action_open()
        elif event.y == 0 and self.view.anchor is not None:
            self.action_move(1_000_000)

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """The wheel moves by three lines."""
        event.stop()
        self.action_move(3)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """The wheel moves by three lines."""
        event.stop()
        self.action_move(-3)
