"""Many runs, one row each, to choose one from."""

from __future__ import annotations

from textual.events import Click, MouseMove, MouseScrollDown, MouseScrollUp
from textual.message import Message

from widgets.cells import Line
from widgets.drawing.fleet import Fleet, draw_fleet, keys_in_sight, row_at, scroll_to_chosen
from widgets.surface import Surface


class FleetList(Surface[Fleet]):
    """Shows the runs around the chosen one, and says which is clicked and where the wheel leads."""

    class Picked(Message):
        """A run was clicked."""

        def __init__(self, key: int) -> None:
            super().__init__()
            self.key = key

    class Turned(Message):
        """The wheel was turned, down or up, by `by` rows."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    class Pointed(Message):
        """The pointer moves over the runs: somebody is about to click one."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(Fleet(), id=id)
        self._top = 0

    def draw(self, data: Fleet, width: int, height: int) -> list[Line]:
        """The rows around the chosen one, moved no more than is needed."""
        self._top = scroll_to_chosen(data, width, height, self._top)
        return draw_fleet(data, width, height, self._top)

    def in_sight(self) -> frozenset[int]:
        """The runs that are drawn."""
        return keys_in_sight(self.data, *self.size, self._top)

    def on_click(self, event: Click) -> None:
        """A click opens."""
        key = row_at(self.data, *self.size, event.y, self._top)
        if key is not None:
            self.post_message(self.Picked(key))

    def on_mouse_move(self, event: MouseMove) -> None:
        """No row may move away from under the pointer."""
        self.post_message(self.Pointed())

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """The wheel moves the choice."""
        event.stop()
        self.post_message(self.Turned(1))

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """The wheel moves the choice."""
        event.stop()
        self.post_message(self.Turned(-1))
