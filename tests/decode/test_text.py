import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from tui.decode.text import clean


@given(st.text() | st.binary())
def test_nothing_that_a_terminal_could_obey_comes_through(text: str | bytes) -> None:
    assert all(unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Zl", "Zp"} for char in clean(text))


def test_colours_titles_and_cursor_movements_go_entirely() -> None:
    assert clean("\x1b[31mstep: 10\x1b[0m \x1b]0;owned\x07loss\x1b[2J: 1\x1b(B") == "step: 10 loss: 1"


def test_bidi_overrides_and_eight_bit_controls_go() -> None:
    assert clean("a\u202eb\u200bc\x9b31md\x85") == "abcd"


def test_tabs_become_spaces_and_broken_bytes_a_replacement() -> None:
    assert clean(b"a\tb\xff") == "a    b\ufffd"


def test_a_cut_text_says_so() -> None:
    assert clean("x" * 50, limit=10) == "x" * 9 + "…"
    assert clean("x" * 10, limit=10) == "x" * 10
