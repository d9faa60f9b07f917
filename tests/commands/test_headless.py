"""The watch without a screen, as a process of its own: what it writes, and how it ends."""

import asyncio
import json
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.commands.running import drafter, entries
from tests.waiting import eventually


@asynccontextmanager
async def watching(*words: str | Path) -> AsyncIterator[Process]:
    """`milepost watch --headless` at work; ended with the context if it has not ended before."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tui",
        "watch",
        "--headless",
        *map(str, words),
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


def read_events(file: Path) -> list[dict[str, Any]]:
    lines = file.read_text().splitlines(keepends=True) if file.exists() else []
    return [json.loads(line) for line in lines if line.endswith("\n")]  # the last one may be on its way


def told(file: Path, event: str) -> list[dict[str, Any]]:
    return [line for line in read_events(file) if line["event"] == event]


async def test_every_entry_is_told_in_order_while_the_log_grows(tmp_path: Path) -> None:
    log, out = tmp_path / "log.jsonl", tmp_path / "events.jsonl"
    log.write_text(entries(*({"step": n, "loss": 2.0} for n in range(50))) + '{"step": 50')
    async with watching(log, "--json-events", out) as process:
        await eventually(lambda: len(told(out, "entry")) == 50)
        with log.open("a") as more:
            more.write(', "loss": NaN}\n')
        await eventually(lambda: len(told(out, "entry")) == 51)
        await eventually(lambda: told(out, "alert"))
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0
    events = told(out, "entry")
    assert [event["step"] for event in events] == list(range(51))
    assert events[0] == {"event": "entry", "target": str(log), "step": 0, "values": {"loss": 2.0}}
    assert events[-1]["values"] == {"loss": "NaN"}
    assert "live" in [event["state"] for event in told(out, "link")]
    (alert,) = told(out, "alert")
    assert (alert["kind"], alert["severity"], alert["change"]) == ("nonfinite", "critical", "raised")


async def test_alerts_are_those_of_status_and_stand_behind_the_entry_that_raised_them(tmp_path: Path) -> None:
    log, out = tmp_path / "log.jsonl", tmp_path / "events.jsonl"
    log.write_text(drafter())
    async with watching(log, "--json-events", out) as process:
        await eventually(lambda: len(told(out, "entry")) == 13190)
        process.send_signal(signal.SIGINT)
        assert await process.wait() == 0
    step = None
    for event in read_events(out):
        step = event.get("step", step)
        if event["event"] == "alert" and event["change"] == "raised":
            assert event["raised_step"] == step
    assert {"plateau", "gradient_collapse"} <= {event["kind"] for event in told(out, "alert")}


async def test_events_go_to_standard_output_and_standard_input_is_a_target() -> None:
    async with watching("-", "--json-events", "-") as process:
        out, _ = await process.communicate(b'{"step": 1, "loss": 2.5}\n{"step": 2, "loss": 2.0}')
        assert process.returncode == 0
    found = [json.loads(line) for line in out.splitlines()]
    assert [event["step"] for event in found if event["event"] == "entry"] == [1, 2]


async def test_without_a_file_alerts_and_link_states_are_told_as_text(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(entries({"step": 1, "loss": 2.0}, {"step": 2, "loss": float("nan")}))
    async with watching(log) as process:
        assert process.stdout is not None
        lines = [(await process.stdout.readline()).decode() for _ in range(3)]
        process.terminate()
        assert await process.wait() == 0
    assert any(line.endswith("log.jsonl link live\n") for line in lines)
    assert any("raised critical nonfinite" in line for line in lines)


async def test_events_that_can_not_be_written_are_one_sentence(tmp_path: Path) -> None:
    async with watching("x", "--json-events", tmp_path / "none" / "events.jsonl") as process:
        _, err = await process.communicate()
    assert process.returncode == 3
    assert err.decode().count("\n") == 1
    assert "events can't be written there: No such file or directory" in err.decode()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_the_wait_for_a_log_that_never_comes(
    tmp_path: Path, number: signal.Signals
) -> None:
    out = tmp_path / "events.jsonl"
    async with watching(tmp_path / "never.jsonl", "--json-events", out) as process:
        await eventually(lambda: "missing" in [event["state"] for event in told(out, "link")])
        process.send_signal(number)
        assert await process.wait() == 0
    assert "is not there" in told(out, "link")[-1]["detail"]


def steps(out: Path) -> list[int]:
    return [event["step"] for event in told(out, "entry")]


def append(log: Path, first: int, last: int) -> None:
    with log.open("a") as more:
        more.write(
            entries(*({"step": n, "loss": 2.0 if n != 30 else float("nan")} for n in range(first, last)))
        )


async def test_a_killed_watch_goes_on_after_the_last_event_that_it_told(tmp_path: Path) -> None:
    log, out, state = tmp_path / "log.jsonl", tmp_path / "events.jsonl", tmp_path / "state.json"
    options = (log, "--json-events", out, "--state", state)
    for last in range(20, 101, 20):
        append(log, last - 20, last)
        async with watching(*options) as process:
            await eventually(lambda last=last: len(steps(out)) >= last)  # type: ignore[misc]
            process.kill()
            await process.wait()
    whole = tmp_path / "whole.jsonl"
    async with watching(log, "--json-events", whole):
        await eventually(lambda: len(steps(whole)) == 100)
    assert [event for event in read_events(out) if event["event"] != "link"] == [
        event for event in read_events(whole) if event["event"] != "link"
    ]
    assert told(out, "alert")[0]["raised_step"] == 30


async def test_events_that_the_state_does_not_know_of_yet_are_not_told_again(tmp_path: Path) -> None:
    log, out, state = tmp_path / "log.jsonl", tmp_path / "events.jsonl", tmp_path / "state.json"
    options = (log, "--json-events", out, "--state", state)
    append(log, 0, 20)
    async with watching(*options) as process:
        await eventually(lambda: '"entries": 20' in state.read_text() if state.exists() else None)
        process.kill()
        await process.wait()
    early = state.read_bytes()
    append(log, 20, 40)
    async with watching(*options) as process:
        await eventually(lambda: len(steps(out)) == 40 and told(out, "alert"))
        process.terminate()
        assert await process.wait() == 0
    state.write_bytes(early)  # as if it had been killed before the state was written
    with out.open("a") as torn:
        torn.write('{"event": "entry", "tar')
    append(log, 40, 50)
    async with watching(*options):
        await eventually(lambda: len(steps(out)) >= 50)
    assert steps(out) == list(range(50))
    assert [alert["change"] for alert in told(out, "alert")].count("raised") == 1


async def test_a_log_rotated_while_nobody_watched_is_finished_first(tmp_path: Path) -> None:
    log, out, state = tmp_path / "log.jsonl", tmp_path / "events.jsonl", tmp_path / "state.json"
    options = (log, "--json-events", out, "--state", state)
    append(log, 0, 20)
    async with watching(*options) as process:
        await eventually(lambda: len(steps(out)) == 20)
        process.terminate()
        assert await process.wait() == 0
    append(log, 20, 25)
    log.rename(tmp_path / "log.jsonl.1")
    append(log, 25, 40)
    async with watching(*options) as process:
        await eventually(lambda: len(steps(out)) >= 40)
        process.kill()
        await process.wait()
    append(log, 40, 45)
    async with watching(*options):
        await eventually(lambda: len(steps(out)) >= 45)
    assert steps(out) == list(range(45))
    assert [(event["reason"], event["gap"]) for event in told(out, "replaced")] == [("rotated", False)]


async def test_another_log_in_the_place_of_the_one_that_was_told_is_told_from_its_start(
    tmp_path: Path,
) -> None:
    log, out, state = tmp_path / "log.jsonl", tmp_path / "events.jsonl", tmp_path / "state.json"
    options = (log, "--json-events", out, "--state", state)
    append(log, 0, 20)
    async with watching(*options) as process:
        await eventually(lambda: len(steps(out)) == 20)
        process.terminate()
        assert await process.wait() == 0
    log.unlink()
    append(log, 500, 540)
    async with watching(*options):
        await eventually(lambda: len(steps(out)) >= 60)
    assert steps(out) == [*range(20), *range(500, 540)]
    assert [event["gap"] for event in told(out, "replaced")] == [True]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": 2}'])
async def test_a_state_that_is_none_is_one_sentence(tmp_path: Path, text: str) -> None:
    state = tmp_path / "state.json"
    state.write_text(text)
    async with watching("x", "--state", state) as process:
        _, err = await process.communicate()
    assert process.returncode == 3
    assert "is no state of a watch; remove it to begin anew" in err.decode()
    assert state.read_text() == text


async def test_a_state_for_standard_input_is_refused() -> None:
    async with watching("-", "--state", "state.json") as process:
        _, err = await process.communicate()
    assert process.returncode == 3
    assert "--state is for logs that can be read again; standard input" in err.decode()
