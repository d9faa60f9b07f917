"""The log's last lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.widgets.drawing.text import assert_exact, assert_fits, styles_of, text_of
from widgets.drawing.log import Log, LogLine, LogView, draw_log
from widgets.drawing.logview import find_hits, moved, shown_at
from widgets.drawing.patterns import compile_pattern

LINES = tuple(LogLine(f"line {index}", number=index + 1) for index in range(100))
LOG = Log(LINES, "/runs/train.jsonl")
ROOM = (40, 4)


def rows_of(log: Log, view: LogView = LogView(), size: tuple[int, int] = ROOM) -> list[str]:  # noqa: B008 - frozen
    return text_of(draw_log(log, *size, view)).split("\n")


def longer(count: int) -> Log:
    more = tuple(LogLine(f"line {index}", number=index + 1) for index in range(100, 100 + count))
    return Log((*LINES, *more), LOG.path)


def test_the_last_lines_are_shown_under_a_rule() -> None:
    rows = rows_of(LOG)
    assert rows[0].startswith("log  /runs/train.jsonl ─")
    assert rows[1:] == ["line 97", "line 98", "line 99"]


def test_scrolled_up_it_stands_still_and_says_how_many_have_come() -> None:
    view = moved(LOG, LogView(), ROOM, -10)
    assert rows_of(LOG, view)[0].endswith("paused")
    assert rows_of(LOG, view)[1:] == ["line 87", "line 88", "line 89"]
    assert rows_of(longer(12), view)[0].endswith("▼ 12 new")
    assert rows_of(longer(12), view)[1:] == ["line 87", "line 88", "line 89"]


def test_scrolled_back_to_the_end_it_follows_again() -> None:
    view = moved(LOG, LogView(), ROOM, -10)
    assert moved(longer(12), view, ROOM, 10).anchor == 100
    assert moved(longer(12), view, ROOM, 1000) == LogView()


def test_it_does_not_scroll_beyond_the_first_line() -> None:
    view = moved(LOG, LogView(), ROOM, -1000)
    assert rows_of(LOG, view)[1:] == ["line 0", "line 1", "line 2"]


def test_lines_that_are_no_longer_kept_give_way_to_the_earliest_that_are() -> None:
    view = moved(LOG, LogView(), ROOM, -1000)
    assert rows_of(Log(LINES[50:]), view)[1:] == ["line 50", "line 51", "line 52"]


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


def test_a_filter_shows_only_what_matches_and_how_many() -> None:
    rows = rows_of(LOG, LogView(pattern="7$"))
    assert rows[0].startswith("log  7$: 10 of 100 ─")
    assert rows[1:] == ["line 77", "line 87", "line 97"]
    assert "no line of the last 100 matches" in rows_of(LOG, LogView(pattern="nothing"))[1]


def test_what_is_no_regular_expression_is_taken_as_it_stands_and_that_is_said() -> None:
    log = Log((LogLine("loss (EMA)", number=1), LogLine("loss", number=2)))
    rows = rows_of(log, LogView(pattern="(ema", is_typing=True), (60, 6))
    assert rows[1] == "loss (EMA)"
    told = " ".join(rows[-3:])
    assert (
        "taken as it is, not as a regular expression: missing ), unterminated subpattern at position 0"
        in told
    )


@pytest.mark.parametrize(("pattern", "text", "is_found"), [("loss", "LOSS", True), ("Loss", "loss", False)])
def test_small_letters_match_large_ones_too(pattern: str, text: str, is_found: bool) -> None:
    found = compile_pattern(pattern)[0]
    assert found is not None
    assert (found.search(text) is not None) == is_found


def test_a_search_marks_what_it_finds_and_says_where_it_is() -> None:
    view = LogView(search="7$")
    assert find_hits(LINES, view)[-1] == 98
    view = shown_at(LOG, replace(view, hit=88), ROOM, 88)
    lines = draw_log(LOG, *ROOM, view)
    assert "7$: 9 of 10  paused" in text_of(lines[:1])
    assert "line 87" in text_of(lines)
    assert styles_of(lines, "7") >= {"focus"}


def test_a_find_far_along_a_cut_line_is_shown() -> None:
    log = Log((LogLine("x" * 300 + " loss " + "y" * 300, number=1),))
    assert "loss" not in rows_of(log)[1]
    assert "loss" in rows_of(log, LogView(search="loss"))[1]
    assert rows_of(log, LogView(search="loss"))[1].startswith("…x")


def test_a_long_line_ends_in_a_mark_and_folded_it_is_whole() -> None:
    log = Log((LogLine("first", number=1), LogLine("ab" * 45, number=2)))
    assert rows_of(log, size=(40, 5))[2] == "ab" * 19 + "a…"
    rows = rows_of(log, LogView(folds=True), (40, 5))
    assert rows[1:] == ["first", "ab" * 20, "ab" * 20, "ab" * 5]


def test_a_folded_line_longer_than_the_room_can_be_read_row_by_row() -> None:
    log = Log((LogLine("".join(f"{index:02d}" for index in range(50)), number=1),))
    view = LogView(folds=True)
    seen = [rows_of(log, view, (10, 4))[1:]]
    for _ in range(7):
        view = moved(log, view, (10, 4), -1)
        seen.append(rows_of(log, view, (10, 4))[1:])
    assert seen[0] == ["3536373839", "4041424344", "4546474849"]
    assert seen[1] == ["3031323334", "3536373839", "4041424344"]
    assert seen[-1] == ["0001020304", "0506070809", "1011121314"]


VIEWS = st.builds(
    LogView,
    st.none() | st.integers(0, 12),
    st.integers(0, 5),
    st.integers(0, 12),
    st.sampled_from(["", "a", "(", ".*", "a*?"]),
    st.sampled_from(["", "b", "[", "", "$"]),
    st.none() | st.integers(1, 9),
    st.booleans(),
    st.booleans(),
)


@given(
    st.lists(st.tuples(st.text(max_size=400), st.booleans()), max_size=8),
    st.integers(1, 300),
    st.integers(1, 300),
    VIEWS,
    st.integers(-9, 9),
)
def test_no_line_breaks_the_log_at_any_size(
    texts: list[tuple[str, bool]], cells: int, rows: int, view: LogView, down: int
) -> None:
    log = Log(tuple(LogLine(text, bad, number) for number, (text, bad) in enumerate(texts, 1)))
    for each in (view, moved(log, view, (cells, rows), down), shown_at(log, view, (cells, rows), 3)):
        lines = draw_log(log, cells, rows, each)
        assert_fits(lines, cells, rows)
        assert_exact(lines, cells)
