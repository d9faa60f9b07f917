"""The Textual side of every widget here: cells go in, only the rows that differ are painted again."""

from __future__ import annotations

from typing import ClassVar, Generic, TypeVar

from rich.segment import Segment
from rich.style import Style
from textual.events import Resize
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from widgets.cells import STYLES, Line, fill

Data = TypeVar("Data")


class Surface(Widget, Generic[Data]):
    """A widget that is drawn, row by row, from one frozen piece of plain data.

    A subclass says in `draw` what it looks like. `show` gives it other data; nothing is drawn while it has no
    room, and what is drawn is painted only where it differs from before.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"cell--{name}" for name in STYLES}

    def __init__(self, data: Data, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._data = data
        self._lines: list[Line] = []
        self._colours: dict[str, Style] = {}

    @property
    def data(self) -> Data:
        """What is shown."""
        return self._data

    def draw(self, data: Data, width: int, height: int) -> list[Line]:
        """The rows for this data and room: at most `height`, each at most `width` cells."""
        raise NotImplementedError

    def show(self, data: Data) -> None:
        """Show other data; the same, or equal, data costs nothing."""
        if data is self._data or data == self._data:
            return
        self._data = data
        self.redraw()

    def redraw(self) -> None:
        """Draw again, and have those rows painted that came out different."""
        width, height = self.size
        if not width or not height or not self.is_attached:
            self._lines = []
            return
        before, self._lines = self._lines, self.draw(self._data, width, height)[:height]
        if not before:
            self.refresh()
            return
        changed = [row for row in range(height) if self._row(self._lines, row) != self._row(before, row)]
        if changed:
            self.refresh(*(Region(0, row, width, 1) for row in changed))

    def render_line(self, y: int) -> Strip:
        """One row in the colours of the theme."""
        line = fill(self._row(self._lines, y), self.size.width)
        segments = [Segment(text, self._style(style)) for text, style in line]
        return Strip(segments, self.size.width)

    def _style(self, name: str) -> Style:
        """The colours of a style, looked up once for each theme."""
        found = self._colours.get(name)
        if found is None:
            found = self._colours[name] = self.get_component_rich_style(f"cell--{name}")
        return found

    def notify_style_update(self) -> None:
        """Another theme has other colours."""
        self._colours.clear()
        super().notify_style_update()

    def on_resize(self, event: Resize) -> None:
        """Another room, another drawing."""
        self._lines = []
        self.redraw()

    def on_focus(self) -> None:
        """A focused panel looks it."""
        self.redraw()

    def on_blur(self) -> None:
        """And another one does not."""
        self.redraw()

    @staticmethod
    def _row(lines: list[Line], row: int) -> Line:
        return lines[row] if row < len(lines) else []
