"""While a long log is read in, its end is shown; what stands afterwards is what reading from the start gives."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.recorded import make_feed
from tui.events import CaughtUp, FileReplaced, Glimpsed, LinkChanged, LinkState, Observed, Received
from tui.feed import Feed
from tui.health.alerts import Severity
from tui.report.schema import status_to_json
from tui.screens.display import Display
from tui.screens.status import READING
from tui.screens.view import (
    view_banner,
    view_curves,
    view_empty,
    view_log,
    view_metrics,
    view_notice,
    view_panels,
    view_status,
)

STEPS = 150_000
LOG = b"".join(
    b'{"step": %d, "loss": %s}\n' % (step, b"NaN" if step == 50 else b"%.4f" % (2 - step / STEPS))
    for step in range(1, STEPS + 1)
)
END = LOG[-256 * 1024 :]
HALF = LOG.index(b"\n", len(LOG) // 2) + 1


def glimpse(feed: Feed) -> None:
    feed.consume(LinkChanged(LinkState.LIVE))
    feed.consume(Glimpsed(END, len(LOG) - len(END), len(LOG)))


def read(feed: Feed, data: bytes, at: int = 0) -> None:
    feed.consume(Received(data, at))
    feed.consume(Observed(100.0, 98.0, len(LOG)))


@pytest.fixture
def halfway() -> Feed:
    """A feed that has seen the log's end, and read it to its middle."""
    feed = make_feed()
    glimpse(feed)
    read(feed, LOG[:HALF])
    return feed


def test_the_end_is_a_run_of_its_own_without_the_line_that_was_cut(halfway: Feed) -> None:
    assert halfway.preview is not None
    assert halfway.shown.last_step == STEPS
    assert halfway.shown.entries == END.count(b"\n") - 1
    assert halfway.shown.malformed == 0
    assert halfway.run.last_step == LOG[:HALF].count(b"\n")


def test_it_is_gone_once_all_has_been_read_and_has_left_no_trace(halfway: Feed) -> None:
    read(halfway, LOG[HALF:], HALF)
    halfway.consume(CaughtUp())
    plain = make_feed()
    plain.consume(LinkChanged(LinkState.LIVE))
    read(plain, LOG[:HALF])
    read(plain, LOG[HALF:], HALF)
    plain.consume(CaughtUp())
    assert halfway.preview is None
    assert halfway.past() is None
    told, expected = (status_to_json(feed, ["loss"], None) for feed in (halfway, plain))
    assert told | {"liveness": None} == expected | {"liveness": None}


def test_another_file_ends_it(halfway: Feed) -> None:
    halfway.consume(FileReplaced("truncated", gap=True))
    assert halfway.preview is None


def test_the_screen_shows_the_end_and_no_verdict_until_the_past_is_read(halfway: Feed) -> None:
    status = view_status(halfway)
    assert (status.verdict, status.step) == (READING, STEPS)
    assert any(alert.severity is Severity.CRITICAL for alert in halfway.alerts)
    assert not view_banner(halfway).firing
    panels = view_panels(halfway)
    assert np.all(view_curves(halfway, Display(), panels.names).curves[0].samples.x > STEPS * 0.9)
    assert view_metrics(halfway, panels.names)[0].last == pytest.approx(1.0)
    assert panels.table.rows[0].step == 1
    assert str(STEPS) in view_log(halfway).lines[-1].text
    assert view_empty(halfway) is None


def test_a_bar_tells_how_much_of_the_past_has_been_read(halfway: Feed) -> None:
    notice = view_notice(halfway)
    assert notice is not None
    assert notice.headline == "reading the past  ███████░░░░░░░ 50%"
    assert re.match(r"2\.\d+ of 4\.\d+ MB", notice.text)


def test_a_format_whose_lines_need_a_header_has_no_preview() -> None:
    rows = b"".join(b"%d,%.3f\n" % (step, 2 - step / 1e6) for step in range(1, 400_000))
    log = b"step,loss\n" + rows
    feed = make_feed()
    feed.consume(LinkChanged(LinkState.LIVE))
    feed.consume(Glimpsed(log[-1000:], len(log) - 1000, len(log)))
    read(feed, log[:100_000])
    assert feed.format == "csv"
    assert feed.preview is None


def in_pieces(feed: Feed, stop: int, piece: int = 64 * 1024) -> None:
    feed.consume(LinkChanged(LinkState.LIVE))
    feed.consume(Observed(100.0, 98.0, 100 * len(LOG)))
    for at in range(0, stop, piece):
        feed.consume(Received(LOG[at : min(at + piece, stop)], at))


def test_pieces_of_a_past_of_which_much_more_is_to_come_are_judged_together() -> None:
    feed = make_feed()
    in_pieces(feed, HALF)
    assert 0 < feed.run.entries < HALF / len(LOG) * STEPS
    feed.consume(LinkChanged(LinkState.STALE, "nothing came for 15 s"))
    assert feed.run.last_step == LOG[:HALF].count(b"\n")


def test_they_wait_no_longer_than_until_the_next_look() -> None:
    feed = make_feed()
    in_pieces(feed, HALF)
    feed.look()
    assert feed.run.last_step == LOG[:HALF].count(b"\n")


def test_they_give_what_they_give_each_by_itself() -> None:
    together, singly = make_feed(), make_feed()
    in_pieces(together, len(LOG))
    singly.consume(LinkChanged(LinkState.LIVE))
    for at in range(0, len(LOG), 64 * 1024):
        singly.consume(Received(LOG[at : at + 64 * 1024], at))
    for feed in (together, singly):
        feed.consume(Observed(100.0, 98.0, len(LOG)))
        feed.consume(CaughtUp())
    told, expected = (status_to_json(feed, ["loss"], None) for feed in (together, singly))
    assert told | {"liveness": None} == expected | {"liveness": None}
