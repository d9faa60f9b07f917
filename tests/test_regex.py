import re

from tui.regex import Regex


def test_it_finds_what_the_compiled_expression_finds() -> None:
    text = "Step 10 of 200"
    ours, theirs = Regex(r"(STEP) (\d)", re.IGNORECASE), re.compile(r"(STEP) (\d)", re.IGNORECASE)
    assert str(ours.search(text)) == str(theirs.search(text))
    assert ours.match("a " + text) is None
    assert ours.findall(text) == theirs.findall(text) == [("Step", "1")]
    assert [each[2] for each in ours.finditer(text)] == ["1"]
    assert ours.sub("-", text) == "-0 of 200"


def test_it_is_compiled_once_and_not_before_it_is_used() -> None:
    wrong = Regex("(")  # which compiling it would tell
    assert wrong.pattern == "("
    right = Regex("a")
    assert right.search is right.search
