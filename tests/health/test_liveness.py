from math import inf

import pytest

from tui.events import LinkState
from tui.health.liveness import BREAK_S, is_lost
from tui.health.stall import Cadence

KNOWN, UNKNOWN = Cadence(10.0, 400.0, is_known=True), Cadence(None, 300.0, is_known=False)


@pytest.mark.parametrize("link", [LinkState.CONNECTING, LinkState.RETRYING, LinkState.MISSING])
def test_a_break_counts_once_it_has_lasted_longer_than_two_attempts(link: LinkState) -> None:
    assert not is_lost(link, BREAK_S)
    assert is_lost(link, BREAK_S + 0.1)
    assert is_lost(link, inf)


@pytest.mark.parametrize("link", [LinkState.STALE, LinkState.REFUSED])
def test_no_answer_for_long_and_a_refusal_count_at_once(link: LinkState) -> None:
    assert is_lost(link, 0.0)


@pytest.mark.parametrize("link", [LinkState.LIVE, LinkState.ENDED])
def test_an_open_way_and_one_that_was_gone_to_its_end_are_not_lost(link: LinkState) -> None:
    assert not is_lost(link, inf)
