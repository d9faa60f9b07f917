"""A folder stands for its newest log, here and at the far end alike."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.sources.listening import BRISK, Heard, following, read_once
from tests.waiting import eventually
from tui.events import LinkState
from tui.sources.base import Source
from tui.sources.folder import MOST, RARELY_S, Choice, Entry, find_logs
from tui.sources.log import Stat
from tui.sources.open import open_source
from tui.target import parse_target

HOUR_S = 3600.0


@pytest.fixture(params=[(), ("env",)], ids=["here", "far"])
def via(request: pytest.FixtureRequest) -> tuple[str, ...]:
    prefix: tuple[str, ...] = request.param
    return prefix


def write(file: Path, data: bytes, age_s: float = 0.0) -> None:
    """A file as it stands some time after its last line."""
    file.write_bytes(data)
    set_age(file, age_s)


def set_age(file: Path, age_s: float) -> None:
    then = time.time() - age_s
    os.utime(file, (then, then))


def follow(folder: Path, via: tuple[str, ...]) -> Source:
    return open_source(parse_target(str(folder), via), pace=BRISK)


async def test_the_newest_log_is_read_and_named(via: tuple[str, ...], tmp_path: Path) -> None:
    write(tmp_path / "first.jsonl", b"1\n", 2 * HOUR_S)
    write(tmp_path / "it's the \\n second.jsonl", b"2\n", HOUR_S)
    write(tmp_path / "model.safetensors", b"weights")
    write(tmp_path / "config.json", b"{}")
    heard = await read_once(str(tmp_path), via=via)
    assert heard.data == b"2\n"
    assert heard.last_link.state is LinkState.LIVE
    assert heard.last_link.detail == f"reading it's the \\n second.jsonl, the newest log in {tmp_path}"


async def test_a_folder_that_comes_late_is_waited_for(via: tuple[str, ...], tmp_path: Path) -> None:
    async with following(follow(tmp_path / "run", via)) as heard:
        await eventually(lambda: LinkState.MISSING in heard.links)
        (tmp_path / "run").mkdir()
        await eventually(lambda: "holds no log yet" in (heard.last_link.detail or ""))
        write(tmp_path / "run" / "log.txt", b"late\n")
        await heard.has(b"late\n")


async def test_a_newer_log_is_moved_on_to_once_the_old_one_is_quiet(
    via: tuple[str, ...], tmp_path: Path
) -> None:
    write(tmp_path / "run_1.log", b"one\n")
    async with following(follow(tmp_path, via)) as heard:
        await heard.has(b"one\n")
        write(tmp_path / "run_2.log", b"two\n")
        set_age(tmp_path / "run_1.log", HOUR_S)
        await heard.has(b"one\ntwo\n")
        assert _told(heard) == [(f"left for the newer run_2.log; it stays at {tmp_path}/run_1.log", False)]
        with (tmp_path / "run_2.log").open("ab") as file:
            file.write(b"more\n")
        await heard.has(b"one\ntwo\nmore\n")


async def test_a_folders_log_is_followed_through_rotation(via: tuple[str, ...], tmp_path: Path) -> None:
    log = tmp_path / "train.log"
    write(log, b"one\n")
    async with following(follow(tmp_path, via)) as heard:
        await heard.has(b"one\n")
        log.rename(f"{log}.1")
        write(log, b"two\n")
        await heard.has(b"one\ntwo\n")
        assert _told(heard) == [("rotated", False)]


def _told(heard: Heard) -> list[tuple[str, bool]]:
    return [(event.reason, event.gap) for event in heard.replaced]


# The choice


def entry(name: str, modified_s: float, size: int = 10) -> Entry:
    return Entry(name, Stat(1, hash(name), size, modified_s))


def choose(choice: Choice, now_s: float, *entries: Entry) -> str | None:
    """What is chosen, and taken."""
    chosen = choice.choose(entries, None, now_s)
    if chosen is None:
        return None
    choice.take(chosen, entries, "/runs")
    return chosen.name


def test_a_log_that_was_there_from_the_start_is_never_moved_on_to() -> None:
    choice = Choice(60)
    assert choose(choice, 100, entry("train.log", 100), entry("eval.log", 50)) == "train.log"
    assert choose(choice, 900, entry("train.log", 100), entry("eval.log", 900)) == "train.log"


def test_a_log_that_appears_while_the_first_goes_on_is_not_moved_on_to() -> None:
    choice = Choice(60)
    assert choose(choice, 100, entry("train.log", 100)) == "train.log"
    assert choose(choice, 130, entry("train.log", 120), entry("eval.log", 130)) == "train.log"
    assert choose(choice, 900, entry("train.log", 140), entry("eval.log", 130)) == "train.log"


def test_an_empty_log_is_waited_for_until_it_holds_something() -> None:
    choice = Choice(60)
    assert choose(choice, 100, entry("one.log", 100), entry("two.log", 90, size=0)) == "one.log"
    assert choose(choice, 900, entry("one.log", 100), entry("two.log", 90, size=0)) == "one.log"
    assert choose(choice, 900, entry("one.log", 100), entry("two.log", 890)) == "two.log"


def test_what_rotation_leaves_behind_is_not_moved_on_to() -> None:
    choice = Choice(60)
    assert choose(choice, 100, entry("train.log", 100)) == "train.log"
    assert choose(choice, 900, entry("train.log", 100), entry("train.log.1", 200)) == "train.log"


def test_another_is_chosen_only_on_opening_when_the_chosen_one_is_gone() -> None:
    choice = Choice(60)
    assert choose(choice, 100, entry("train.log", 100), entry("old.log", 50)) == "train.log"
    assert choose(choice, 900, entry("old.log", 50)) is None
    choice.forget_if_gone([entry("old.log", 50)])
    assert choose(choice, 900, entry("old.log", 50)) == "old.log"


@pytest.mark.parametrize(
    ("names", "logs"),
    [
        ("model.pt optimizer.bin train.log", "train.log"),
        ("log.jsonl results.csv trainer_state.json notes.txt", "log.jsonl results.csv"),
        ("trainer_state.json notes.txt README", "trainer_state.json notes.txt"),
        ("README .hidden.log", "README"),
        ("logits.npz", ""),
        ("events.out.tfevents.1700000000.host.1.0 checkpoint", "events.out.tfevents.1700000000.host.1.0"),
    ],
)
def test_the_files_that_look_most_like_logs_are_looked_at(names: str, logs: str) -> None:
    assert [one.name for one in find_logs([entry(name, 0) for name in names.split()])] == logs.split()


def test_a_folder_that_has_not_changed_since_a_sure_look_has_no_news() -> None:
    choice, folder = Choice(60), Stat(1, 1, 100, 50.0)
    assert choose(choice, 100, entry("train.log", 100)) == "train.log"
    assert choice.has_news(folder, 100)
    choice.choose([entry("train.log", 100)], folder, 51.0)
    assert choice.has_news(folder, 100)  # it may have changed again within the same second
    choice.choose([entry("train.log", 100)], folder, 60.0)
    assert not choice.has_news(folder, 100)
    assert choice.has_news(Stat(1, 1, 100, 70.0), 100)


async def test_a_folder_of_very_many_files_is_told_to_be_one(via: tuple[str, ...], tmp_path: Path) -> None:
    for number in range(MOST + 1):
        (tmp_path / f"sample_{number}.png").touch()
    write(tmp_path / "größe of train.log", b"old\n", HOUR_S)
    write(tmp_path / "notes.txt", b"new\n")
    heard = await read_once(str(tmp_path), via=via)
    assert heard.data == b"old\n"
    assert heard.last_link.detail == (
        f"reading größe of train.log, the newest log in {tmp_path} (1,003 files; the newest were looked at)"
    )


async def test_a_rotated_log_is_found_again_among_very_many_files(
    via: tuple[str, ...], tmp_path: Path
) -> None:
    for number in range(MOST + 1):
        (tmp_path / f"sample_{number}.png").touch()
    log = tmp_path / "progress"
    write(log, b"one\n")
    async with following(open_source(parse_target(str(log), via), pace=BRISK)) as heard:
        await heard.has(b"one\n")
        log.rename(tmp_path / "before")
        write(log, b"two\n")
        await heard.has(b"one\ntwo\n")
        assert _told(heard) == [("rotated", False)]


def test_a_folder_of_very_many_files_is_looked_at_rarely() -> None:
    choice, folder = Choice(60), Stat(1, 1, 100, 100.0)
    choice.count = MOST + 1
    assert choose(choice, 100, entry("train.log", 100)) == "train.log"
    assert not choice.has_news(folder, 100 + RARELY_S - 1)
    assert choice.has_news(folder, 100 + RARELY_S)
