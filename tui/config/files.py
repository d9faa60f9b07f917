"""Configuration files: where they are, and what TOML has in them."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from tui.config.mistakes import Page
from tui.errors import ConfigError

LARGEST_BYTES = 1_000_000
"""No configuration is larger; a file that is was named by mistake."""

LOCAL_NAME = ".milepost.toml"

_TOPS = (".git", ".hg", ".svn", ".jj")
"""What the top folder of a repository holds."""


def config_folder() -> Path:
    """Where Milepost's own settings are kept: `$XDG_CONFIG_HOME/milepost`, or `~/.config/milepost`."""
    base = os.environ.get("XDG_CONFIG_HOME")
    return (Path(base) if base else _home() / ".config") / "milepost"


def default_path() -> Path:
    """Where the configuration is looked for."""
    return config_folder() / "config.toml"


def local_places(folder: Path) -> list[Path]:
    """Where the settings of a folder may be, the nearest first.

    They are looked for upwards to the top of its repository or to the home; outside of both only in the folder itself.
    """
    above = [folder, *folder.parents]
    home = _home()
    tops = (each for each in above if each == home or any(_is_there(each / name) for name in _TOPS))
    return [each / LOCAL_NAME for each in above[: above.index(next(tops, folder)) + 1]]


def find_local(folder: Path) -> Path | None:
    """The nearest file with settings of a folder."""
    return next((file for file in local_places(folder) if _is_there(file)), None)


def working_folder() -> Path | None:
    """The folder that the program was started in; None where that is gone."""
    try:
        return Path.cwd()
    except OSError:
        return None


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # a user that the system does not know, as in some containers
        return Path("/")


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # what can't be looked at is not there for us
        return False


def read_toml(file: Path) -> tuple[dict[str, Any], Page]:
    """A file's tables, and the page to note its mistakes on.

    Raises:
        ConfigError: The file can't be read or is no TOML.
    """
    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST_BYTES + 1)
        import tomllib  # most people have no such file

        from tui.config.places import find_lines

        if len(data) > LARGEST_BYTES:
            raise ConfigError(f"{file}: is larger than {LARGEST_BYTES:,} bytes, and so no configuration")
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
        return tomllib.loads(text), Page(str(file), find_lines(text))
    except OSError as error:
        raise ConfigError(f"{file}: can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: is not UTF-8 at byte {error.start}") from error
    except ValueError as error:
        found = re.search(r"at line (\d+)", str(error))
        line = found[1] if found else text.count("\n") + 1
        raise ConfigError(f"{file}:{line}: is no TOML: {error}") from error
    except RecursionError as error:
        raise ConfigError(f"{file}: is no TOML that could be read: it is nested too deeply") from error
