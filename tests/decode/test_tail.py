"""The last lines of a log."""

from hypothesis import given
from hypothesis import strategies as st

from tui.decode.tail import TAIL_BYTES, TAIL_LINE_BYTES, TAIL_LINES, Tail


def test_lines_are_numbered_from_the_first_of_the_log() -> None:
    tail = Tail()
    tail.add([b"one", b"two"], has_redraws=False)
    tail.add([b"three"], has_redraws=False)
    lines = tail.lines(may_break=False)
    assert [(line.number, line.text) for line in lines] == [(1, "one"), (2, "two"), (3, "three")]


def test_only_the_last_ones_are_kept_and_keep_their_numbers() -> None:
    tail = Tail()
    tail.add([b"%d" % number for number in range(1, TAIL_LINES + 1)], has_redraws=False)
    tail.lines(may_break=False)
    tail.add([b"%d" % number for number in range(TAIL_LINES + 1, TAIL_LINES + 8)], has_redraws=False)
    lines = tail.lines(may_break=False)
    assert len(lines) == TAIL_LINES
    assert [line.number for line in lines] == list(range(8, TAIL_LINES + 8))
    assert all(line.text == str(line.number) for line in lines)


def test_a_progress_bar_is_one_line_that_changes_and_keeps_its_number() -> None:
    tail = Tail()
    tail.add([b"start", b"1/3\r"], has_redraws=True)
    assert tail.lines(may_break=False)[-1].text.strip() == "1/3"
    tail.add([b"2/3\r"], has_redraws=True)
    tail.add([b"3/3", b"done"], has_redraws=True)
    lines = tail.lines(may_break=False)
    assert [(line.number, line.text) for line in lines] == [(1, "start"), (2, "3/3"), (3, "done")]


def test_long_lines_are_kept_in_bounded_memory() -> None:
    tail = Tail()
    for _ in range(300):
        tail.add([b"x" * (TAIL_LINE_BYTES + 100)], has_redraws=False)
    lines = tail.lines(may_break=False)
    assert len(lines) == TAIL_BYTES // TAIL_LINE_BYTES
    assert lines[-1].number == 300


def test_what_may_break_is_marked_once_that_is_known() -> None:
    tail = Tail()
    tail.add([b'{"step": 1}', b'{"step": 2, "lo'], has_redraws=False)
    assert not any(line.is_malformed for line in tail.lines(may_break=False))
    assert [line.is_malformed for line in tail.lines(may_break=True)] == [False, True]


def test_the_last_texts_are_safe_to_show() -> None:
    tail = Tail()
    tail.add([b"one", b"\x1b[31mtwo"], has_redraws=False)
    assert tail.last_texts(1) == ["two"]


@given(st.lists(st.lists(st.sampled_from([b"a", b"b\r", b"c"]), max_size=6), max_size=12), st.booleans())
def test_looking_in_between_changes_nothing(batches: list[list[bytes]], has_redraws: bool) -> None:
    watched, other = Tail(), Tail()
    for lines in batches:
        watched.add(lines, has_redraws=has_redraws)
        watched.lines(may_break=False)
        other.add(lines, has_redraws=has_redraws)
    assert watched.lines(may_break=False) == other.lines(may_break=False)
