"""Many runs, one row each, to choose one from."""

from __future__ import annotations

from textual.events import MouseMove
from textual.message import Message

from widgets.cells import Line
from widgets.drawing.fleet import Fleet, draw_fleet, keys_in_sight, row_at, scroll_to_chosen
from widgets.pick_list import PickList


class FleetList(PickList[Fleet]):
    """Shows the runs around the chosen one, and says which is clicked and where the wheel leads."""

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

    def key_at(self, y: int) -> int | None:
        """The run that is drawn in this row."""
        return row_at(self.data, *self.size, y, self._top)

    def on_mouse_move(self, event: MouseMove) -> None:
        """No row may move away from under the pointer."""
        self.post_message(self.Pointed())
