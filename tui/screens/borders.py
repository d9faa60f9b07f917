"""Borders between the panels of a run, moved by the mouse or by keys."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace
from textual.binding import Binding, BindingType
from textual.events import MouseDown, MouseEvent, MouseMove, MouseUp

from tui.screens.board import Board
from tui.screens.splits import Border, border_at

_PANELS = Binding.Group("the borders of panels")


class Borders(Board):
    """A run whose panels can be made larger and smaller."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            *("ctrl+left", "move_border(-2,0)", "border left", False),
            tooltip="move the border of the table to the left",
            id="run.border_left",
            group=_PANELS,
        ),
        Binding(
            *("ctrl+right", "move_border(2,0)", "border right", False),
            tooltip="move the border of the table to the right",
            id="run.border_right",
            group=_PANELS,
        ),
        Binding(
            *("ctrl+up", "move_border(0,-1)", "border up", False),
            tooltip="move the border over the focused panel, or the lowest, up",
            id="run.border_up",
            group=_PANELS,
        ),
        Binding(
            *("ctrl+down", "move_border(0,1)", "border down", False),
            tooltip="move the border over the focused panel, or the lowest, down",
            id="run.border_down",
            group=_PANELS,
        ),
    ]

    _held: Border | None = None
    _grip = 0  # how far from its beginning the border was taken hold of

    def on_mouse_down(self, event: MouseDown) -> None:
        """Take hold of a border."""
        border = border_at(self.arrangement.borders, event.screen_x, event.screen_y)
        if border is not None and event.button == 1:
            event.stop()
            self._held, self._grip = border, _along(border, event) - border.start - border.size
            self.capture_mouse()

    def on_mouse_move(self, event: MouseMove) -> None:
        """Move the border that is held."""
        if self._held is not None:
            event.stop()
            self._put(self._held, _along(self._held, event) - self._held.start - self._grip)

    def on_mouse_up(self, event: MouseUp) -> None:
        """Let go of it."""
        if self._held is not None:
            event.stop()
            self._held = None
            self.release_mouse()

    def action_move_border(self, across: int, down: int) -> None:
        """Move the border between the sides, or the one over the focused panel."""
        border = self._find_border(is_upright=across != 0)
        if border is not None:
            self._put(border, border.size + across + down)

    def _put(self, border: Border, size: int) -> None:
        share = border.share_at(size)
        self.choose(replace(self.choice, splits={**self.choice.splits, border.name: share}))

    def _find_border(self, *, is_upright: bool) -> Border | None:
        borders = [border for border in self.arrangement.borders if border.is_upright is is_upright]
        box = self.arrangement.boxes.get(self.focused.id or "") if self.focused else None
        over = [border for border in borders if box is not None and border.y == box.y and not is_upright]
        return next(iter(over or borders[-1:]), None)


def _along(border: Border, event: MouseEvent) -> int:
    """The place of the pointer in the direction in which a border moves."""
    return int(event.screen_x if border.is_upright else event.screen_y)
