"""The line of keys at the bottom, each of which can be clicked too."""

from __future__ import annotations

from textual.events import Click

from widgets.cells import Line
from widgets.drawing.keys import Keys, draw_keys, key_at
from widgets.surface import Surface


class KeyLine(Surface[Keys]):
    """Shows the keys that do something on this screen."""

    def draw(self, data: Keys, width: int, height: int) -> list[Line]:
        """As many keys as fit."""
        return draw_keys(data, width)

    async def on_click(self, event: Click) -> None:
        """A click does what the key does."""
        key = key_at(self.data, self.size.width, event.x)
        if key is not None:
            await self.screen.run_action(key.action)
