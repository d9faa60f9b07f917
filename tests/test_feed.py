import asyncio
import json
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.waiting import eventually
from tui.events import CaughtUp, FileReplaced, LinkChanged, LinkState, Observed, Received, SourceEvent
from tui.feed import Feed, FeedOptions
from tui.health.alerts import AlertChange, Verdict
from tui.health.liveness import LivenessState
from tui.listener import Replacement
from tui.target import parse_target


class Script:
    """A source that tells what it is given."""

    def __init__(self, *events: SourceEvent) -> None:
        self._events = events

    async def events(self, *, follow: bool) -> AsyncGenerator[SourceEvent, None]:
        for event in self._events:
            yield event

    def retry_now(self) -> None:
        pass


class Unending(Script):
    """A source that tells what it is given, and then stays open."""

    async def events(self, *, follow: bool) -> AsyncGenerator[SourceEvent, None]:
        for event in self._events:
            yield event
        await asyncio.Event().wait()


class Told:
    """A listener that remembers."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def entry_decoded(self, step: float, values: Mapping[str, float]) -> None:
        self.told.append((step, dict(values)))

    def alert_changed(self, change: AlertChange) -> None:
        self.told.append((str(change.what), change.alert.kind, change.alert.raised_step))

    def link_changed(self, link: LinkChanged) -> None:
        self.told.append(str(link.state))

    def file_replaced(self, replaced: FileReplaced) -> None:
        self.told.append(replaced)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def make_feed(
    *events: SourceEvent, finished: bool = False, told: Told | None = None, clock: Clock | None = None
) -> Feed:
    options = FeedOptions(name="run", is_finished=finished)
    return Feed(parse_target("box:/log"), Script(*events), options, told, clock or Clock())


def lines(entries: Iterable[Mapping[str, float]]) -> bytes:
    return b"".join(json.dumps(entry).encode() + b"\n" for entry in entries)


def chunks(data: bytes, places: Sequence[int] = ()) -> list[Received]:
    edges = sorted({place % (len(data) + 1) for place in places} | {0, len(data)})
    return [Received(data[start:stop], start) for start, stop in pairwise(edges)]


LOG = lines(
    {"step": step, "loss": float("nan") if step in (300, 301) else 3 - step / 500} for step in range(1, 400)
)


async def test_reading_once_gives_the_run_and_its_verdict() -> None:
    feed = make_feed(*chunks(LOG, [100, 5000]), CaughtUp(), LinkChanged(LinkState.ENDED))
    await feed.read()
    assert (feed.run.entries, feed.run.last_step, feed.format) == (399, 399, "jsonl")
    assert [alert.kind for alert in feed.alerts] == ["nonfinite"]
    assert feed.alerts[0].raised_step == 300


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, len(LOG)), max_size=8))
def test_what_is_shown_depends_on_the_bytes_and_not_on_their_cuts(places: list[int]) -> None:
    whole, cut = (Told(), Told())
    for told, events in ((whole, chunks(LOG)), (cut, chunks(LOG, places))):
        feed = make_feed(told=told)
        for event in events:
            feed.consume(event)
    assert repr(whole.told) == repr(cut.told)


def test_alerts_are_told_right_after_the_entry_that_brought_them() -> None:
    told = Told()
    make_feed(told=told).consume(Received(LOG, 0))
    at = told.told.index(("raised", "nonfinite", 300.0))
    assert told.told[at - 1][0] == 300  # type: ignore[index]


def test_an_entry_is_told_without_its_step_among_the_values() -> None:
    told = Told()
    make_feed(told=told).consume(Received(b'{"step": 7, "loss": 2.0, "elapsed": 3}\n', 0))
    assert told.told == [(7.0, {"loss": 2.0, "elapsed": 3.0})]


async def test_a_run_of_which_nothing_was_read_is_unknown_and_never_healthy() -> None:
    feed = make_feed(LinkChanged(LinkState.MISSING, "box has no /log"))
    await feed.read()
    assert feed.verdict is Verdict.UNKNOWN
    assert feed.format is None
    assert feed.last_entry_age_s() is None


@pytest.mark.parametrize(("finished", "entries"), [(True, 2), (False, 1)])
async def test_a_whole_last_line_without_its_newline_counts_once_the_log_is_finished(
    finished: bool, entries: int
) -> None:
    feed = make_feed(Received(b'{"step": 1}\n{"step": 2}', 0), CaughtUp(), finished=finished)
    await feed.read()
    assert feed.run.entries == entries


async def test_a_half_written_last_line_waits_and_is_never_malformed() -> None:
    feed = make_feed(Received(b'{"step": 1}\n{"step": 2', 0), CaughtUp(), finished=True)
    await feed.read()
    assert (feed.run.entries, feed.malformed) == (1, 0)


def test_a_replaced_file_ends_the_line_that_was_open_in_the_old_one() -> None:
    feed = make_feed()
    for event in (
        Received(b'{"step": 1}\n{"step": 2}', 0),
        FileReplaced("rotated"),
        Received(b'{"step": 3}\n', 0),
    ):
        feed.consume(event)
    assert (feed.run.entries, feed.malformed) == (3, 0)
    assert feed.replaced == [Replacement("rotated", gap=False, step=3)]


def test_a_fragment_at_the_end_of_a_replaced_file_never_joins_the_new_one() -> None:
    feed = make_feed()
    for event in (
        Received(b'{"step": 1', 0),
        FileReplaced("truncated", gap=True),
        Received(b'{"step": 3}\n', 0),
    ):
        feed.consume(event)
    assert (feed.run.entries, feed.malformed) == (1, 0)


def test_ages_are_by_the_far_clock_until_bytes_arrive_and_then_by_their_arrival() -> None:
    clock = Clock()
    feed = make_feed(clock=clock)
    assert feed.last_byte_age_s() is None
    feed.consume(Observed(remote_now_s=5000.0, modified_s=4940.0, size=12))
    feed.consume(Received(b'{"step": 1}\n', 0))
    feed.consume(CaughtUp())
    clock.now += 7
    assert feed.last_byte_age_s() == 67
    assert feed.last_entry_age_s() == 67
    feed.consume(Received(b'{"step": 2}\n{"st', 12))
    clock.now += 3
    feed.consume(Received(b'ep"', 28))
    clock.now += 1
    assert feed.last_byte_age_s() == 1
    assert feed.last_entry_age_s() == 4


def test_ages_go_on_when_the_link_is_lost() -> None:
    clock = Clock()
    feed = make_feed(clock=clock)
    feed.consume(Observed(1000.0, 990.0, 0))
    feed.consume(LinkChanged(LinkState.RETRYING, "the connection broke", 2.0))
    clock.now += 60
    assert feed.last_byte_age_s() == 70


def test_silence_beyond_the_stall_limit_is_never_shown_as_life() -> None:
    clock = Clock()
    feed = make_feed(clock=clock)
    feed.consume(Received(lines({"step": n, "loss": 1.0, "elapsed": 10.0 * n} for n in range(100)), 0))
    feed.consume(Observed(1000.0, 1000.0, 0))
    feed.consume(CaughtUp())
    assert feed.liveness().state is LivenessState.LIVE
    assert feed.liveness().expected_s == 10.0
    clock.now += 301
    assert feed.liveness().state is LivenessState.SILENT


def test_a_finished_log_is_not_judged_by_its_silence() -> None:
    feed = make_feed(finished=True)
    feed.consume(Observed(1e6, 0.0, 0))
    assert feed.liveness().state is LivenessState.FINISHED


def test_the_pace_of_arrival_stands_in_for_a_log_without_a_clock() -> None:
    clock = Clock()
    feed = make_feed(clock=clock)
    feed.consume(CaughtUp())
    for step in range(0, 100, 10):
        feed.consume(Received(lines([{"step": step, "loss": 1.0}]), 0))
        clock.now += 5
    assert feed.progress().steps_per_s == pytest.approx(2.0)
    assert feed.expected_s == 5.0


def pausing(clock: Clock, told: Told | None = None, extra: bytes = b"") -> Feed:
    """A feed that has caught up with a log of 100 entries, 10 s apart, written to this very moment."""
    feed = make_feed(clock=clock, told=told)
    for event in pause_events(extra):
        feed.consume(event)
    return feed


def pause_events(extra: bytes = b"") -> list[SourceEvent]:
    log = lines({"step": n, "loss": 3 - n / 100, "elapsed": 10.0 * n} for n in range(100))
    return [LinkChanged(LinkState.LIVE), Received(log + extra, 0), Observed(1000.0, 1000.0, 0), CaughtUp()]


def test_a_stall_is_raised_as_time_goes_by_and_cleared_by_the_next_entry() -> None:
    clock, told = Clock(), Told()
    feed = pausing(clock, told)
    feed.look()
    assert not feed.alerts
    clock.now += 301
    feed.look()
    assert [(alert.kind, alert.is_firing) for alert in feed.alerts] == [("stall", True)]
    assert str(feed.verdict) == "warning"
    assert told.told[-1] == ("raised", "stall", 99.0)
    clock.now += 1500
    feed.look()
    assert str(feed.verdict) == "critical"
    feed.consume(Received(lines([{"step": 100, "loss": 2.0, "elapsed": 2800.0}]), 9999))
    feed.look()
    assert feed.alerts[0].message == "the log goes on after 30 min of silence"
    assert str(feed.verdict) == "healthy"


def test_the_numbers_of_the_other_alerts_do_not_depend_on_a_stall() -> None:
    clock = Clock()
    feed = pausing(clock)
    clock.now += 400
    feed.look()
    feed.consume(Received(b'{"step": 100, "loss": NaN, "elapsed": 1500}\n', 9999))
    assert [(alert.kind, alert.number) for alert in feed.alerts] == [("nonfinite", 1), ("stall", 100_001)]


def test_a_lost_way_is_no_stall() -> None:
    clock = Clock()
    feed = pausing(clock)
    feed.consume(LinkChanged(LinkState.RETRYING, "the connection broke", 2.0))
    clock.now += 5000
    feed.look()
    assert not feed.alerts


@pytest.mark.parametrize("extra", [b"Training finished.\n", b'{"event": "done"}\n'])
def test_a_run_that_says_it_is_done_is_finished_and_does_not_stall(extra: bytes) -> None:
    clock = Clock()
    feed = pausing(clock, extra=extra)
    clock.now += 5000
    feed.look()
    assert not feed.alerts
    assert feed.liveness().state is LivenessState.FINISHED


def test_a_run_at_its_goal_is_finished_and_does_not_stall() -> None:
    clock = Clock()
    feed = pausing(clock)
    feed.run.total_steps = 100.0
    clock.now += 5000
    feed.look()
    assert not feed.alerts
    feed.run.total_steps = 99.0
    assert feed.liveness().state is LivenessState.FINISHED


def test_an_outage_teaches_no_long_pause() -> None:
    clock = Clock()
    feed = pausing(clock)
    for step in range(100, 120):
        clock.now += 10
        feed.consume(Received(lines([{"step": step, "loss": 2 - step / 999}]), 0))
    feed.consume(LinkChanged(LinkState.RETRYING, "the connection broke", 2.0))
    clock.now += 3600
    feed.consume(LinkChanged(LinkState.LIVE))
    feed.consume(Received(lines({"step": step, "loss": 2 - step / 999} for step in range(120, 480)), 0))
    feed.consume(Observed(9000.0, 9000.0, 0))
    feed.consume(CaughtUp())
    clock.now += 10
    feed.consume(Received(lines([{"step": 480, "loss": 2.0}]), 0))
    clock.now += 301
    feed.look()
    assert [alert.kind for alert in feed.alerts] == ["stall"]


async def test_a_log_that_ends_in_a_traceback_says_so() -> None:
    failed = b'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: bad batch\n'
    feed = make_feed(*pause_events(failed), finished=True)
    await feed.read()
    assert [(alert.kind, alert.message) for alert in feed.alerts] == [
        ("log_error", "the log ends in ValueError: bad batch")
    ]
    assert feed.verdict is Verdict.CRITICAL


async def test_headless_following_keeps_looking_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.feed.LOOK_S", 0.001)
    clock, told = Clock(), Told()
    source = Unending(*pause_events())
    feed = Feed(parse_target("box:/log"), source, FeedOptions(name="run"), told, clock)
    following = asyncio.create_task(feed.follow())
    await eventually(lambda: feed.is_caught_up)
    clock.now += 400
    await eventually(lambda: ("raised", "stall", 99.0) in told.told)
    following.cancel()
    with pytest.raises(asyncio.CancelledError):
        await following


def test_a_log_that_ends_in_mid_line_may_be_silent_for_as_long_as_its_writers_buffer_takes() -> None:
    clock = Clock()
    feed = pausing(clock, extra=b'{"step": 100, "lo')
    clock.now += 5000
    feed.look()
    assert not feed.alerts
    clock.now += 10_000
    feed.look()
    assert [alert.kind for alert in feed.alerts] == ["stall"]


def test_watchers_are_called_when_something_has_come() -> None:
    feed, told = make_feed(), []
    feed.watchers.append(lambda: told.append(feed.run.entries))
    feed.consume(Received(b'{"step": 1, "loss": 2.5}\n', 0))
    assert told == [1]
