"""The verdict, and what it was: the same wherever it is told."""

import pytest

from tests.recorded import ADDRESS, Recorded, in_chunks, scenario_log
from tui.events import CaughtUp, Glimpsed, LinkChanged, LinkState
from tui.feed import Feed, FeedOptions
from tui.report.schema import status_to_json
from tui.report.verdict import describe_last, last_verdict
from tui.report.wording import describe_run
from tui.screens.glance import view_glance
from tui.screens.overview import view_member
from tui.screens.status import READING, view_status
from tui.target import parse_target
from widgets.drawing.glance import draw_glance
from widgets.drawing.status import draw_status

NO_CLOCK = "".join(f'{{"step": {n}, "loss": {3 - n / 500}}}\n' for n in range(1, 301))
WITH_NAN = NO_CLOCK + '{"step": 301, "loss": NaN}\n'
OPEN, LOST = (LinkState.LIVE, LinkState.ENDED), (LinkState.RETRYING, LinkState.CONNECTING, LinkState.MISSING)


class Watched:
    """A log that was read to its end at 1,000 s, two seconds after its last write, and the clock."""

    def __init__(self, text: str = NO_CLOCK) -> None:
        self.now = 1000.0
        options = FeedOptions(name="run")
        self.feed = Feed(parse_target(ADDRESS), Recorded(), options, None, lambda: self.now)
        for event in in_chunks(text):
            self.feed.consume(event)

    def change(self, link: LinkState, after_s: float = 0.0) -> Feed:
        """The run, so many seconds after the way to it has become this."""
        self.feed.consume(LinkChanged(link, "the way"))
        self.now += after_s
        return self.feed


def told_everywhere(feed: Feed) -> set[str]:
    """The verdict in each of the places that tell it."""
    screen = ["".join(text for text, _ in draw_status(view_status(feed), width)[0]) for width in (40, 160)]
    return {
        str(status_to_json(feed, (), None)["verdict"]),
        describe_run(feed, ()).split()[1],
        view_member(feed).level,
        draw_glance(view_glance(feed), 100).split()[1],
        *(row.split()[1] for row in screen),
    }


@pytest.mark.parametrize("link", [*LOST, LinkState.STALE, LinkState.REFUSED])
def test_a_run_that_is_out_of_reach_is_unknown_everywhere(link: LinkState) -> None:
    feed = Watched().change(link, after_s=60.0)
    assert told_everywhere(feed) == {"unknown"}
    assert last_verdict(feed) == "healthy"
    assert describe_last(feed) == "healthy at step 300, 1 min ago"


@pytest.mark.parametrize("link", LOST)
def test_a_brief_break_changes_nothing(link: LinkState) -> None:
    watched = Watched()
    assert told_everywhere(watched.change(link, after_s=5.0)) == {"healthy"}
    assert told_everywhere(watched.change(LinkState.CONNECTING, after_s=4.0)) == {"healthy"}
    assert told_everywhere(watched.change(LinkState.LIVE, after_s=20.0)) == {"healthy"}


def test_a_break_is_as_long_as_all_its_attempts() -> None:
    watched = Watched()
    for _ in range(4):
        watched.change(LinkState.RETRYING, after_s=2.0)
        feed = watched.change(LinkState.CONNECTING, after_s=1.0)
    assert told_everywhere(feed) == {"unknown"}


def test_one_that_breaks_again_before_it_was_read_to_its_end_gets_no_second_patience() -> None:
    watched = Watched()
    watched.change(LinkState.RETRYING, after_s=9.0)
    watched.change(LinkState.LIVE, after_s=2.0)
    assert told_everywhere(watched.change(LinkState.RETRYING)) == {"unknown"}
    watched.change(LinkState.LIVE)
    watched.feed.consume(CaughtUp())
    assert told_everywhere(watched.change(LinkState.RETRYING)) == {"healthy"}


def test_a_link_that_was_stale_gets_none_when_it_breaks() -> None:
    watched = Watched()
    watched.change(LinkState.STALE, after_s=3.0)
    assert told_everywhere(watched.change(LinkState.RETRYING)) == {"unknown"}


def test_a_long_silence_is_told_as_such_and_changes_no_verdict() -> None:
    feed = Watched().change(LinkState.LIVE, after_s=9e5)
    assert told_everywhere(feed) == {"healthy"}
    assert "can't tell whether it is alive" in describe_run(feed, ())


def test_a_run_that_says_it_is_done_stays_as_healthy_as_it_was() -> None:
    feed = Watched(NO_CLOCK + '{"event": "done"}\n').change(LinkState.LIVE, after_s=9e5)
    assert told_everywhere(feed) == {"healthy"}
    assert last_verdict(feed) is None


def test_what_was_wrong_is_remembered_and_keeps_its_place_in_the_list() -> None:
    feed = Watched(WITH_NAN).change(LinkState.RETRYING, after_s=60.0)
    assert told_everywhere(feed) == {"unknown"}
    assert view_member(feed).last_level == "critical"
    assert view_member(feed).detail == "critical at step 301, 1 min ago; the way"
    assert "was critical" in draw_glance(view_glance(feed), 100)


def test_a_long_log_of_which_only_the_end_is_known_is_not_called_healthy() -> None:
    watched = Watched("")
    text = scenario_log("healthy", 600).encode()
    watched.feed.consume(Glimpsed(text[-20_000:], len(text) - 20_000, len(text)))
    for event in in_chunks(scenario_log("healthy", 100)):
        if not isinstance(event, CaughtUp):
            watched.feed.consume(event)
    assert view_status(watched.feed).verdict == READING
    assert view_member(watched.feed).level == "unknown"
    assert last_verdict(watched.feed) is None
