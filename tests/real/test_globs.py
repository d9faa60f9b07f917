"""Patterns and folders are found at the far end, through a real sshd and into a real container."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.real.fixtures import Container, Sshd
from tests.real.test_status import milepost
from tests.sources.listening import read_once
from tui.events import LinkState
from tui.sources.expand import expand
from tui.sources.ssh import Connections
from tui.target import parse_target

pytestmark = pytest.mark.real

NAMES = ["a b", 'it\'s "quoted"', "$(touch oops)", "`id`", "new\nline", "-n", "größe→λ", "100%s!x!"]


def make_runs(folder: Path) -> None:
    for name in NAMES:
        (folder / name).mkdir(parents=True)
        (folder / name / "log.jsonl").write_text('{"step": 1, "loss": 2.5}\n')


async def test_a_pattern_is_expanded_on_the_host(sshd: Sshd, tmp_path: Path) -> None:
    make_runs(tmp_path)
    found = await expand(parse_target(f"{sshd.address}{tmp_path}/*/log.jsonl"), Connections(sshd.options))
    assert sorted(target.path for target in found.targets) == sorted(
        f"{tmp_path}/{name}/log.jsonl" for name in NAMES
    )
    assert not list(tmp_path.rglob("oops"))


async def test_a_pattern_is_expanded_in_a_container_on_a_host(sshd: Sshd, lxc: Container) -> None:
    make_runs(lxc.file("globbed"))
    address = f"{sshd.address}/{lxc.hop}:{lxc.path('globbed')}/*/log.jsonl"
    connections = Connections(sshd.options)
    found = await expand(parse_target(address), connections)
    assert found.count == len(NAMES)
    for target in found.targets:
        assert (await read_once(target.text, connections)).data == b'{"step": 1, "loss": 2.5}\n'


async def test_more_matches_than_a_server_allows_sessions_are_all_read(sshd: Sshd, tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"{number}.jsonl").write_text('{"step": 1, "loss": 2.5}\n')
    code, out, err = await milepost(
        "status", "--json", "--finished", f"{sshd.address}{tmp_path}/*.jsonl", environment=sshd.environment
    )
    runs = json.loads(out)["runs"]
    assert (code, err) == (0, "")
    assert [run["entries"] for run in runs] == [1] * 30


async def test_a_folder_on_a_host_and_in_a_container_is_its_newest_log(
    sshd: Sshd, lxc: Container, tmp_path: Path
) -> None:
    connections = Connections(sshd.options)
    for folder, address in (
        (tmp_path / "run", f"{sshd.address}{tmp_path}/run"),
        (lxc.file("run"), f"{sshd.address}/{lxc.hop}:{lxc.path('run')}"),
    ):
        folder.mkdir()
        (folder / "new\\log.jsonl").write_bytes(b"new\n")
        (folder / "model.pt").write_bytes(b"weights")
        heard = await read_once(address, connections)
        assert heard.data == b"new\n"
        assert heard.last_link.state is LinkState.LIVE
        assert "reading new\\log.jsonl, the newest log in" in (heard.last_link.detail or "")
