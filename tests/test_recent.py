"""Addresses are remembered, passwords are not, and a broken file is no error."""

from pathlib import Path

import pytest

from tui.recent import MOST, Recent, default_file
from tui.target import parse_target


@pytest.fixture
def recent(tmp_path: Path) -> Recent:
    return Recent(tmp_path / "state" / "recent.json")


def addresses(recent: Recent) -> list[str]:
    return [each.address for each in recent.read()]


def note(recent: Recent, *texts: str) -> None:
    for text in texts:
        recent.note(parse_target(text))


def test_the_latest_is_the_first_and_stands_there_once(recent: Recent) -> None:
    note(recent, "ant:/1", "bee:/2", "ant:/1")
    assert addresses(recent) == ["ant:/1", "bee:/2"]


def test_so_many_are_kept_and_no_more(recent: Recent) -> None:
    note(recent, *(f"box:/{number}" for number in range(MOST + 5)))
    assert addresses(recent) == [f"box:/{number}" for number in range(MOST + 4, 4, -1)]


def test_what_can_not_be_opened_again_is_not_kept(recent: Recent) -> None:
    note(recent, "-", "ssh://me:hunter2@box/log.jsonl")
    recent.note(parse_target("box:/log.jsonl", ("srun --jobid=42",)))
    assert addresses(recent) == []


def test_a_path_here_is_kept_whole(recent: Recent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    note(recent, "./log.jsonl")
    assert addresses(recent) == [f"{tmp_path}/log.jsonl"]


@pytest.mark.parametrize(
    "broken",
    ["", "{", "[]", '{"recent": 3}', '{"recent": [{"address": "ant:/1"}]}', '{"recent": [7]}', "\x00"],
)
def test_a_broken_file_is_an_empty_one_and_is_replaced(recent: Recent, tmp_path: Path, broken: str) -> None:
    file = tmp_path / "state" / "recent.json"
    file.parent.mkdir()
    file.write_text(broken)
    assert recent.read() == ()
    note(recent, "ant:/1")
    assert addresses(recent) == ["ant:/1"]
    assert [path.name for path in file.parent.iterdir()] == ["recent.json"]


def test_only_its_owner_can_read_it(recent: Recent, tmp_path: Path) -> None:
    note(recent, "ant:/1")
    assert (tmp_path / "state" / "recent.json").stat().st_mode & 0o777 == 0o600


def test_a_folder_that_can_not_be_made_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    note(Recent(tmp_path / "file" / "recent.json"), "ant:/1")


def test_it_is_kept_in_the_state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert default_file() == tmp_path / "milepost" / "recent.json"
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_file() == tmp_path / ".local" / "state" / "milepost" / "recent.json"
