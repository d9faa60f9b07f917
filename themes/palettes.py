"""Palettes: the colours of a theme as data, from TOML to what Textual wants."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import fields, replace
from textual.color import Color, ColorParseError
from textual.theme import BUILTIN_THEMES, Theme

DEFAULT = "dark"

MONOCHROME = "mono"
"""The palette for a terminal without colours, or a user who wants none (NO_COLOR)."""

STYLE_SHEET = str(files("themes") / "app.tcss")


LARGEST_BYTES = 100_000
"""No palette is larger; a file that is was put there by mistake."""


class PaletteError(ValueError):
    """A palette that can't be used; the message says where, which key is wrong, and what would be right."""


class Palette(Struct, frozen=True):
    """What each colour is for; every one is a CSS colour, or `ansi_…` for one of the terminal's own sixteen.

    The text goes from loud to quiet: `strong` (numbers), `text`, `dim` (labels), `faint` (remarks), `frame`.
    """

    name: str
    dark: bool
    background: str
    strong: str
    text: str
    dim: str
    faint: str
    frame: str
    accent: str  # what is focused, and what can be done
    raw: str  # the raw curve, under the smoothed one
    smooth: str
    good: str
    info: str
    warning: str
    critical: str
    on_warning: str  # text on a ground of that colour
    on_critical: str
    series_1: str = ""  # runs that are drawn over each other; one that is not given is the default's
    series_2: str = ""
    series_3: str = ""
    series_4: str = ""
    series_5: str = ""
    series_6: str = ""
    series_7: str = ""
    series_8: str = ""

    @property
    def is_ansi(self) -> bool:
        """Whether its colours are the terminal's own."""
        return self.background.startswith("ansi_")


def read_palette(name: str, text: str, file: str | None = None) -> Palette:
    """Read a palette from TOML.

    Args:
        name: What it is called.
        text: The TOML.
        file: Where that comes from, for messages.

    Raises:
        PaletteError: It is no TOML, lacks a key, has one too many, or has a colour that is none.
    """
    where = file or f"theme {name}"
    try:
        table: dict[str, Any] = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        found = re.search(r"at line (\d+)", str(error))
        line = found[1] if found else len(text.splitlines())
        raise PaletteError(f"{where}:{line}: is no TOML: {error}") from error
    known = [field.name for field in fields(Palette) if field.name != "name"]
    for key, value in table.items():
        if wrong := _find_fault(key, value, known):
            raise PaletteError(f"{where}:{_line_of(key, text)}: {wrong}")
    if missing := [key for key in known if key not in table and key not in _SERIES]:
        raise PaletteError(f"{where}: the key {missing[0]} is missing")
    return _with_series(Palette(name=name, **table))


def _with_series(palette: Palette) -> Palette:
    """The palette with the usual colours for those series that it does not name."""
    usual = _ANSI_SERIES if palette.is_ansi else _DARK_SERIES if palette.dark else _LIGHT_SERIES
    missing: dict[str, Any] = {
        key: color for key, color in zip(_SERIES, usual, strict=True) if not getattr(palette, key)
    }
    return replace(palette, **missing)


def _find_fault(key: str, value: object, known: list[str]) -> str | None:
    """What is wrong with a key, as a sentence; None where all is well."""
    if key not in known:
        near = difflib.get_close_matches(key, known, 1)
        return f"unknown key {key}; " + (
            f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
        )
    if key == "dark":
        return None if isinstance(value, bool) else f"dark must be true or false, not {value!r}"
    try:
        Color.parse(str(value))
    except ColorParseError:
        return f"{key} must be a colour such as '#1b7fcc' or 'ansi_cyan', not {value!r}"
    return None


def _line_of(key: str, text: str) -> int:
    """The line on which a key is set; a palette has no tables, so its first one is it."""
    pattern = re.compile(rf"""\s*["']?{re.escape(key)}["']?\s*[=.]|\s*\[+\s*["']?{re.escape(key)}\b""")
    return next((number for number, line in enumerate(text.splitlines(), 1) if pattern.match(line)), 1)


