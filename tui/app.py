"""The composition root of the screen: feeds become workers, each run gets its screen, palettes become themes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from themes.palettes import DEFAULT, MONOCHROME, STYLE_SHEET, built_in, to_theme
from tui.errors import UsageError
from tui.events import LinkChanged, LinkState
from tui.feed import Feed
from tui.screens.run import RetryAsked, RunScreen


class MilepostApp(App[None]):
    """Follows all feeds at once and shows one run at a time.

    Args:
        feeds: The runs, at least one.
        theme: The name of a palette; None is the default, without colours where NO_COLOR is set.
        is_calm: Whether nothing may flash.

    Raises:
        UsageError: There is no palette of that name.
    """

    CSS_PATH = STYLE_SHEET
    TITLE = "milepost"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q,ctrl+c", "quit", "quit", show=False, priority=True)
    ]

    def __init__(self, feeds: Sequence[Feed], theme: str | None = None, *, is_calm: bool = False) -> None:
        self._palettes = built_in()
        if theme is None:
            theme = MONOCHROME if os.environ.get("NO_COLOR") else DEFAULT
        if theme not in self._palettes:
            raise UsageError(f"there is no theme {theme!r}; themes are {', '.join(self._palettes)}")
        with _colours_left_to_the_theme():
            super().__init__()
        self._feeds = tuple(feeds)
        self._shown = 0
        self._is_calm = is_calm
        for palette in self._palettes.values():
            self.register_theme(to_theme(palette))
        self.theme = theme
        for name in set(self.available_themes) - set(self._palettes):
            self.unregister_theme(name)  # Textual's own have no colour for a raw curve or a frame

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The default palette's colours, for the moment before a theme is chosen."""
        return to_theme(self._palettes[DEFAULT]).variables

    def on_mount(self) -> None:
        """Follow every feed, and show the first."""
        for feed in self._feeds:
            self.run_worker(self._follow(feed), group="feeds", exit_on_error=False)
        self.push_screen(self._screen_of(0))

    def action_switch_run(self, by: int) -> None:
        """Show the next run, or the one before."""
        if len(self._feeds) > 1:
            self._shown = (self._shown + by) % len(self._feeds)
            self.switch_screen(self._screen_of(self._shown))

    def on_retry_asked(self, event: RetryAsked) -> None:
        """Connect the other runs on that host again too: a login lets all of them in."""
        for feed in self._feeds:
            if feed is not event.feed and feed.target.host == event.feed.target.host:
                feed.retry_now()

    def _screen_of(self, index: int) -> RunScreen:
        position = f"{index + 1}/{len(self._feeds)}" if len(self._feeds) > 1 else None
        return RunScreen(self._feeds[index], position, is_calm=self._is_calm)

    async def _follow(self, feed: Feed) -> None:
        try:
            await feed.follow()
        except Exception as error:  # noqa: BLE001 - a task's top level: told where it happened, the others go on
            self.log(error)
            fault = f"milepost itself failed on this log ({type(error).__name__}: {error}); please report it"
            feed.consume(LinkChanged(LinkState.REFUSED, fault))


@contextmanager
def _colours_left_to_the_theme() -> Iterator[None]:
    """Hide NO_COLOR from Textual, whose answer to it is greys; ours is a palette without any colour."""
    wish = os.environ.pop("NO_COLOR", None)
    try:
        yield
    finally:
        if wish is not None:
            os.environ["NO_COLOR"] = wish
