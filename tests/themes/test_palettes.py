"""Palettes."""

from pathlib import Path

import pytest
from msgspec.structs import fields
from textual.color import Color

from themes.palettes import DEFAULT, Palette, PaletteError, Shelf, built_in, collect, read_palette, to_theme

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
        ("faint", 4.5),
        ("accent", 4.5),
        ("info", 4.5),
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
        ("dark = ", "mine.toml:1: is no TOML"),
        ("dark = true\n\nfant = '#fff'\n", "mine.toml:3: unknown key fant; did you mean faint?"),
        (DARK + "[faint]\nx = 1\n", "is no TOML: Cannot overwrite a value"),
        ("dark = true\n[strong.a]\n", "mine.toml:2: strong must be a colour such as"),
        (DARK.replace('raw = "#3d5a80"\n', ""), "mine.toml: the key raw is missing"),
        (
            DARK.replace("#3d5a80", "bluish"),
            "mine.toml:10: raw must be a colour such as '#1b7fcc' or 'ansi_cyan', not 'bluish'",
        ),
        (DARK.replace("dark = true", "dark = 1"), "mine.toml:2: dark must be true or false, not 1"),
    ],
)
def test_a_broken_palette_is_named_with_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(PaletteError) as told:
        read_palette("mine", text, "mine.toml")
    assert message in str(told.value)


def test_a_persons_own_palettes_are_found_and_the_broken_are_told(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(DARK)
    (tmp_path / "dark.toml").write_text(DARK.replace("#3d5a80", "#123456"))
    (tmp_path / "broken.toml").write_text("dark = 3")
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "bytes.toml").write_bytes(b"\xff")
    shelf = collect(tmp_path)
    assert list(shelf.palettes) == [*built_in(), "mine"]
    assert shelf.palettes["dark"].raw == "#123456"
    assert shelf.faults == (
        f"{tmp_path}/broken.toml:1: dark must be true or false, not 3",
        f"{tmp_path}/bytes.toml: is not UTF-8 at byte 0",
        f"{tmp_path}/folder.toml: can't be read: Is a directory",
    )


def test_without_a_folder_there_are_those_that_come_with_it(tmp_path: Path) -> None:
    assert collect(tmp_path / "none") == Shelf(built_in())


def test_the_colours_of_okabe_and_ito_are_theirs() -> None:
    """Okabe and Ito (2008), Color Universal Design, the palette's eight colours."""
    theirs = {"#000000", "#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7"}
    palette = built_in()["okabe-ito"]
    for name in ("accent", "smooth", "good", "info", "warning", "critical", "on_warning", "on_critical"):
        assert getattr(palette, name) in theirs, name
    assert len({palette.good, palette.info, palette.warning, palette.critical}) == 4


@pytest.mark.parametrize("name", ["ansi16", "mono"])
def test_a_palette_of_the_terminals_own_colours_has_no_other(name: str) -> None:
    palette = built_in()[name]
    colors = {getattr(palette, each.name) for each in fields(palette)} - {name, True, False}
    assert all(color.startswith("ansi_") for color in colors)
    assert to_theme(palette).ansi
    assert (colors == {"ansi_default"}) is (name == "mono")
