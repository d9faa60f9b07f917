"""What lies beside a log is found on the log's way, looked at beside it, and never in its way."""

from __future__ import annotations

import asyncio
import json
import os
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.sources.listening import BRISK
from tests.tools import put_nvidia
from tests.waiting import PATIENCE_S, eventually
from tui.beside import Beside
from tui.events import LinkState
from tui.feed import Feed, FeedOptions
from tui.report.schema import status_to_json
from tui.report.wording import describe_run
from tui.sources.open import open_source
from tui.sources.ssh import Connections
from tui.target import Target, parse_target


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy this machine is, a single look has the time that it takes."""
    monkeypatch.setattr("tui.beside.GRACE_S", PATIENCE_S)
    monkeypatch.setattr("tui.beside.CLOSE_S", PATIENCE_S)


def write_log(folder: Path, entries: int = 400) -> Path:
    """A log with an entry every two seconds until now, best at step 200."""
    log, now = folder / "log.jsonl", time.time()
    rows = [
        {
            "step": step,
            "loss": 3 - step / 1000,
            "accuracy": 0.5 - abs(step - 200) / 1000,
            "timestamp": now - (entries - step) * 2,
        }
        for step in range(1, entries + 1)
    ]
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return log


def save(folder: Path, step: int, age_s: float, size: int = 1000) -> None:
    folder.mkdir(exist_ok=True)
    file = folder / f"step_{step}.pt"
    file.write_bytes(b"x" * size)
    os.utime(file, (time.time() - age_s,) * 2)


def make_feed(target: Target, options: FeedOptions | None = None, folder: str | None = None) -> Feed:
    connections = Connections()
    beside = Beside(target, connections, folder=folder, pace=BRISK)
    return Feed(
        target,
        open_source(target, connections, pace=BRISK),
        options or FeedOptions(name="run"),
        beside=beside,
    )


@pytest.mark.parametrize("via", [(), (("env",),)])
async def test_a_single_reading_finds_the_checkpoints_and_names_the_best(
    via: tuple[tuple[str, ...], ...], tmp_path: Path
) -> None:
    log = write_log(tmp_path)
    for step in (100, 200, 300):
        save(tmp_path / "checkpoints", step, (400 - step) * 2)
    feed = make_feed(replace(parse_target(str(log)), via=via))
    await feed.read()
    told = status_to_json(feed, feed.run.fields, None)
    found = told["checkpoints"]
    assert (found["folder"], found["latest"]) == (str(tmp_path / "checkpoints"), "step_300.pt")
    assert [(each["name"], each["step"], each["size"]) for each in found["list"]] == [
        (f"step_{step}.pt", step, 1000) for step in (100, 200, 300)
    ]
    assert (found["best"]["name"], found["best"]["metric"]) == ("step_200.pt", "accuracy")
    marked = {row["milestone"]: row.get("checkpoint") for row in told["milestones"]}
    assert (marked[100], marked[200], marked[50]) == ("step_100.pt", "step_200.pt", None)
    assert "3 checkpoints in" in describe_run(feed, feed.run.fields)


async def test_a_metric_of_ones_own_tells_the_best(tmp_path: Path) -> None:
    for step in (100, 200, 300):
        save(tmp_path, step, 0)
    feed = make_feed(parse_target(str(write_log(tmp_path))), FeedOptions(name="run", best="loss"))
    await feed.read()
    best = feed.best_checkpoint()
    assert best
    assert best.checkpoint.name == "step_300.pt"


async def test_without_checkpoints_and_gpus_nothing_is_said(tmp_path: Path) -> None:
    feed = make_feed(parse_target(str(write_log(tmp_path))))
    await feed.read()
    told = status_to_json(feed, feed.run.fields, None)
    assert (told["checkpoints"], told["gpus"], feed.problems) == (None, [], [])
    assert "GPU" not in describe_run(feed, feed.run.fields)


async def test_a_folder_that_was_named_and_is_not_there_is_one_line(tmp_path: Path) -> None:
    feed = make_feed(parse_target(str(write_log(tmp_path))), folder="/no/ckpt")
    await feed.read()
    line = "checkpoints: /no/ckpt is not there on this machine, or can't be read"
    assert feed.problems == [line]
    assert line in describe_run(feed, feed.run.fields)
    assert feed.verdict != "unknown"


async def test_a_log_that_is_not_there_is_all_that_is_said(tmp_path: Path) -> None:
    feed = make_feed(parse_target(str(tmp_path / "log.jsonl")), folder="/no/ckpt")
    await asyncio.wait_for(feed.read(), 20)
    assert (feed.link.state, feed.problems) == (LinkState.MISSING, [])


async def test_an_overdue_checkpoint_is_told_by_a_single_reading(tmp_path: Path) -> None:
    log = write_log(tmp_path)
    for step, age_s in ((50, 700), (100, 600), (150, 500)):
        save(tmp_path / "ckpt", step, age_s)
    feed = make_feed(parse_target(str(log)))
    await feed.read()
    (alert,) = [alert for alert in feed.alerts if alert.kind == "checkpoint_overdue"]
    assert alert.is_firing
    assert "step_150.pt, is 8 min old; until then one came every 1 min (50 steps)" in alert.message


async def test_a_tool_that_hangs_holds_up_no_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.beside.GRACE_S", 0.5)
    (tmp_path / "nvidia-smi").write_text("#!/bin/sh\nexec sleep 98764\n")
    (tmp_path / "nvidia-smi").chmod(0o755)
    way = (("env", f"PATH={tmp_path}:{os.environ['PATH']}"),)
    feed = make_feed(replace(parse_target(str(write_log(tmp_path))), via=way))
    await asyncio.wait_for(feed.read(), 2 * PATIENCE_S)
    assert feed.run.entries == 400
    assert feed.gpus.now == ()


async def test_followed_checkpoints_and_gpus_are_kept_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.beside.LOOK_S", 0.05)
    monkeypatch.setattr("tui.beside.SEARCH_S", 0.05)
    readings = put_nvidia(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    feed = make_feed(parse_target(str(write_log(tmp_path))))
    following = asyncio.create_task(feed.follow())
    await eventually(lambda: feed.gpus.summary() == "GPU 2 × 98 % · 61 °C · 650 W · 74/86 GB")
    assert feed.shelf is None
    save(tmp_path, 100, 0)
    await eventually(lambda: feed.shelf)
    save(tmp_path, 200, 0)
    await eventually(lambda: feed.shelf and len(feed.shelf.checkpoints) == 2)
    readings.write_text("0, H100, 0, 100, 81559, 40, 70, 700\n1, H100, 0, 100, 81559, 40, 70, 700\n")
    await eventually(lambda: feed.gpus.describe() == "its GPUs are idle (0 %): it has stopped")
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)
