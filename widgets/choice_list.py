"""A list to choose from with keys, wheel and clicks; whoever shows it holds the choice."""

from __future__ import annotations

from textual.events import Click, MouseScrollDown, MouseScrollUp
from textual.message import Message

from widgets.cells import Line
from widgets.drawing.choices import Choices, choice_at, draw_choices
from widgets.surface import Surface


class ChoiceList(Surface[Choices]):
    """Shows the choices, and says which one is clicked and where the wheel leads."""

    class Picked(Message):
        """A choice was clicked; `index` counts through all groups."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    class Turned(Message):
        """The wheel was turned, down or up, by `by` choices."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    def draw(self, data: Choices, width: int, height: int) -> list[Line]:
        """The rows around the chosen one."""
        return draw_choices(data, width, height)

    def on_click(self, event: Click) -> None:
        """A click picks."""
        index = choice_at(self.data, *self.size, event.y)
        if index is not None:
            self.post_message(self.Picked(index))

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """The wheel moves the choice."""
        event.stop()
        self.post_message(self.Turned(1))

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """The wheel moves the choice."""
        event.stop()
        self.post_message(self.Turned(-1))
