"""Palettes."""

from pathlib import Path

import pytest
from textual.color import Color

from themes.palettes import DEFAULT, Palette, PaletteError, built_in, read_palette, to_theme

DARK = (Path(__file__).parents[2] / "themes" / "dark.toml").read_text("utf-8")
COLOURED = [palette for palette in built_in().values() if not palette.is_ansi]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, from 1 to 21 (WCAG 2.1)."""
    lights = sorted(luminance(color) for color in (one, other))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def luminance(color: str) -> float:
    linear = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
        for part in Color.parse(color).normalized
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_default_comes_first() -> None:
    assert next(iter(built_in())) == DEFAULT
    assert {"dark", "light", "high-contrast", "okabe-ito", "ansi16", "mono"} <= set(built_in())


@pytest.mark.parametrize("palette", COLOURED, ids=lambda palette: palette.name)
def test_text_can_be_read(palette: Palette) -> None:
    for name, least in (
        ("strong", 7.0),
        ("text", 7.0),
        ("dim", 4.5),
        ("warning", 4.5),
        ("critical", 4.5),
        ("good", 4.5),
    ):
        assert contrast(palette.background, getattr(palette, name)) >= least, name


@pytest.mark.parametrize("palette", COLOURED, ids=lambda palette: palette.name)
def test_numbers_are_louder_than_frames(palette: Palette) -> None:
    colors = (palette.strong, palette.dim, palette.faint, palette.frame)
    ratios = [contrast(palette.background, color) for color in colors]
    assert ratios == sorted(ratios, reverse=True)


@pytest.mark.parametrize("palette", COLOURED, ids=lambda palette: palette.name)
def test_the_banner_can_be_read(palette: Palette) -> None:
    assert contrast(palette.warning, palette.on_warning) >= 4.5
    assert contrast(palette.critical, palette.on_critical) >= 4.5


def test_a_palette_becomes_a_theme_with_its_own_variables() -> None:
    theme = to_theme(read_palette("mine", DARK))
    assert theme.name == "mine"
    assert theme.variables["raw"] == "#3d5a80"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dark = ", "theme mine is no TOML"),
        (DARK + 'pink = "#ff00ff"\n', "there is no key 'pink'"),
        (DARK.replace('raw = "#3d5a80"\n', ""), "the key 'raw' is missing"),
        (DARK.replace("#3d5a80", "bluish"), "raw = 'bluish' is no colour"),
        (DARK.replace("dark = true", "dark = 1"), "dark is true or false, not 1"),
    ],
)
def test_a_broken_palette_is_named_with_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(PaletteError, match=message):
        read_palette("mine", text)
