"""Keys and signs at any width."""

import pytest

from tests.widgets.drawing.text import text_of
from widgets.cells import line_width
from widgets.drawing.help import Help, KeyGroup, draw_help

PAGE = Help((
    KeyGroup("the run", (("s", "smooth the curves over 20, 100, 500 entries, or not"), ("Ctrl+P", "all commands"))),
    KeyGroup("everywhere", (("Ctrl+Q Ctrl+C F10 Ctrl+X", "quit"),)),
))  # fmt: skip


@pytest.mark.parametrize("cells", [20, 36, 60, 91, 92, 120])
def test_every_width_is_kept_and_every_key_told(cells: int) -> None:
    rows = draw_help(PAGE, cells)
    text = " ".join(" ".join(text_of([row]).split()) for row in rows)
    assert all(line_width(row) <= cells for row in rows)
    assert all(word in text for word in ("the run", "everywhere", "signs", "smooth", "Ctrl+Q", "quit"))


def test_what_is_long_goes_on_in_the_next_row() -> None:
    rows = [text_of([row]) for row in draw_help(PAGE, 36)]
    assert rows[1].startswith(" s")
    assert rows[1].split(maxsplit=1)[1].startswith("smooth the curves")
    assert rows[2].startswith("      ")


def test_a_wide_page_has_two_columns_of_about_the_same_height() -> None:
    groups = tuple(KeyGroup(f"group {n}", tuple((str(key), "does it") for key in range(9))) for n in range(6))
    narrow, wide = draw_help(Help(groups), 91), draw_help(Help(groups), 120)
    assert len(wide) <= len(narrow) * 0.6
    assert text_of(wide[:1]).split() == ["group", "0", "group", "4"]
