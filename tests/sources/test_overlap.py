"""What a window shows anew is found by its overlap with what was seen, exactly."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tui.sources.overlap import SURE_LINES, Transcript, _overlaps


def lines(text: str) -> list[bytes]:
    return [character.encode() for character in text]


def after(seen: str) -> Transcript:
    transcript = Transcript()
    transcript.take(lines(seen), 0)
    return transcript


def taken(seen: str, shown: str, rewritable: int = 0) -> str | None:
    new = after(seen).take(lines(shown), rewritable)
    return None if new is None else b"".join(new).decode()


def test_all_is_new_at_first() -> None:
    assert taken("", "abc") == "abc"


def test_what_follows_the_longest_overlap_is_new() -> None:
    assert taken("abcdef", "defgh") == "gh"
    assert taken("xabcabc", "abcabcabc") == "abc"


def test_nothing_is_new_in_a_window_that_shows_what_was_seen() -> None:
    assert taken("abcdef", "cdef") == ""


def test_repeated_lines_are_not_handed_on_again() -> None:
    assert taken("aaaaa", "aaaaa") == ""


def test_a_first_line_that_the_window_cuts_is_passed_over() -> None:
    assert taken("abcdef", "Xdefgh") == "gh"


def test_a_few_lines_in_common_are_no_sure_overlap() -> None:
    assert SURE_LINES == 3
    assert taken("abcdef", "efgh") is None
    assert taken("abcdef", "xyz") is None
    assert taken("abcdef   ", "   xyz") is None  # blank lines begin many a window


def test_all_that_was_ever_seen_is_a_sure_overlap_however_short() -> None:
    assert taken("a", "ab") == "b"


def test_rewritten_lines_are_handed_on_as_they_stand_now() -> None:
    assert taken("abcdef12", "bcdef34g", rewritable=2) == "34g"
    assert taken("abcdef12", "bcdef34g", rewritable=1) is None


def test_a_text_begun_anew_is_handed_on_whole() -> None:
    transcript = after("abcdef")
    assert transcript.start_over(lines("xyz")) == lines("xyz")
    assert transcript.take(lines("xyzw"), 0) == lines("w")


@given(
    st.lists(st.integers(0, 30), min_size=1, max_size=12),
    st.integers(SURE_LINES, 20),
)
def test_a_text_of_distinct_lines_comes_whole_whatever_the_looks(steps: list[int], height: int) -> None:
    """Windows that overlap by at least the sure number of lines lose nothing and repeat nothing."""
    transcript = Transcript()
    printed: list[bytes] = []
    told: list[bytes] = []
    for step in steps:
        printed += [b"%d" % number for number in range(len(printed), len(printed) + step)]
        window = printed[max(0, len(printed) - step - height) :]
        new = transcript.take(window, 0)
        assert new is not None
        told += new
    assert told == printed


@given(st.text("ab", max_size=20), st.text("ab", max_size=10))
def test_overlaps_are_those_that_trying_every_length_finds(text: str, window: str) -> None:
    slow = [
        max(n for n in range(len(window) + 1) if text[:end].endswith(window[:n]))
        for end in range(len(text) + 1)
    ]
    assert _overlaps(lines(text), lines(window)) == slow
