import asyncio
import random
from pathlib import Path

import pytest

from tests.ranklogs import rank_log, write_ranks
from tests.waiting import eventually
from tui.commands.options import Plan
from tui.events import CaughtUp, LinkChanged, LinkState, Observed, Received, Switched
from tui.feed import Feed, FeedOptions
from tui.health.alerts import Alert
from tui.report.schema import status_to_json
from tui.screens.curves import view_curves
from tui.screens.display import Display
from tui.sources.ssh import Connections
from tui.target import join_targets, parse_target


def feed_of(*paths: object, is_finished: bool = False) -> Feed:
    target = join_targets([parse_target(str(path)) for path in paths])
    options = FeedOptions(name="run", is_finished=is_finished, has_ranks=True)
    return Plan(target, options).make_feed(Connections(), looks_beside=False)


def said(feed: Feed) -> dict[str, object]:
    """What a status says of a run, without what is about now: the way to it, and the pace at which entries come."""
    told = status_to_json(feed, feed.run.fields, None)
    return {name: value for name, value in told.items() if name not in ("link", "liveness", "progress")}


def stragglers(feed: Feed) -> list[Alert]:
    return [alert for alert in feed.alerts if alert.kind == "straggler"]


async def test_eight_logs_are_one_run_with_its_straggler_and_the_rank_that_ended(tmp_path: Path) -> None:
    feed = feed_of(write_ranks(tmp_path) / "rank*.jsonl")
    await feed.read()
    assert [segment.started_by for segment in feed.run.segments] == ["start", "restart"]
    assert feed.run.last_step == 1199
    assert feed.run.points("eval_loss").steps.tolist() == list(range(100, 1101, 100))
    (alert,) = stragglers(feed)
    assert alert.message.startswith("rank 3: 1.4")
    assert alert.is_firing
    assert feed.ranks is not None
    (behind,) = feed.ranks.behind()
    assert (behind.name, behind.last_step, behind.is_left_out, behind.missed) == ("5", 699, True, 0)


async def test_nothing_is_told_three_times(tmp_path: Path) -> None:
    feed = feed_of(write_ranks(tmp_path) / "rank*.jsonl")
    await feed.read()
    assert [alert.kind for alert in feed.alerts].count("restart") == 1
    assert len(feed.alerts) == 2


async def test_a_finished_run_is_read_to_its_last_step(tmp_path: Path) -> None:
    feed = feed_of(write_ranks(tmp_path) / "rank*.jsonl", is_finished=True)
    await feed.read()
    assert feed.run.last_step == 1200


@pytest.mark.parametrize("seed", [1, 2])
async def test_what_came_live_in_pieces_is_what_a_status_reads(tmp_path: Path, seed: int) -> None:
    files = [write_ranks(tmp_path) / f"rank{rank}.jsonl" for rank in range(8)]
    read, live = feed_of(*files), feed_of(*files)
    await read.read()
    dice = random.Random(seed)
    left = {part.text: rank_log(rank).encode() for rank, part in enumerate(live.target.parts)}
    sent = dict.fromkeys(left, 0)
    live.consume(LinkChanged(LinkState.LIVE))
    live.consume(CaughtUp())
    while left:  # each rank's block may be a few entries ahead of the others', and ends anywhere in a line
        file = min(left, key=lambda each: sent[each] + dice.randrange(4000))
        size = dice.randrange(1, 3000)
        live.consume(Switched(file))
        live.consume(Received(left[file][:size], sent[file]))
        sent[file] += size
        left[file] = left[file][size:]
        if not left[file]:
            del left[file]
    live.consume(Observed(1000.0, 1000.0, 1, tuple((part.text, 60.0) for part in live.target.parts)))
    live.look()  # rank 5 is far behind, and silent
    assert said(live) == said(read)


async def test_following_goes_on_past_a_rank_that_is_silent_and_takes_it_back(tmp_path: Path) -> None:
    files = [tmp_path / f"rank{rank}.jsonl" for rank in range(3)]
    texts = [rank_log(rank, 600, silent_from=None, restart=False) for rank in range(3)]
    half = [text[: len(text) // 2] for text in texts]
    for file, text in zip(files, half, strict=True):
        file.write_text(text)
    feed = feed_of(tmp_path / "rank*.jsonl")
    following = asyncio.create_task(feed.follow())
    try:
        await eventually(lambda: feed.is_caught_up)
        before = feed.run.last_step or 0
        for rank in (0, 1):
            with files[rank].open("a") as out:
                out.write(texts[rank][len(half[rank]) :])
        await eventually(lambda: feed.read_bytes == sum(file.stat().st_size for file in files))
        assert (feed.run.last_step or 0) < before + 5  # all wait for the third
        ages = tuple((str(file), 40.0) for file in files)
        feed.consume(Observed(1000.0, 1000.0, 1, tuple((text, age) for text, age in ages)))
        feed.look()
        assert feed.run.last_step == 599
        with files[2].open("a") as out:
            out.write(texts[2][len(half[2]) :])
        assert feed.ranks is not None
        ranks = feed.ranks
        await eventually(lambda: ranks.states()[2].last_step == 600)
        (state,) = ranks.behind()
        assert (state.name, state.is_left_out) == ("2", False)
        assert state.missed > 250
    finally:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)


async def test_a_run_that_stands_still_says_which_rank_stopped_first(tmp_path: Path) -> None:
    for rank in range(4):
        text = rank_log(rank, 600 if rank != 2 else 580, silent_from=None, restart=False)
        (tmp_path / f"rank{rank}.jsonl").write_text(text)
    feed = feed_of(tmp_path / "rank*.jsonl")
    await feed.read()
    assert feed.ranks is not None
    assert feed.ranks.laggard() == "rank 2 stopped first, at step 580 of 600"


async def test_the_curve_has_the_range_of_the_ranks_around_it(tmp_path: Path) -> None:
    feed = feed_of(write_ranks(tmp_path) / "rank*.jsonl")
    await feed.read()
    loss, lr, evaluation = view_curves(feed, Display(), ["loss", "lr", "eval_loss"]).curves
    assert loss.band is not None
    assert (loss.band.x[0], loss.band.x[-1] <= 1199, len(loss.band.x) > 1000) == (1, True, True)
    assert (loss.band.low < loss.band.high).all()
    assert lr.band is None
    assert evaluation.band is None
