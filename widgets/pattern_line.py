"""One row in which a part of a name is typed, and told with every key."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Label


class PatternLine(Horizontal):
    """Asks for a text or a pattern; what is typed so far counts at once.

    `label` stands before the row, and `example` in it while it is empty.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "clear", "all again", show=False, priority=True, key_display="Esc"),
    ]

    class Typed(Message):
        """The pattern is now this."""

        def __init__(self, pattern: str) -> None:
            super().__init__()
            self.pattern = pattern

    class Done(Message):
        """A person has finished: the pattern stays, or is given up."""

        def __init__(self, *, is_kept: bool) -> None:
            super().__init__()
            self.is_kept = is_kept

    def __init__(
        self, label: str = "metrics with ", example: str = "loss, or grad*", *, id: str | None = None
    ) -> None:
        super().__init__(id=id)
        self._label, self._example = label, example

    def compose(self) -> ComposeResult:
        """A label and the row to type in."""
        yield Label(self._label)
        hint = f"{self._example}   Enter keeps, Esc shows all"
        yield Input(compact=True, select_on_focus=False, placeholder=hint)

        yield Label("", id="found")

    def tell(self, found: str) -> None:
        """Say what the pattern has found so far."""
        self.query_one("#found", Label).update(found)

    def ask(self, pattern: str) -> None:
        """Begin with this pattern."""
        field = self.query_one(Input)
        with field.prevent(Input.Changed):
            field.value = pattern
        field.cursor_position = len(pattern)
        field.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Every key counts."""
        event.stop()
        self.post_message(self.Typed(event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep it."""
        event.stop()
        self.post_message(self.Done(is_kept=True))

    def action_clear(self) -> None:
        """Give it up."""
        self.post_message(self.Done(is_kept=False))
