"""From files to a `Config`: the user's own, and over it what a folder says of how things look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tui.config.declaring import keys_of, read_section
from tui.config.files import default_path, find_local, read_toml
from tui.config.mistakes import Mistake, Page, Place
from tui.config.schema import Config, DisplayConfig
from tui.errors import ConfigError

LOCAL_KEYS = ("theme", "display")
"""What a folder's file may set: it may have come from anybody, with a clone or an archive."""


class Reading(Struct, frozen=True):
    """What came of reading: the configuration, what TOML had, and all mistakes in the order of their lines."""

    config: Config
    raw: Mapping[str, Any]
    mistakes: tuple[Mistake, ...] = ()


def load_config(path: Path | None = None, folder: Path | None = None) -> Config:
    """Read the configuration.

    Args:
        path: Its file; without one the default one, which may be missing.
        folder: The folder whose `.milepost.toml`, or that of one above it, is heeded too.

    Raises:
        ConfigError: A file can't be read, is no TOML, or says something that is not understood.
    """
    reading = read_all(path, folder)
    if reading.mistakes:
        more = len(reading.mistakes) - 1
        rest = f" (and {more} more; milepost config --check tells all)" if more else ""
        raise ConfigError(f"{reading.mistakes[0]}{rest}")
    return reading.config


def read_all(path: Path | None = None, folder: Path | None = None) -> Reading:
    """Read what `load_config` does as far as it can be understood, with all mistakes.

    Raises:
        ConfigError: A file can't be read or is no TOML.
    """
    own = read_config(path)
    file = find_local(folder) if folder else None
    return _put_over(own, read_local(file)) if file else own


def read_config(path: Path | None = None) -> Reading:
    """Read the user's own configuration as far as it can be understood.

    Raises:
        ConfigError: The file can't be read or is no TOML.
    """
    try:
        return _read(*read_toml(path or default_path()))
    except ConfigError as error:
        if path is None and isinstance(error.__cause__, FileNotFoundError | NotADirectoryError):
            return Reading(Config(), {})
        raise


def read_local(file: Path) -> Reading:
    """Read the settings of a folder; what they may not say is a mistake.

    Raises:
        ConfigError: The file can't be read or is no TOML.
    """
    raw, page = read_toml(file)
    refused = {name: raw[name] for name in raw if name in keys_of(Config) and name not in LOCAL_KEYS}
    for place in _leaves(refused, Place(page)):
        place.complain(
            f"{place.name} can't be set by a folder's file, which may only say how things look "
            f"({', '.join(LOCAL_KEYS)}); it belongs into {default_path()}"
        )
    return _read({name: raw[name] for name in raw if name not in refused}, page)


def _read(raw: Mapping[str, Any], page: Page) -> Reading:
    config = read_section(Config, raw, Place(page))
    return Reading(config, raw, tuple(sorted(page.mistakes, key=lambda mistake: mistake.line)))


def _leaves(value: object, place: Place) -> Iterator[Place]:
    """The places of all values in a table."""
    if not isinstance(value, dict):
        yield place
        return
    for name, item in value.items():
        yield from _leaves(item, place.into(name))


def _put_over(own: Reading, local: Reading) -> Reading:
    """The user's configuration, with what a folder sets in its place."""
    shown = local.raw.get("display")
    keys = keys_of(DisplayConfig)
    changed = {
        keys[name].attribute: getattr(local.config.display, keys[name].attribute)
        for name in (shown if isinstance(shown, dict) else ())
        if name in keys
    }
    config = replace(
        own.config,
        theme=local.config.theme or own.config.theme,
        display=replace(own.config.display, **changed),
    )
    raw = {**own.raw, **local.raw}
    if isinstance(shown, dict) and isinstance(own.raw.get("display"), dict):
        raw["display"] = {**own.raw["display"], **shown}
    return Reading(config, raw, own.mistakes + local.mistakes)
