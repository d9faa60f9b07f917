"""A list in groups to choose from."""

from __future__ import annotations

from widgets.cells import Line
from widgets.drawing.choices import Choices, choice_at, draw_choices
from widgets.pick_list import PickList


class ChoiceList(PickList[Choices]):
    """Shows the choices; the key of each is its place, counted through all groups."""

    def draw(self, data: Choices, width: int, height: int) -> list[Line]:
        """The rows around the chosen one."""
        return draw_choices(data, width, height)

    def key_at(self, y: int) -> int | None:
        """The choice that is drawn in this row."""
        return choice_at(self.data, *self.size, y)
