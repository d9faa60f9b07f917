"""An application that looks as the configuration says, and looks otherwise as soon as that says otherwise."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ClassVar, Protocol

from textual.app import App
from textual.binding import Binding, BindingType
from textual.command import CommandPalette, Provider
from textual.message import Message

from themes.palettes import DEFAULT, MONOCHROME, STYLE_SHEET, Palette, Shelf, built_in, to_theme
from tui.config import Config
from tui.errors import MilepostError, UsageError
from tui.feed import FeedOptions
from tui.screens.keymap import load_keymap
from tui.screens.palette import Actions

LOOK_S = 1.0
"""Seconds between two looks at whether a file of the configuration has changed."""

NOTICE_S = 20.0
"""How long a mistake in the configuration stays on the screen; it has to be read, and a line found by it."""


class Settings(Protocol):
    """Where the configuration comes from, and comes again."""

    config: Config
    """As it was read last."""

    @property
    def shelf(self) -> Shelf:
        """The palettes, as they were read last."""

    def has_changed(self) -> bool:
        """Whether a file has changed since it was read, or since this was asked."""

    def read(self) -> Config:
        """Read all files again.

        Raises:
            MilepostError: Something is wrong in them; then nothing has changed.
        """

    def revise(self, options: FeedOptions) -> FeedOptions:
        """What a run would be watched with by this configuration."""


class ConfigChanged(Message):
    """The configuration was read again, and its themes and keys hold already.

    `revise` gives what a run would be watched with now.
    """

    def __init__(self, before: Config, after: Config, revise: Callable[[FeedOptions], FeedOptions]) -> None:
        super().__init__()
        self.before = before
        self.after = after
        self.revise = revise


class ConfiguredApp(App[None]):
    """Has themes, keys and a list of commands by the configuration.

    Args:
        theme: The name of a palette that is asked for; None leaves it to the configuration, and to NO_COLOR.
        settings: The configuration and the palettes; None for the defaults.

    Raises:
        UsageError: There is no palette of that name.
        ConfigError: The configuration gives keys to what there is not, or one key to two things.
    """

    CSS_PATH = STYLE_SHEET
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {Actions}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q,ctrl+c", "quit", "quit", show=False, priority=True, id="app.quit"),
        Binding(
            "ctrl+p", "command_palette", "commands", show=False, priority=True, id="app.commands",
            tooltip="all that can be done here, to be searched",
        ),
        Binding("T", "next_theme", "theme", show=False, id="app.theme", tooltip="the next theme"),
    ]  # fmt: skip

    def __init__(self, theme: str | None = None, settings: Settings | None = None) -> None:
        shelf = settings.shelf if settings else Shelf(built_in())
        config = settings.config if settings else Config()
        with _colours_left_to_the_theme():
            super().__init__()
        self._settings = settings
        self._asked_theme = theme
        self._is_broken = False
        self._palettes: dict[str, Palette] = {}
        self._shelve(shelf)
        self.theme = self._choose_theme(config)
        for name in set(self.available_themes) - set(self._palettes):
            self.unregister_theme(name)  # Textual's own have no colour for a raw curve or a frame
        self.set_keymap(load_keymap(config))

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The default palette's colours, for the moment before a theme is chosen."""
        return to_theme(built_in()[DEFAULT]).variables

    def on_mount(self) -> None:
        """Tell of palettes that are broken, and look after the configuration."""
        if self._settings:
            self._tell_faults(self._settings.shelf)
            self.set_interval(LOOK_S, self.look_at_settings)

    def look_at_settings(self) -> None:
        """Take over the configuration where it has changed; where it is broken, say so and go on with the old one."""
        if self._settings is None or not self._settings.has_changed():
            return
        before = self._settings.config
        try:
            after = self._settings.read()
            keymap = load_keymap(after)
        except MilepostError as error:
            self._is_broken = True
            self._tell(f"{error} (what held before goes on)")
            return
        if self._is_broken:
            self._is_broken = False
            self.clear_notifications()
            self.notify("the configuration is right again", timeout=4)
        self._shelve(self._settings.shelf)
        self._tell_faults(self._settings.shelf)
        if after.theme != before.theme:
            self._adopt_theme(after)
        self.set_keymap(keymap)
        self.post_message(ConfigChanged(before, after, self._settings.revise))

    def action_next_theme(self) -> None:
        """Change to the palette after this one."""
        names = list(self._palettes)
        self.theme = names[(names.index(self.theme) + 1) % len(names)]
        self.clear_notifications()
        self.notify(f"theme {self.theme}", timeout=2, markup=False)

    def action_command_palette(self) -> None:
        """Show all that can be done here, to be searched and chosen from."""
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(CommandPalette(placeholder="what to do", id="--command-palette"))

    def _shelve(self, shelf: Shelf) -> None:
        """Have these palettes and no others, but for the one in use."""
        for name in self._palettes.keys() - shelf.palettes.keys():
            if name != self.theme:
                self.unregister_theme(name)
        for name, palette in shelf.palettes.items():
            if self._palettes.get(name) != palette:
                self.register_theme(to_theme(palette))
                if name == self.theme and self.is_running:
                    self.mutate_reactive(App.theme)
        in_use = {name: palette for name, palette in self._palettes.items() if name == self.theme}
        self._palettes = dict(shelf.palettes) | {**in_use, **shelf.palettes}

    def _choose_theme(self, config: Config) -> str:
        name = self._asked_theme or config.theme
        if name is None:
            return MONOCHROME if os.environ.get("NO_COLOR") else DEFAULT
        if name not in self._palettes:
            raise UsageError(f"there is no theme {name!r}; themes are {', '.join(self._palettes)}")
        return name

    def _adopt_theme(self, config: Config) -> None:
        try:
            self.theme = self._choose_theme(config)
        except UsageError as error:
            self._tell(str(error))

    def _tell_faults(self, shelf: Shelf) -> None:
        for fault in shelf.faults:
            self._tell(f"{fault}; this theme is left out")

    def _tell(self, text: str) -> None:
        self.notify(text, severity="warning", timeout=NOTICE_S, markup=False)


@contextmanager
def _colours_left_to_the_theme() -> Iterator[None]:
    """Hide NO_COLOR from Textual, whose answer to it is greys; ours is a palette without any colour."""
    wish = os.environ.pop("NO_COLOR", None)
    try:
        yield
    finally:
        if wish is not None:
            os.environ["NO_COLOR"] = wish
