import json
from pathlib import Path

import pytest

from tests.commands.running import Shell
from tests.recorded import scenario_log
from tui.commands.replay import find_cues
from tui.events import CaughtUp, LinkState, Received
from tui.feed import Feed, FeedOptions
from tui.sources.replay import Replay
from tui.target import parse_target


def lines(*rows: dict[str, float]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def test_entries_come_when_the_log_says_that_they_were_written() -> None:
    data = lines(*({"step": n, "loss": 1.0, "timestamp": 1.7e9 + 10 * n} for n in range(5)))
    cues = list(find_cues(data))
    assert [at for _, at in cues][-3:] == [20.0, 30.0, 40.0]
    assert cues[-1][0] == len(data)


def test_a_clock_that_goes_back_stands_still() -> None:
    times = [0, 10, 20, 5, 15]
    data = lines(*({"step": n, "loss": 1.0, "elapsed": time} for n, time in enumerate(times)))
    assert list(find_cues(data))[-1] == (len(data), 30.0)


def test_without_a_time_an_entry_takes_a_second() -> None:
    data = lines(*({"step": n, "loss": 1.0} for n in range(10)))
    assert list(find_cues(data))[-1] == (len(data), 10.0)


async def test_a_replay_hands_on_the_whole_log_and_ends() -> None:
    data = lines(*({"step": n, "loss": 1.0, "elapsed": n} for n in range(50))) + b'{"step": 50'
    source = Replay(data, list(find_cues(data)), speed=500.0)
    events = [event async for event in source.events(follow=True)]
    received = [event for event in events if isinstance(event, Received)]
    assert b"".join(event.data for event in received) == data
    assert [event.offset for event in received] == [
        sum(len(each.data) for each in received[:at]) for at in range(len(received))
    ]
    assert len(received) >= 2
    assert any(isinstance(event, CaughtUp) for event in events)


async def test_its_alerts_are_those_of_the_log(tmp_path: Path) -> None:
    text = scenario_log("default", 16_600)
    feeds = []
    for speed in (1e9, 3e6):
        source = Replay(text.encode(), list(find_cues(text.encode())), speed)
        feed = Feed(parse_target("run.jsonl"), source, FeedOptions(name="run"))
        await feed.follow()
        assert feed.link.state is LinkState.ENDED
        feeds.append(feed)
    assert [alert for alert in feeds[0].alerts if alert.kind != "stall"]
    assert feeds[0].alerts == feeds[1].alerts


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("none.jsonl", "none.jsonl can't be read"),
        ("gpu-box:/a.jsonl", "is no file of this machine"),
        ("-", "no file"),
    ],
)
def test_only_a_file_of_this_machine_can_be_replayed(shell: Shell, target: str, said: str) -> None:
    told = shell("replay", target)
    assert told.code == 3
    assert said in told.err
