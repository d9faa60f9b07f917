"""A log on this machine is looked at as soon as it changes, and nothing is left open."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.sources.listening import BRISK, following, read_once
from tests.waiting import eventually
from tui.events import LinkState
from tui.sources.open import open_source
from tui.target import parse_target

PATIENT = replace(BRISK, poll_s=1000, beat_s=1000)
"""Intervals so long that only the file system's own word can wake the reader."""


def open_files(path: Path) -> list[str]:
    """The descriptors of this process on a path."""
    links = Path("/proc/self/fd").iterdir()
    return [link.name for link in links if link.is_symlink() and os.path.realpath(link) == str(path)]


async def test_a_change_is_seen_without_a_poll(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"1\n")

    def grow() -> bool:
        """Append until that is seen: the watch may begin a moment after the reading."""
        with log.open("ab") as file:
            file.write(b"2\n")
        return len(heard.data) > 2

    async with following(open_source(parse_target(str(log)), pace=PATIENT)) as heard:
        await heard.has(b"1\n")
        await eventually(grow)
    assert heard.data == log.read_bytes()[: len(heard.data)]


async def test_a_log_that_appears_is_seen_without_a_poll(tmp_path: Path) -> None:
    def stir() -> bool:
        """Change the folder until that is seen."""
        (tmp_path / "other").write_bytes(b"1\n")
        return heard.data == b"1\n"

    async with following(open_source(parse_target(str(tmp_path / "log.jsonl")), pace=PATIENT)) as heard:
        await eventually(lambda: LinkState.MISSING in heard.links)
        (tmp_path / "log.jsonl").write_bytes(b"1\n")
        await eventually(stir)


async def test_a_follower_that_is_gone_has_nothing_open(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"1\n")
    async with following(open_source(parse_target(str(log)), pace=BRISK)) as heard:
        await heard.has(b"1\n")
        assert open_files(log)
    assert not open_files(log)


async def test_a_home_is_expanded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "log.jsonl").write_bytes(b"1\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert (await read_once("~/log.jsonl")).data == b"1\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
async def test_a_log_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").touch(mode=0o000)
    heard = await read_once(str(tmp_path / "log.jsonl"))
    assert heard.last_link.state is LinkState.REFUSED
    assert "may not be read by this user" in (heard.last_link.detail or "")


def test_a_local_log_is_read_without_loading_ssh() -> None:
    code = "import sys, tui.sources.open; sys.exit('asyncssh' in sys.modules or 'watchfiles' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
