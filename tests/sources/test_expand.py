"""A pattern stands for the logs that it matches, here and at the far end alike."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tui.sources import expand as expanding
from tui.sources.expand import expand
from tui.sources.ssh import Connections
from tui.sources.trouble import Trouble
from tui.target import parse_target

AWKWARD = ["a b", "it's", "$(touch oops)", "`touch oops`", "new\nline", "-n", "100%s\\n", "größe", "x;y&z"]
"""Folder names that break whatever is quoted by hand."""

WAYS: dict[str, tuple[str, ...]] = {
    "here": (),
    "dash": ("dash",),
    "bash": ("bash",),
    "mksh": ("mksh",),
    "busybox": ("busybox",),
}


@pytest.fixture(params=WAYS)
def via(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """A command prefix under which `sh` is a certain shell; none is this machine, read without one."""
    folder = tmp_path_factory.mktemp("bin")
    for shell in WAYS[request.param]:
        found = shutil.which(shell)
        if found is None:
            pytest.skip(f"{shell} is not installed")
        (folder / "sh").symlink_to(found)
        return (f"env PATH={folder}:{os.environ['PATH']}",)
    return ()


async def matches(address: str, via: tuple[str, ...]) -> list[str]:
    found = await expand(parse_target(address, via), Connections())
    assert found.count == len(found.targets)
    return [target.path for target in found.targets]


def make_runs(folder: Path, *names: str) -> list[str]:
    for name in names:
        (folder / name).mkdir()
        (folder / name / "log.jsonl").touch()
    return sorted(f"{folder}/{name}/log.jsonl" for name in names)


async def test_every_match_is_a_target_whatever_its_name(via: tuple[str, ...], tmp_path: Path) -> None:
    logs = make_runs(tmp_path, *AWKWARD)
    (tmp_path / "no log here").mkdir()
    assert sorted(await matches(f"{tmp_path}/*/log.jsonl", via)) == logs
    assert not list(tmp_path.rglob("oops"))


async def test_nothing_in_a_pattern_is_run(via: tuple[str, ...], tmp_path: Path) -> None:
    make_runs(tmp_path, "$(touch oops)")
    (tmp_path / "$(touch oops)" / "more.jsonl").touch()
    found = await matches(f"{tmp_path}/$(touch oops)/*.jsonl", via)
    assert found == [f"{tmp_path}/$(touch oops)/{name}.jsonl" for name in ("log", "more")]


async def test_a_path_that_exists_as_written_is_that_path(via: tuple[str, ...], tmp_path: Path) -> None:
    for name in ("run[1].jsonl", "run1.jsonl"):
        (tmp_path / name).touch()
    assert await matches(f"{tmp_path}/run[1].jsonl", via) == [f"{tmp_path}/run[1].jsonl"]
    assert await matches(f"{tmp_path}/run[0-9].jsonl", via) == [f"{tmp_path}/run1.jsonl"]
    assert len(await matches(f"{tmp_path}/run?1*", via)) == 1


async def test_a_home_is_expanded_with_its_pattern(
    via: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    logs = make_runs(tmp_path, "a", "b")
    assert await matches("~/*/log.jsonl", via) == logs


async def test_no_match_is_one_sentence(via: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(Trouble, match=r"^nothing matches .*/\*\.jsonl on .*; check the pattern"):
        await matches(f"{tmp_path}/*.jsonl", via)


async def test_too_many_matches_are_cut_and_counted(
    via: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expanding, "MOST", 2)
    logs = make_runs(tmp_path, "a", "b", "c")
    found = await expand(parse_target(f"{tmp_path}/*/log.jsonl", via), Connections())
    assert ([target.path for target in found.targets], found.count) == (logs[:2], 3)


async def test_an_address_without_a_pattern_costs_no_connection() -> None:
    target = parse_target("no-such-host.invalid:/log.jsonl")
    assert (await expand(target, Connections())).targets == (target,)


@pytest.mark.parametrize(
    ("address", "path", "text"),
    [
        ("box:/runs/*", "/runs/a", "box:/runs/a"),
        ("ssh://me@box:22/runs/*", "/runs/a", "ssh://me@box:22/runs/a"),
        ("ssh://box/pct/200:/w/*", "/w/a", "ssh://box/pct/200:/w/a"),
        ("box:docker/t:~/*", "/root/a", "box:docker/t:/root/a"),
        ("runs/*", "runs/a", "runs/a"),
    ],
)
def test_a_match_has_an_address_of_its_own(address: str, path: str, text: str) -> None:
    target = parse_target(address)
    assert target.at(path).text == text
    assert parse_target(text) == target.at(path)
