"""Asks for a file's name, and writes the screen, a report or the data into it, as the name's end says."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from tui.errors import UsageError
from tui.feed import Feed
from tui.report.data import csv_pieces
from tui.report.files import FORMS, Form, find_form, write_file
from widgets.cells import clean
from widgets.numbers import format_step

HINT = ".md .html a report · .csv .json the data · .svg this screen"


class ExportScreen(ModalScreen[Path | None]):
    """Takes a name and writes the file; its result is what was written.

    Args:
        feed: The run.
        names: The metrics to write.
        picture: The screen as SVG, as it was before this one stood above it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "write nothing", key_display="Esc", priority=True),
    ]

    def __init__(self, feed: Feed, names: Sequence[str], picture: str) -> None:
        super().__init__()
        self._feed = feed
        self._names = tuple(names)
        self._picture = picture

    def compose(self) -> ComposeResult:
        """The question, the line, and what a name's end means."""
        with Vertical(classes="sheet prompt"):
            yield Label("write to", classes="prompt--host", markup=False)
            yield Input(suggest_name(self._feed), select_on_focus=False)
            yield Label("", id="trouble", classes="prompt--said", markup=False)
            yield Label(HINT, classes="prompt--hint", markup=False)

    def on_mount(self) -> None:
        """A person goes on writing at the name's end, not before it."""
        query = self.query_one(Input)
        query.cursor_position = len(query.value)

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        """Write it; what is wrong with the name stands under the line."""
        file = Path(event.value).expanduser()
        try:
            form = find_form(file, lambda feed, names: self._picture)
            text = await self._write(form)
            await asyncio.to_thread(write_file, file, text)
        except UsageError as error:
            self.query_one("#trouble", Label).update(clean(str(error)))
        else:
            if self.is_current:  # a person may have left meanwhile
                self.dismiss(file)

    async def _write(self, form: Form) -> str:
        """The text; the entries of a long log take a while, in which all else goes on."""
        if form is not FORMS[".csv"]:
            return form(self._feed, self._names)
        self.query_one("#trouble", Label).update("writing …")
        pieces = []
        for piece in csv_pieces(self._feed, self._names):
            pieces.append(piece)
            await asyncio.sleep(0)
        return "".join(pieces)

    def action_leave(self) -> None:
        """Write nothing."""
        self.dismiss(None)


def suggest_name(feed: Feed) -> str:
    """A report's name, from those of the run and of its step."""
    stem = re.sub(r"[^\w.-]+", "-", f"{feed.name}-{format_step(feed.run.last_step)}".replace(",", "")).strip(
        "-."
    )
    return f"{stem}.md"
