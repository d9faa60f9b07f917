"""Text in cells."""

from hypothesis import given
from hypothesis import strategies as st

from widgets.cells import clean, fill, fit, fit_middle, left, line_width, panel, right, spread, width, wrap

TEXT = st.text(max_size=60)


def test_control_characters_never_get_through() -> None:
    assert clean("a\x1b[31mb\x07\r\n\tc\x9b") == "a·[31mb··· c·"


def test_bidirectional_overrides_never_get_through() -> None:
    assert clean("ab\u202ecd\u2066") == "ab·cd·"


@given(TEXT)
def test_clean_text_holds_nothing_that_a_terminal_would_obey(text: str) -> None:
    assert not any(ord(char) < 32 or 127 <= ord(char) < 160 for char in clean(text))


def test_a_cut_text_ends_in_an_ellipsis() -> None:
    assert fit("ddtree_streak8", 8) == "ddtree_…"


def test_a_name_is_cut_in_its_middle() -> None:
    assert fit_middle("ddtree_streak8", 9) == "ddtr…eak8"


def test_wide_characters_count_twice() -> None:
    assert width("精度") == 4
    assert fit("精度表", 4) == "精…"
    assert left("精", 4) == "精  "


@given(TEXT, st.integers(0, 40))
def test_nothing_is_ever_wider_than_asked(text: str, cells: int) -> None:
    text = clean(text)
    assert width(fit(text, cells)) <= cells
    assert width(fit_middle(text, cells)) <= cells


@given(TEXT, st.integers(2, 40))
def test_padding_gives_exactly_the_cells(text: str, cells: int) -> None:
    text = clean(text)
    assert width(left(text, cells)) == width(right(text, cells)) == cells


@given(st.lists(st.tuples(TEXT.map(clean), st.just("plain")), max_size=5), st.integers(2, 60))
def test_a_line_is_filled_to_exactly_its_cells(line: list[tuple[str, str]], cells: int) -> None:
    assert line_width(fill(line, cells)) == cells


def test_what_does_not_fit_beside_the_left_part_goes() -> None:
    assert spread([("left part", "plain")], [("right", "plain")], 12) == [
        ("left part", "plain"),
        ("   ", "plain"),
    ]


def test_a_sentence_is_broken_between_words() -> None:
    assert wrap("accuracy flat since step 16,020", 16, 3) == ["accuracy flat", "since step", "16,020"]


def test_the_last_of_the_rows_ends_in_an_ellipsis() -> None:
    assert wrap("accuracy flat since step 16,020", 16, 2) == ["accuracy flat", "since step 16,0…"]


@given(TEXT, st.integers(4, 40), st.integers(1, 5))
def test_a_wrapped_text_keeps_to_its_room(text: str, cells: int, rows: int) -> None:
    lines = wrap(clean(text), cells, rows)
    assert 1 <= len(lines) <= rows
    assert all(width(line) <= cells for line in lines)


@given(st.integers(1, 80), st.integers(1, 20))
def test_a_panel_is_never_larger_than_its_room(cells: int, rows: int) -> None:
    body = [[("x" * 100, "plain")]] * 30
    lines = panel(body, [("a long title", "title")], [("a note", "faint")], (cells, rows))
    assert len(lines) == rows
    assert all(line_width(line) == cells for line in lines)
