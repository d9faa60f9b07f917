"""Where a run is and when it will be done, in words."""

import re

from tests.recorded import Recorded, in_chunks
from tests.replicas import text_of
from tui.feed import Feed, FeedOptions
from tui.report.pace import describe_eta, describe_progress
from tui.store.budget import Budget
from tui.store.progress import Progress
from tui.target import parse_target


def feed_of(budget: Budget, live: bool = True) -> Feed:
    entries = [{"step": float(n), "loss": 1.0, "elapsed": 6.0 * n} for n in range(1, 201)]
    options = FeedOptions(name="run", total_steps=budget.last_step, budget=budget, is_finished=not live)
    feed = Feed(parse_target("box:/log"), Recorded(), options)
    for event in in_chunks(text_of(entries)):
        feed.consume(event)
    return feed


def test_a_live_run_tells_when_it_will_be_done_on_the_clock() -> None:
    told = describe_progress(feed_of(Budget(last_step=1000)))
    assert told.startswith("step 200 of 1,000 (20.0%) · 200 entries · 0.167 steps/s · ETA 1 h 20 min")
    assert re.search(r" · done \w+ \d\d \w+ \d\d:\d\d$", told)
    assert "done" not in describe_progress(feed_of(Budget(last_step=1000), live=False))


def test_a_count_that_began_later_tells_its_own_share() -> None:
    told = describe_progress(feed_of(Budget(last_step=1100, counted_from=100)))
    assert told.startswith("step 200, 100 of 1,000 since 100 (10.0%) · ")


def test_epochs_and_tokens_stand_beside_the_step() -> None:
    budget = Budget(tokens_per_step=((0, 500),), tokens_per_epoch=40_000, epochs=4)
    assert "epoch 2.50 of 4 · 100k tokens" in describe_progress(feed_of(budget))
    budget = Budget(steps_per_epoch=1000)
    assert "epoch 1 (20.0% of it)" in describe_progress(feed_of(budget))
    assert " · epoch 2 · " in describe_progress(feed_of(Budget(steps_per_epoch=100)))


def test_a_spread_is_told_where_it_can_be_seen() -> None:
    progress = Progress(1, 2, 0.5, 7200, 1, None, eta_low_s=3600, eta_high_s=10800)
    assert describe_eta(progress) == "2 h (1 h to 3 h)"
    assert describe_eta(Progress(1, 2, 0.5, 7200, 1, None, eta_low_s=7201, eta_high_s=7202)) == "2 h"
