"""`milepost config`: the configuration in full, or all that is wrong with it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import tui.app  # noqa: F401 - loads every screen, so that all their keys are known
from themes.palettes import collect
from tui.commands.settings import theme_folder
from tui.config import load_config
from tui.config.files import LOCAL_NAME, find_local, working_folder
from tui.config.loading import Reading, read_all, read_config, read_local
from tui.config.mistakes import Mistake, suggest
from tui.config.showing import show_config
from tui.errors import ConfigError
from tui.screens.keymap import actions, find_mistakes

EXIT_WRONG = 3
"""What every command exits with that was told something wrong."""


def run_config(args: argparse.Namespace) -> int:
    """Print the configuration in full, or check it.

    Raises:
        ConfigError: The configuration to be shown has a mistake.
    """
    path = Path(args.config) if args.config else None
    if args.check is not None:
        return _check(Path(args.check) if args.check else path)
    load_config(path, working_folder())  # which tells of the first mistake
    known = [(action.name, ",".join(action.keys), action.doc) for action in actions().values()]
    print(show_config(read_all(path, working_folder()).raw, known), end="")
    return 0


def _check(path: Path | None) -> int:
    """Tell every mistake, each in a line: of one file, or of all that are read when none is named."""
    if path is None:
        folder = working_folder()
        local = find_local(folder) if folder else None
        found = [
            *_mistakes(None),
            *(_mistakes(local) if local else ()),
            *collect(theme_folder()).faults,
        ]
    else:
        found = _mistakes(path)
    for mistake in found:
        print(mistake, file=sys.stderr)
    if not found:
        print("ok")
    return EXIT_WRONG if found else 0


def _mistakes(path: Path | None) -> list[str]:
    """What is wrong in one file, in the order of its lines."""
    try:
        reading = read_local(path) if path and path.name == LOCAL_NAME else read_config(path)
    except ConfigError as error:
        return [str(error)]
    found = [*reading.mistakes, *find_mistakes(reading.config), *_find_missing_theme(reading)]
    return [str(mistake) for mistake in sorted(found, key=lambda mistake: mistake.line)]


def _find_missing_theme(reading: Reading) -> Iterator[Mistake]:
    theme, known = reading.config.theme, collect(theme_folder()).palettes
    if theme and theme not in known:
        place = reading.config.place.into("theme")
        yield place.mistake(f"there is no theme {theme!r}; {suggest(theme, known)}")
