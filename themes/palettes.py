"""Palettes: the colours of a theme as data, from TOML to what Textual wants."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from textual.color import Color, ColorParseError
from textual.theme import BUILTIN_THEMES, Theme

DEFAULT = "dark"

MONOCHROME = "mono"
"""The palette for a terminal without colours, or a user who wants none (NO_COLOR)."""

STYLE_SHEET = str(files("themes") / "app.tcss")


class PaletteError(ValueError):
    """A palette that can't be used; the message says which key is wrong, and what would be right."""


@dataclass(frozen=True, slots=True)
class Palette:
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

    @property
    def is_ansi(self) -> bool:
        """Whether its colours are the terminal's own."""
        return self.background.startswith("ansi_")


def read_palette(name: str, text: str) -> Palette:
    """Read a palette from TOML.

    Raises:
        PaletteError: It is no TOML, lacks a key, has one too many, or has a colour that is none.
    """
    try:
        table: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PaletteError(f"theme {name} is no TOML: {error}") from error
    known = {field.name for field in fields(Palette)} - {"name"}
    if unknown := sorted(set(table) - known):
        raise PaletteError(
            f"theme {name}: there is no key {unknown[0]!r}; keys are {', '.join(sorted(known))}"
        )
    if missing := sorted(known - set(table)):
        raise PaletteError(f"theme {name}: the key {missing[0]!r} is missing")
    for key, value in table.items():
        _check(name, key, value)
    return Palette(name=name, **table)


def _check(name: str, key: str, value: object) -> None:
    if key == "dark":
        if not isinstance(value, bool):
            raise PaletteError(f"theme {name}: dark is true or false, not {value!r}")
        return
    try:
        Color.parse(str(value))
    except ColorParseError as error:
        raise PaletteError(f"theme {name}: {key} = {value!r} is no colour; write it as '#rrggbb'") from error


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
