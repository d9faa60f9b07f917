"""All that can be done on a screen, as a list to be searched: every key's action, by what it does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from tui.screens.help import Doing, doings

KEY_CELLS, FEW_KEY_CELLS = 9, 3
"""Room for the keys in front of what they do, and on a narrow screen."""

NARROW_BELOW = 60
"""Columns of a narrow screen."""


class Actions(Provider):
    """Offers the actions of the screen under the list, each with its keys, in the order of the help; and the themes."""

    async def discover(self) -> Hits:
        """Everything, as long as nothing is typed."""
        for doing in self._doings():
            yield DiscoveryHit(self._row(doing, Content(doing.doc)), self._does(doing), text=doing.doc)

    async def search(self, query: str) -> Hits:
        """What matches what is typed."""
        matcher = self.matcher(query)
        for name in self.app.available_themes:
            if (score := matcher.match(f"theme {name}")) > 0:
                label = Content.assemble(" " * (self._key_cells() + 2), matcher.highlight(f"theme {name}"))
                yield Hit(score, label, partial(setattr, self.app, "theme", name), text=f"theme {name}")
        for doing in self._doings():
            if (score := matcher.match(doing.doc)) > 0:
                row = self._row(doing, matcher.highlight(doing.doc))
                yield Hit(score, row, self._does(doing), text=doing.doc)

    def _doings(self) -> list[Doing]:
        bindings = self.screen.active_bindings.values()
        return [doing for doing in doings(bindings) if doing.action not in _NEEDLESS]

    def _key_cells(self) -> int:
        return KEY_CELLS if self.app.size.width >= NARROW_BELOW else FEW_KEY_CELLS

    def _row(self, doing: Doing, doc: Content) -> Content:
        """The keys, then what they do."""
        keys, cells = " ".join(doing.keys), self._key_cells()
        shown = keys if len(keys) <= cells else doing.keys[0]
        return Content.assemble((f"{shown:>{cells}}  ", "$accent"), doc)

    def _does(self, doing: Doing) -> Callable[[], Awaitable[bool]]:
        return partial(self.app.run_action, doing.action, doing.node)


_NEEDLESS = {"command_palette"}
"""What the list itself is."""
