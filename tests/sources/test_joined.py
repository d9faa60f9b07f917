import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.sources.listening import BRISK
from tests.waiting import eventually
from tui.commands.options import Plan
from tui.events import CaughtUp, LinkChanged, LinkState, Received, SourceEvent
from tui.feed import Feed, FeedOptions
from tui.sources.joined import Joined
from tui.sources.open import open_source
from tui.sources.search import Search
from tui.sources.ssh import Connections
from tui.store.sequels import arrange_files
from tui.target import join_targets, parse_target


def write(file: Path, steps: Iterable[int], name: str = "loss", mode: str = "w") -> None:
    with file.open(mode) as out:
        for step in steps:
            out.write(json.dumps({"step": step, name: 4 - step / 1000}) + "\n")


def joined(*paths: object, is_finished: bool = False) -> Feed:
    target = join_targets([parse_target(str(path)) for path in paths])
    return Plan(target, FeedOptions(name="run", is_finished=is_finished)).make_feed(Connections())


@asynccontextmanager
async def followed(feed: Feed) -> AsyncIterator[Feed]:
    following = asyncio.create_task(feed.follow())
    try:
        yield feed
    finally:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)


async def test_a_requeued_run_goes_on_in_its_next_file(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", range(1, 501))
    write(tmp_path / "b.jsonl", range(401, 901))
    feed = joined(tmp_path / "b.jsonl", tmp_path / "a.jsonl")
    await feed.read()
    assert (feed.run.entries, feed.run.superseded, feed.run.last_step) == (1000, 100, 900)
    assert [segment.started_by for segment in feed.run.segments] == ["start", "restart"]
    assert feed.link.state is LinkState.LIVE


async def test_evaluations_in_a_file_of_their_own_are_a_stream(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", range(1, 501))
    write(tmp_path / "b.jsonl", range(401, 901))
    write(tmp_path / "eval.jsonl", range(100, 901, 100), "eval_loss")
    feed = joined(tmp_path / "*.jsonl")
    await feed.read()
    assert feed.run.points("eval_loss").steps.tolist() == list(range(100, 901, 100))
    assert feed.run.unique_steps == 900


async def test_each_file_is_in_its_own_format_and_has_its_own_last_line(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", range(1, 101))
    (tmp_path / "eval.csv").write_text("step,eval_loss\n50,2.5\n100,2.25")
    feed = joined(tmp_path / "a.jsonl", tmp_path / "eval.csv", is_finished=True)
    await feed.read()
    assert feed.run.points("eval_loss").values.tolist() == [2.5, 2.25]
    assert (feed.run.entries, feed.malformed) == (102, 0)


async def test_what_is_new_comes_from_every_file(tmp_path: Path) -> None:
    first, evals = tmp_path / "a.jsonl", tmp_path / "eval.jsonl"
    write(first, range(1, 101))
    write(evals, [50, 100], "eval_loss")
    async with followed(joined(tmp_path / "*.jsonl")) as feed:
        await eventually(lambda: feed.is_caught_up)
        write(evals, [150], "eval_loss", "a")
        write(first, range(101, 151), mode="a")
        await eventually(lambda: feed.run.entries == 153)
        assert feed.run.last_step == 150
        with first.open("a") as out:
            out.write('{"step": 151, "lo')
        write(evals, [200], "eval_loss", "a")
        await eventually(lambda: feed.run.entries == 154)
        with first.open("a") as out:
            out.write('ss": 1.0}\n')
        await eventually(lambda: feed.run.entries == 155)
        assert feed.malformed == 0


async def test_the_next_file_of_a_pattern_joins_when_it_appears(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", range(1, 101))
    target = join_targets([parse_target(f"{tmp_path}/*.jsonl")])
    connections = Connections()
    source = Joined(
        target.parts,
        lambda part: open_source(part, connections),
        lambda part: Search(part, connections, BRISK, look_s=0.05),
        arrange_files,
    )
    async with followed(Feed(target, source, FeedOptions(name="run"))) as feed:
        await eventually(lambda: feed.run.entries == 100)
        write(tmp_path / "b.jsonl", range(51, 201))
        await eventually(lambda: feed.run.entries == 250)
        assert (feed.run.superseded, feed.run.last_step) == (50, 200)


async def test_a_missing_file_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", range(1, 101))
    feed = joined(tmp_path / "a.jsonl", tmp_path / "eval.jsonl")
    await feed.read()
    assert feed.run.entries == 100
    assert feed.link.state is LinkState.LIVE
    assert "eval.jsonl" in (feed.link.detail or "")


@pytest.mark.parametrize("cut", [1, 7, 100])
async def test_the_order_of_the_targets_changes_nothing(tmp_path: Path, cut: int) -> None:
    files = [tmp_path / f"{name}.jsonl" for name in "abc"]
    for number, file in enumerate(files):
        write(file, range(number * 300 + 1 - (cut if number else 0), number * 300 + 301))
    one, other = joined(*files), joined(*reversed(files))
    await one.read()
    await other.read()
    assert one.run.points("loss").values.tolist() == other.run.points("loss").values.tolist()
    assert one.run.segments == other.run.segments
    assert one.alerts == other.alerts


async def test_after_a_break_the_run_has_caught_up_again() -> None:
    class Breaking:
        """A file that is there, whose link breaks once and comes back."""

        async def events(self, *, follow: bool) -> AsyncGenerator[SourceEvent, None]:
            yield LinkChanged(LinkState.LIVE)
            yield Received(b'{"step": 1, "loss": 2.0}\n', 0)
            yield CaughtUp()
            yield LinkChanged(LinkState.RETRYING, "gone")
            yield LinkChanged(LinkState.LIVE)
            yield Received(b'{"step": 2, "loss": 2.0}\n', 25)
            yield CaughtUp()

        def retry_now(self) -> None:
            """There is no wait."""

    target = join_targets([parse_target("a.jsonl")])
    source = Joined(
        target.parts, lambda part: Breaking(), lambda part: Search(part, Connections()), arrange_files
    )
    async with followed(Feed(target, source, FeedOptions(name="run"))) as feed:
        await eventually(lambda: feed.run.entries == 2 and feed.is_caught_up)