_SERIES = tuple(f"series_{number}" for number in range(1, 9))

_DARK_SERIES = ("#7fb4ff", "#ff9e64", "#7ec98f", "#d49bff", "#f2d24b", "#5fd7d7", "#ff8fb3", "#b9c0cc")
_LIGHT_SERIES = ("#0b62c4", "#b34700", "#1a7f37", "#7b3fb5", "#7a6200", "#0a7373", "#b3306b", "#535b68")
_ANSI_SERIES = (
    "ansi_bright_blue",
    "ansi_yellow",
    "ansi_green",
    "ansi_magenta",
    "ansi_cyan",
    "ansi_red",
    "ansi_bright_yellow",
    "ansi_default",
)


class Shelf(Struct, frozen=True):
    """All palettes that there are, by name, and what is wrong with those that can't be used."""

    palettes: Mapping[str, Palette] = {}
    faults: tuple[str, ...] = ()


def collect(folder: Path) -> Shelf:
    """The palettes that come with it, and a person's own from a folder, `NAME.toml`, which may take their names.

    One that is broken is left out, and told of.
    """
    palettes, faults = built_in(), []
    for file in sorted(folder.glob("*.toml")) if folder.is_dir() else ():
        try:
            palettes[file.stem] = read_palette(file.stem, _read(file), str(file))
        except PaletteError as error:
            faults.append(str(error))
    return Shelf(palettes, tuple(faults))


def _read(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST_BYTES + 1)
        if len(data) > LARGEST_BYTES:
            raise PaletteError(f"{file}: is larger than {LARGEST_BYTES:,} bytes, and so no theme")
        return data.decode("utf-8-sig")
    except OSError as error:
        raise PaletteError(f"{file}: can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise PaletteError(f"{file}: is not UTF-8 at byte {error.start}") from error


def built_in() -> dict[str, Palette]:
    """The palettes that come with it, by name; the default is the first."""
    found = sorted((file for file in files("themes").iterdir() if file.name.endswith(".toml")), key=_order)
    return {_stem(file): read_palette(_stem(file), file.read_text("utf-8")) for file in found}


_OWN = (
    "strong",
    "dim",
    "faint",
    "frame",
    "raw",
    "smooth",
    "good",
    "info",
    "critical",
    "on_warning",
    "on_critical",
    *_SERIES,
)


def to_theme(palette: Palette) -> Theme:
    """The palette as a Textual theme; its own colours are variables named like its keys."""
    own = {key.replace("_", "-"): str(getattr(palette, key)) for key in _OWN}
    terminal = (
        BUILTIN_THEMES["ansi-dark" if palette.dark else "ansi-light"].variables if palette.is_ansi else {}
    )
    return Theme(
        name=palette.name,
        primary=palette.accent,
        accent=palette.accent,
        warning=palette.warning,
        error=palette.critical,
        success=palette.good,
        foreground=palette.text,
        background=palette.background,
        surface=palette.background,
        panel=palette.background,
        dark=palette.dark,
        ansi=palette.is_ansi,
        variables={**terminal, **own, **_text_styles(palette)},
    )


def _text_styles(palette: Palette) -> dict[str, str]:
    """What says it where two colours are the same: reverse video for a bar, faint letters for a remark."""
    is_colourless = palette.warning == palette.background
    return {
        "bar-style": "bold reverse" if is_colourless else "bold",
        "quiet-style": "dim" if palette.faint == palette.text else "none",
        "curve-style": "bold" if palette.raw == palette.smooth else "none",
    }


def _stem(file: Traversable) -> str:
    return file.name.removesuffix(".toml")


def _order(file: Traversable) -> tuple[bool, str]:
    return (_stem(file) != DEFAULT, file.name)
