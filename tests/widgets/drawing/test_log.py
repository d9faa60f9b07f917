"""The log's last lines."""

from hypothesis import given
from hypothesis import strategies as st

from tests.widgets.drawing.text import assert_fits, styles_of, text_of
from widgets.drawing.log import Log, LogLine, draw_log

LINES = tuple(LogLine(f"line {index}") for index in range(100))


def test_the_last_lines_are_shown_under_a_rule() -> None:
    rows = text_of(draw_log(Log(LINES, "/runs/train.jsonl"), 40, 4)).split("\n")
    assert rows[0].startswith("log  /runs/train.jsonl ─")
    assert rows[1:] == ["line 97", "line 98", "line 99"]


def test_scrolled_up_it_says_how_many_are_below() -> None:
    rows = text_of(draw_log(Log(LINES), 40, 4, back=10)).split("\n")
    assert rows[0].endswith("10 newer below")
    assert rows[-1] == "line 89"


def test_a_malformed_line_is_marked() -> None:
    lines = draw_log(Log((LogLine('{"step": 1, "lo', True),), malformed=1), 40, 4)
    assert "✖" in text_of(lines)
    assert styles_of(lines, '"step"') == {"warning"}
    assert "1 malformed" in text_of(lines[:1])


def test_markup_and_escapes_stay_text() -> None:
    text = text_of(draw_log(Log((LogLine("[bold red]\x1b[2Jboo\x07[/]"),)), 60, 3))
    assert "[bold red]·[2Jboo·[/]" in text


def test_no_line_yet_says_so() -> None:
    assert "no line yet" in text_of(draw_log(Log(), 40, 4))


@given(st.lists(st.text(max_size=80), max_size=8), st.integers(1, 60), st.integers(1, 8), st.integers(0, 99))
def test_no_line_is_wider_than_the_screen(texts: list[str], cells: int, rows: int, back: int) -> None:
    assert_fits(draw_log(Log(tuple(map(LogLine, texts))), cells, rows, back=back), cells, rows)
