"""What a person types to filter or search a log, matched in a bounded time."""

import threading

import pytest

from widgets.drawing.patterns import TOO_SLOW, compile_pattern, find_spans, matches

LINE = "a" * 40 + "!"


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)#"])
def test_a_pattern_without_an_end_in_sight_is_given_up_and_taken_as_it_stands(pattern: str) -> None:
    lines = [LINE * 3, f"as typed: {pattern}"]
    assert matches(pattern, lines) == [False, True]
    assert compile_pattern(pattern)[1] == TOO_SLOW
    assert find_spans(pattern, lines[1]) == [(10, 10 + len(pattern))]


def test_a_line_has_a_span_for_each_fit_that_is_not_empty() -> None:
    assert find_spans("a*", "baab a") == [(1, 3), (5, 6)]
    assert find_spans("", "baab") == []


def test_nothing_typed_lets_every_line_through() -> None:
    assert matches("", ["a", "b"]) == [True, True]


def test_small_letters_match_large_ones_and_a_large_one_only_itself() -> None:
    assert matches("loss", ["LOSS", "loss"]) == [True, True]
    assert matches("Loss", ["LOSS", "Loss"]) == [False, True]


def test_a_thread_of_its_own_can_match_too() -> None:
    found: list[list[bool]] = []
    thread = threading.Thread(target=lambda: found.append(matches("a", ["a", "b"])))
    thread.start()
    thread.join()
    assert found == [[True, False]]
