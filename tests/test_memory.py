"""Giving memory back."""

from tui.memory import give_back


def test_what_is_in_use_stays_as_it_is() -> None:
    held = [b"%d" % number * 1000 for number in range(1000)]
    give_back()
    assert held == [b"%d" % number * 1000 for number in range(1000)]
