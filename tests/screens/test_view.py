"""From a feed to the data of the widgets."""

import json
import subprocess
import sys
from collections.abc import Iterable

import numpy as np
import pytest

from tests.recorded import fill_feed, in_chunks, make_feed
from tui.events import CaughtUp, FileReplaced, LinkChanged, LinkState, Observed, Received
from tui.screens.display import Display
from tui.screens.order import main_metrics, order_metrics
from tui.screens.panels import recent_change
from tui.screens.view import (
    build_view,
    view_alerts,
    view_banner,
    view_curves,
    view_empty,
    view_log,
    view_metrics,
    view_notice,
    view_panels,
    view_status,
)
from widgets.drawing.notice import Notice


def log(entries: Iterable[dict[str, object]]) -> str:
    return "".join(json.dumps(entry) + "\n" for entry in entries)


SHORT = log(
    {"step": step, "loss": 2.0 - step / 1000, "accuracy": step / 1000, "lr": 1e-4} for step in range(1, 301)
)


def test_it_needs_no_terminal_library() -> None:
    code = (
        "import sys, tui.screens.view; sys.exit(any(name in sys.modules for name in ('textual', 'plotext')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_main_metrics_are_loss_quality_gradient_norm_rate_and_throughput_in_this_order() -> None:
    fields = {"tok/s": 1, "lr": 1, "eval_loss": 1, "grad_norm": 1, "acc": 1, "loss": 1}
    feed = fill_feed(log({"step": n, **fields} for n in range(9)))
    assert main_metrics(feed.run, feed.run.fields) == ("loss", "acc", "grad_norm", "lr", "tok/s")


def test_a_log_without_any_of_them_keeps_its_own_order() -> None:
    feed = fill_feed(log({"step": n, "foo": 1, "bar": 2} for n in range(9)))
    assert order_metrics(feed.run, feed.run.fields) == ("foo", "bar")


def test_the_other_metrics_follow_as_the_log_has_them_without_clocks() -> None:
    feed = fill_feed(log({"step": n, "lr": 1, "elapsed": n, "acc": 1, "loss": 1} for n in range(9)))
    assert order_metrics(feed.run, feed.run.fields) == ("loss", "acc", "lr")


def test_what_is_pinned_comes_first_and_what_is_hidden_nowhere() -> None:
    feed = fill_feed(log({"step": n, "lr": 1, "elapsed": n, "acc": 1, "loss": 1, "foo": 1} for n in range(9)))
    choice = Display(pinned=("foo", "elapsed"), hidden=("acc",))
    assert order_metrics(feed.run, feed.run.fields, choice) == ("foo", "elapsed", "loss", "lr")


def test_a_filter_is_a_text_or_a_pattern_in_any_case_and_finds_clocks_too() -> None:
    feed = fill_feed(log({"step": n, "Loss": 1, "loss_ce": 1, "elapsed": n, "acc": 1} for n in range(9)))
    fields = feed.run.fields
    assert order_metrics(feed.run, fields, Display(pattern="LOSS")) == ("Loss", "loss_ce")
    assert order_metrics(feed.run, fields, Display(pattern="*_c?")) == ("loss_ce",)
    assert order_metrics(feed.run, fields, Display(pattern="elap")) == ("elapsed",)
    assert order_metrics(feed.run, fields, Display(pattern="zzz")) == ()


def test_the_panels_hold_curves_metrics_and_the_table() -> None:
    feed = fill_feed(SHORT)
    panels = view_panels(feed)
    assert panels.names == ("loss", "accuracy", "lr")
    assert [metric.name for metric in view_metrics(feed, panels.names)] == ["loss", "accuracy", "lr"]
    curve = view_curves(feed, Display(span=100), panels.names).curves[0]
    assert (curve.name, curve.span) == ("loss", 100)
    assert curve.samples.last == pytest.approx(1.7)
    assert [column.name for column in panels.table.columns] == ["loss", "accuracy", "lr"]
    assert [column.direction for column in panels.table.columns] == [-1, 1, 0]
    assert panels.table.recent_entries == 50


def test_before_the_first_entry_there_are_no_panels() -> None:
    panels = view_panels(make_feed())
    assert not panels.names
    assert not panels.table.rows


def test_the_change_is_between_the_last_two_fifties() -> None:
    assert recent_change(np.r_[np.zeros(50), np.ones(50)]) == 1.0
    assert recent_change(np.arange(60.0)) is None
    assert recent_change(np.r_[np.full(50, np.nan), np.ones(50)]) is None


def test_the_status_tells_of_the_run_and_of_the_way_to_it() -> None:
    status = view_status(fill_feed(SHORT), "1/2")
    assert (status.name, status.place) == ("v3-kpro6", "gpu-box ▸ pct/200")
    assert (status.verdict, status.link, status.step) == ("healthy", "live", 300.0)
    assert status.age_s == 2.0
    assert status.position == "1/2"


def test_nothing_read_is_unknown_and_not_healthy() -> None:
    assert view_status(make_feed()).verdict == "unknown"


def test_while_the_past_comes_in_the_status_tells_how_far() -> None:
    feed = make_feed()
    feed.consume(LinkChanged(LinkState.LIVE))
    feed.consume(Observed(10.0, 9.0, 2 * len(SHORT)))
    feed.consume(Received(SHORT.encode(), 0))
    assert view_status(feed).loaded == pytest.approx(0.5)
    feed.consume(CaughtUp())
    assert view_status(feed).loaded is None


def test_a_run_that_is_finished_is_not_late() -> None:
    status = view_status(fill_feed(SHORT + '{"event": "done"}\n'))
    assert (status.link, status.next_s, status.is_late) == ("finished", None, False)


def test_ages_are_rounded_so_that_they_do_not_flicker() -> None:
    feed = make_feed()
    feed.consume(LinkChanged(LinkState.LIVE))
    feed.consume(Observed(1000.0, 1000.0 - 38.7, 100))
    feed.consume(Received(SHORT.encode(), 0))
    assert view_status(feed).age_s == 35.0


@pytest.mark.parametrize(
    ("state", "headline"),
    [
        (LinkState.CONNECTING, "connecting to gpu-box ▸ pct/200"),
        (LinkState.LIVE, "connected; no entry yet"),
        (LinkState.RETRYING, "no connection to gpu-box ▸ pct/200"),
        (LinkState.REFUSED, "refused by gpu-box ▸ pct/200"),
        (LinkState.MISSING, "not found on gpu-box ▸ pct/200"),
        (LinkState.STALE, "no answer from gpu-box ▸ pct/200"),
        (LinkState.ENDED, "the log has ended without an entry"),
    ],
)
def test_an_empty_screen_says_what_is_awaited(state: LinkState, headline: str) -> None:
    feed = make_feed()
    feed.consume(LinkChanged(state, "check that it is up"))
    notice = view_empty(feed)
    assert notice is not None
    assert notice.headline == headline
    if state in (LinkState.RETRYING, LinkState.REFUSED, LinkState.MISSING):
        assert "check that it is up" in notice.text


def test_an_empty_file_says_its_size() -> None:
    feed = make_feed()
    feed.consume(LinkChanged(LinkState.LIVE))
    feed.consume(Observed(10.0, 9.0, 0))
    notice = view_empty(feed)
    assert notice is not None
    assert notice.text == "the file /workspace/checkpoints/train_log.jsonl has 0 bytes"


def test_a_lost_link_counts_down_to_the_next_attempt() -> None:
    feed = fill_feed(SHORT)
    assert view_notice(feed) is None
    feed.consume(LinkChanged(LinkState.RETRYING, "the network is down", 8.0))
    notice = view_notice(feed, since_link_s=3.0)
    assert notice is not None
    assert notice.text == "the network is down (next attempt in 5 s; R: at once)"
    assert view_empty(feed) is None


def test_a_file_cut_short_is_told_with_the_step_before_which_lines_may_be_missing() -> None:
    feed = fill_feed(SHORT)
    feed.consume(FileReplaced("truncated", gap=True))
    assert view_notice(feed) == Notice(
        "the log was cut short", "lines may be missing before what comes next", "warning"
    )
    feed.consume(Received(b'{"step": 1321, "loss": 1.0}\n', 0))
    assert view_notice(feed) == Notice(
        "the log was cut short", "lines may be missing before step 1,321", "warning"
    )


def test_a_file_that_was_rotated_and_finished_needs_no_notice() -> None:
    feed = fill_feed(SHORT)
    feed.consume(FileReplaced("rotated"))
    assert view_notice(feed) is None


def test_a_nan_loss_is_in_the_banner_the_list_and_on_its_curve() -> None:
    feed = fill_feed(SHORT + '{"step": 301, "loss": NaN, "accuracy": 0.3, "lr": 1e-4}\n')
    banner = view_banner(feed)
    assert banner.firing[0].kind == "nonfinite"
    listed = view_alerts(feed)[0]
    assert (listed.kind, listed.message) == (banner.firing[0].kind, banner.firing[0].message)
    assert listed.evidence == banner.firing[0].evidence
    assert listed.now == (("nonfinite", "1"),)
    curve = view_curves(feed, Display(), ["loss"]).curves[0]
    assert curve.level == banner.firing[0].level
    assert banner.firing[0].level in {mark.level for mark in curve.ground.marks}
    assert all(isinstance(text, str) for _, text in banner.firing[0].evidence)


def test_a_restart_is_marked_on_the_curves() -> None:
    again = log({"step": step, "loss": 1.9, "accuracy": 0.1, "lr": 1e-4} for step in range(100, 200))
    marks = view_curves(fill_feed(SHORT + again), Display(), ["loss"]).curves[0].ground.marks
    assert [(mark.x, mark.level) for mark in marks if mark.level == "restart"] == [(100.0, "restart")]


def test_the_log_has_the_last_lines_and_marks_the_malformed() -> None:
    feed = fill_feed(SHORT + "boom {\n")
    lines = view_log(feed).lines
    assert lines[-2].text.startswith('{"step": 300')
    assert [line.is_malformed for line in lines[-2:]] == [False, True] or feed.malformed == 0


def test_the_same_bytes_give_the_same_view_however_they_were_cut() -> None:
    whole, cut = fill_feed(SHORT), make_feed()
    cut.consume(LinkChanged(LinkState.LIVE))
    cut.consume(Observed(100.0, 98.0, len(SHORT)))
    for at in range(0, len(SHORT), 777):
        cut.consume(Received(SHORT[at : at + 777].encode(), at))
    cut.consume(CaughtUp())
    one, other = build_view(whole), build_view(cut)
    assert one.panels.table == other.panels.table
    assert one.banner == other.banner
    assert np.array_equal(one.curves[0].samples.low, other.curves[0].samples.low)
    assert len(in_chunks(SHORT)) == 4
