"""A metric's curve, which can be zoomed, panned and read with the mouse."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace
from textual.events import Click, Leave, MouseDown, MouseMove, MouseScrollDown, MouseScrollUp, MouseUp
from textual.message import Message

from widgets.cells import Line
from widgets.drawing.curve import Curve, Frame, Reading, draw_curve, make_frame
from widgets.surface import Surface

PAN_SHARE = 0.1
"""How much of the window a turn of the wheel with shift moves by."""


class Plot(Struct, frozen=True):
    """A curve, and what the crosshair reads on it."""

    curve: Curve
    reading: Reading | None = None


class CurvePlot(Surface[Plot], can_focus=True):
    """Shows one metric; what a person does to it is told, and done by whoever owns the window of all curves.

    The wheel zooms at the pointer, with shift it pans; a drag chooses a range, with shift or ctrl it pans; a
    click points, and a double click opens.
    """

    class Zoomed(Message):
        """The wheel was turned over an x: by `turns`, positive to see less of it, larger."""

        def __init__(self, x: float, turns: int) -> None:
            super().__init__()
            self.x, self.turns = x, turns

    class Panned(Message):
        """The window was moved by a share of its width, positive to the right."""

        def __init__(self, share: float) -> None:
            super().__init__()
            self.share = share

    class Chosen(Message):
        """A range of x was chosen to be seen alone."""

        def __init__(self, low: float, high: float) -> None:
            super().__init__()
            self.low, self.high = low, high

    class Pointed(Message):
        """The pointer is at an x; a click says it, or the mere presence of the pointer."""

        def __init__(self, x: float, *, is_click: bool) -> None:
            super().__init__()
            self.x, self.is_click = x, is_click

    class Opened(Message):
        """A metric is to be seen alone."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(Plot(Curve("")), id=id)
        self._frame = Frame([])
        self._framed: tuple[Curve, int, int] | None = None
        self._held: int | None = None  # the column where the button went down
        self._drag: tuple[int, int] | None = None
        self._is_panning = False

    def draw(self, data: Plot, width: int, height: int) -> list[Line]:
        """The curve in this room; only the crosshair is drawn anew where nothing else has changed."""
        known = self._framed
        if known is None or known[0] is not data.curve or known[1:] != (width, height):
            self._frame = make_frame(data.curve, width, height)
            self._framed = (data.curve, width, height)
        return draw_curve(
            data.curve,
            width,
            height,
            frame=self._frame,
            reading=data.reading,
            chosen=self._range(),
            is_focused=self.has_focus,
        )

    def read(self, reading: Reading | None) -> None:
        """Move the crosshair, or end it."""
        if reading != self.data.reading:
            self.show(replace(self.data, reading=reading))

    def columns(self) -> int:
        """The width of the canvas in cells; 0 where nothing is drawn."""
        return self._frame.scale.columns if self._frame.scale else 0

    def _range(self) -> tuple[int, int] | None:
        """The columns of the canvas that are being chosen."""
        if self._drag is None or self._is_panning:
            return None
        first, last = sorted(self._frame.column_at(column) for column in self._drag)
        return first, last

    # The mouse

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """See less, larger; with shift what was before."""
        self._scroll(event, 1)

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """See more; with shift what comes after."""
        self._scroll(event, -1)

    def _scroll(self, event: MouseScrollUp | MouseScrollDown, turns: int) -> None:
        x = self._frame.x_at(event.x)
        event.stop()
        if event.shift or event.ctrl:
            self.post_message(self.Panned(-turns * PAN_SHARE))
        elif x is not None:
            self.post_message(self.Zoomed(x, turns))

    def on_mouse_down(self, event: MouseDown) -> None:
        """A drag may begin, but not on the rule above: that is a border of the panel."""
        if event.y > 0 and self._frame.x_at(event.x) is not None:
            self._held = event.x
            self._is_panning = event.shift or event.ctrl or event.button != 1
            self.capture_mouse()

    def on_mouse_move(self, event: MouseMove) -> None:
        """Choose a range, pan, or just point."""
        if self._held is None:
            x = self._frame.x_at(event.x)
            if x is not None:
                self.post_message(self.Pointed(x, is_click=False))
            return
        if self._is_panning:
            if event.x != self._held and self.columns():
                self.post_message(self.Panned((self._held - event.x) / self.columns()))
                self._held = event.x
            self._drag = (self._held, event.x)
        elif self._drag or event.x != self._held:
            self._drag = (self._held, event.x)
            self.redraw()

    def on_mouse_up(self, event: MouseUp) -> None:
        """What was dragged over is chosen; a click without a drag points."""
        held, drag = self._held, self._drag
        self._held, self._drag = None, None
        self.release_mouse()
        if held is None or self._is_panning:
            return
        if drag is None or abs(drag[0] - drag[1]) < 2:
            x = self._frame.x_at(held)
            if x is not None:
                self.post_message(self.Pointed(x, is_click=True))
        else:
            self._choose(drag)
        self.redraw()

    def _choose(self, drag: tuple[int, int]) -> None:
        scale = self._frame.scale
        if scale is None:
            return
        first, last = sorted(self._frame.column_at(column) for column in drag)
        low, high = (scale.x.value_at(edge / scale.columns) for edge in (first, last + 1))
        self.post_message(self.Chosen(low, high))

    def on_click(self, event: Click) -> None:
        """A double click opens the metric."""
        if event.chain == 2:
            self.post_message(self.Opened(self.data.curve.name))

    def on_leave(self, event: Leave) -> None:
        """What was dragged out of the window is not lost: the mouse is still held."""
        if self._held is None:
            self._drag = None
