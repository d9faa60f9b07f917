"""Where bytes may have gone unread, JSON and text say so."""

from tests.recorded import fill_feed
from tui.events import FileReplaced, Received
from tui.feed import Feed
from tui.report.schema import status_to_json
from tui.report.wording import describe_run


def cut_short() -> Feed:
    feed = fill_feed('{"step": 1, "loss": 2.0}\n{"step": 2, "loss": 1.9}\n')
    feed.consume(FileReplaced("rotated"))
    feed.consume(Received(b'{"step": 3, "loss": 1.8}\n', 0))
    feed.consume(FileReplaced("truncated", gap=True))
    feed.consume(FileReplaced("truncated", gap=True))
    return feed


def test_each_change_of_file_is_in_the_json_with_the_step_that_follows_it() -> None:
    feed = cut_short()
    feed.consume(Received(b'{"step": 9, "loss": 1.2}\n', 0))
    assert status_to_json(feed, ["loss"], None)["replaced"] == [
        {"reason": "rotated", "gap": False, "step": 3},
        {"reason": "truncated", "gap": True, "step": 9},
        {"reason": "truncated", "gap": True, "step": 9},
    ]


def test_the_step_is_null_until_an_entry_has_followed() -> None:
    assert status_to_json(cut_short(), ["loss"], None)["replaced"][-1]["step"] is None


def test_the_text_tells_gaps_alone_and_each_once() -> None:
    feed = cut_short()
    feed.consume(Received(b'{"step": 9, "loss": 1.2}\n', 0))
    told = [line for line in describe_run(feed, ["loss"]).splitlines() if "missing" in line]
    assert told == ["  ▲ the log was cut short: lines may be missing before step 9"]
