"""Addresses are opened in a running program as they are on its command line."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

import pytest

from tests.commands.running import entries
from tests.waiting import eventually
from tui.commands.arguments import parse
from tui.commands.opening import Opening
from tui.errors import TargetError, UsageError
from tui.feed import Feed
from tui.recent import Recent
from tui.roster import Pattern, Roster
from tui.sources.ssh import Connections


@pytest.fixture
def args(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> argparse.Namespace:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    config = tmp_path / "config.toml"
    config.write_text(
        '[runs.drafter]\ntarget = "box:/w/log.jsonl"\n[groups]\nboth = ["drafter", "box:/v.jsonl"]\n'
    )
    return parse(["watch", "--metrics", "loss", "--config", str(config)])


@pytest.fixture
def roster() -> Roster:
    return Roster()


@pytest.fixture
def opening(args: argparse.Namespace, roster: Roster, tmp_path: Path) -> Opening:
    return Opening(args, roster, Connections(), Recent(tmp_path / "recent.json"))


def test_an_address_joins_with_the_options_of_the_command_line(opening: Opening, roster: Roster) -> None:
    opened = opening.open("box:/runs/a.jsonl")
    assert isinstance(opened, Feed)
    assert opened.options.metrics == ("loss",)
    assert roster.places == (opened,)


def test_what_is_there_already_is_found_and_not_opened_again(opening: Opening, roster: Roster) -> None:
    first = opening.open("box:/runs/a.jsonl")
    assert opening.open("box:/runs/a.jsonl") is first
    assert len(roster.places) == 1


def test_names_and_groups_of_the_configuration_are_opened(opening: Opening, roster: Roster) -> None:
    opening.open("both")
    assert [run.name for run in roster.runs] == ["drafter", "v.jsonl"]


def test_a_pattern_is_looked_for(opening: Opening, roster: Roster) -> None:
    assert isinstance(opening.open("box:/runs/*"), Pattern)
    assert roster.runs == ()


def test_a_mistake_changes_nothing(opening: Opening, roster: Roster) -> None:
    with pytest.raises(TargetError):
        opening.open("box:")
    with pytest.raises(UsageError, match="only where milepost is started"):
        opening.open("-")
    assert roster.places == ()


def test_recent_addresses_names_groups_and_hosts_are_offered(opening: Opening, tmp_path: Path) -> None:
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".ssh" / "config").write_text("Host gpu-box\n")
    Recent(tmp_path / "recent.json").note(opening.open("box:/runs/a.jsonl").target)
    texts = [offer.text for offer in opening.offer().offers]
    assert texts == ["box:/runs/a.jsonl", "drafter", "both", "gpu-box:"]


async def test_only_an_address_under_which_something_is_found_is_remembered(
    opening: Opening, roster: Roster, tmp_path: Path
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(entries({"step": 1, "loss": 2.0}))
    opened = opening.open(str(log))
    opening.open(str(tmp_path / "nowhere.jsonl"))
    assert isinstance(opened, Feed)
    await opened.read()
    noting = asyncio.create_task(opening.keep_noting())
    recent = Recent(tmp_path / "recent.json")
    await eventually(lambda: recent.read())
    noting.cancel()
    assert [each.address for each in recent.read()] == [str(log)]


async def test_logs_are_found_where_somebody_asks_and_no_place_is_refused(
    opening: Opening, tmp_path: Path
) -> None:
    log = tmp_path / "runs" / "train.jsonl"
    log.parent.mkdir()
    log.write_text(entries({"step": 7, "loss": 2.0}))
    here = await anext(opening.find(f"{tmp_path}/runs"))
    assert [(found.address, found.last_step) for found in here.logs] == [(str(log), 7)]
    with pytest.raises(TargetError, match="holds no folders"):
        opening.find("box:tmux/train:")
