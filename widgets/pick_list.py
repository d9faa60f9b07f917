"""Rows to choose one from with keys, wheel and clicks; whoever shows them holds the choice."""

from __future__ import annotations

from textual.events import Click, MouseScrollDown, MouseScrollUp
from textual.message import Message

from widgets.surface import Data, Surface


class PickList(Surface[Data]):
    """Says which row is clicked and where the wheel leads; a subclass says what is drawn in which row."""

    class Picked(Message):
        """What has this key was clicked."""

        def __init__(self, key: int) -> None:
            super().__init__()
            self.key = key

    class Turned(Message):
        """The wheel was turned, down or up, by `by` rows."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    def key_at(self, y: int) -> int | None:
        """The key of what is drawn in this row; None where nothing can be chosen."""
        raise NotImplementedError

    def on_click(self, event: Click) -> None:
        """A click picks."""
        key = self.key_at(event.y)
        if key is not None:
            self.post_message(self.Picked(key))

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """The wheel moves the choice."""
        event.stop()
        self.post_message(self.Turned(1))

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """The wheel moves the choice."""
        event.stop()
        self.post_message(self.Turned(-1))
