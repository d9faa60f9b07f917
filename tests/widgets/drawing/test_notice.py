"""Sentences about the way to the log."""

from hypothesis import given
from hypothesis import strategies as st

from tests.widgets.drawing.text import assert_fits, text_of
from widgets.drawing.notice import Notice, draw_empty, draw_notice

NOTICE = Notice("no connection to gpu-box", "the host does not answer; check that it is up", "warning")


def test_a_notice_is_one_sentence() -> None:
    text = text_of(draw_notice(NOTICE, 100, 3))
    assert text == " no connection to gpu-box: the host does not answer; check that it is up"


def test_an_empty_room_has_it_in_its_middle() -> None:
    rows = text_of(draw_empty(NOTICE, 60, 11)).split("\n")
    assert [index for index, row in enumerate(rows) if row] == [4, 5]
    assert rows[4].strip() == "no connection to gpu-box"


@given(st.text(max_size=90), st.text(max_size=300), st.integers(4, 120), st.integers(1, 20))
def test_no_sentence_is_larger_than_its_room(headline: str, text: str, width: int, rows: int) -> None:
    assert_fits(draw_notice(Notice(headline, text), width, rows), width, rows)
    assert_fits(draw_empty(Notice(headline, text), max(width, 12), rows), max(width, 12), rows)
