"""The milestone table as the screen shows it."""

import pytest

from tests.recorded import Recorded, in_chunks
from tests.snapshots.capture import make_feed
from tui.events import Glimpsed, Received
from tui.feed import Feed, FeedOptions
from tui.screens.milestones import view_table
from tui.store.progress import Progress
from tui.store.reference import from_points
from tui.target import parse_target

LOG = "".join(f'{{"step": {10 * n}, "time": {5 * n}, "loss": 2.0, "acc1": 0.1}}\n' for n in range(1, 40))


def filled(**options: object) -> Feed:
    feed = Feed(parse_target("train.jsonl"), Recorded(), FeedOptions(name="run", **options))  # type: ignore[arg-type]
    for event in in_chunks(LOG):
        feed.consume(event)
    return feed


def test_a_pattern_chooses_the_columns() -> None:
    assert [column.name for column in view_table(filled(metrics=("acc*", "loss"))).columns] == [
        "acc1",
        "loss",
    ]
    assert view_table(filled(metrics=("nothing*",))).columns == ()


def test_without_a_pattern_the_loss_comes_first_wherever_the_log_has_it() -> None:
    names = [column.name for column in view_table(filled()).columns]
    assert (names[0], names.count("loss")) == ("loss", 1)


def test_what_is_ahead_is_due_by_the_pace_of_the_run() -> None:
    (ahead,) = (row for row in view_table(filled(milestones=(100.0, 2390.0))).rows if not row.is_reached)
    assert ahead.due_s == 1000.0


@pytest.mark.parametrize(
    "end", ['{"event": "done"}\n', "Traceback (most recent call last):\nValueError: no\n"]
)
def test_nothing_is_due_of_a_run_that_is_over_or_broke_off(end: str) -> None:
    feed = filled(milestones=(100.0, 2390.0))
    assert not view_table(feed).is_over
    feed.consume(Received(end.encode(), len(LOG)))
    assert view_table(feed).is_over


def test_without_a_pace_nothing_is_due_at_a_time() -> None:
    assert Progress(100.0, None, None, None, None, None).due_in_s(500.0) is None
    assert Progress(100.0, None, None, None, 2.0, None).due_in_s(50.0) is None


def test_differences_are_those_to_the_reference() -> None:
    paper = from_points("paper", "table 2", {"loss": [(0.0, 1.5), (1000.0, 1.5)]})
    feed = filled(milestones=(100.0,))
    feed.comparison.references = (paper,)
    (row,) = view_table(feed).rows
    assert row.differences == {"loss": 0.5}


def test_a_value_that_hides_something_is_marked() -> None:
    (row,) = (row for row in view_table(make_feed("warning")).rows if row.milestone == 20_000)
    assert "accuracy" in row.hidden  # its plateau began in between


def test_what_lies_in_the_part_that_is_not_read_yet_says_so() -> None:
    feed = Feed(
        parse_target("train.jsonl"), Recorded(), FeedOptions(name="run", milestones=(100.0, 300.0, 900.0))
    )
    lines = LOG.splitlines(keepends=True)
    feed.consume(Glimpsed("".join(lines[20:]).encode(), 1000, len(LOG)))
    feed.consume(Received("".join(lines[:15]).encode(), 0))
    assert [row.is_unread for row in view_table(feed).rows] == [False, True, False]
