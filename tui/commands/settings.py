"""The configuration of a program that runs: read at its start, and again when a file of it has changed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from themes.palettes import Shelf, collect
from tui.commands.options import read_configuration, revise_options
from tui.config import Config, config_folder, default_path
from tui.config.files import local_places, working_folder
from tui.feed import FeedOptions
from tui.screens.keymap import load_keymap

Stamps = tuple[tuple[str, int, int, int], ...]
"""Path, inode, size and time of the last change (ns) of every file that is there."""


class LiveSettings:
    """Reads the configuration that a command line names, and looks after its files; implements `Settings`.

    Attributes:
        config: The configuration, as it was read last.
        shelf: The palettes, as they were read last.

    Raises:
        ConfigError: The configuration has a mistake.
    """

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self._folder = working_folder()
        self._read_at = self._seen = self._look()
        self.config: Config = read_configuration(args)
        self.shelf: Shelf = collect(theme_folder())

    def has_changed(self) -> bool:
        """Whether a file has changed since the last reading, and rests since the last look: it may be half written."""
        before, self._seen = self._seen, self._look()
        return self._seen == before and self._seen != self._read_at

    def read(self) -> Config:
        """Read all files again.

        Raises:
            ConfigError: The configuration has a mistake; then `config` stays as it was.
        """
        self._read_at = self._seen
        self.shelf = collect(theme_folder())
        config = read_configuration(self._args)
        load_keymap(config)
        self.config = config
        return config

    def revise(self, options: FeedOptions) -> FeedOptions:
        """What a run would be watched with, if it were opened now."""
        return revise_options(self._args, options, self.config)

    def _look(self) -> Stamps:
        return tuple(_stamps(self._places()))

    def _places(self) -> Iterator[Path]:
        yield Path(self._args.config) if self._args.config else default_path()
        yield from local_places(self._folder) if self._folder else ()
        yield from sorted(theme_folder().glob("*.toml"))


def theme_folder() -> Path:
    """Where a person's own themes are."""
    return config_folder() / "themes"


def list_themes() -> int:
    """Print the names of all palettes, and what is wrong with those that can't be used."""
    shelf = collect(theme_folder())
    print("\n".join(shelf.palettes))
    for fault in shelf.faults:
        print(f"milepost: {fault}", file=sys.stderr)
    return 0


def _stamps(files: Iterator[Path]) -> Iterator[tuple[str, int, int, int]]:
    for file in files:
        try:
            stat = file.stat()
        except OSError:  # not there, or not to be read: it counts when that changes
            continue
        yield str(file), stat.st_ino, stat.st_size, stat.st_mtime_ns
