"""Logs are read through a real sshd, into real containers, byte for byte."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.real.fixtures import STOPPED_ID, Container, Sshd
from tests.sources.listening import read_once
from tui.events import LinkState
from tui.sources.ssh import Connections

pytestmark = pytest.mark.real

LOG = b"".join(b'{"step": %d, "loss": %.3f}\n' % (step, 4 / (step + 1)) for step in range(40_000))

AWKWARD = [
    "with space.jsonl",
    'it\'s "quoted".jsonl',
    "$(touch oops).jsonl",
    "`id`.jsonl",
    "new\nline.jsonl",
    "-n.jsonl",
    "100%s!x!.jsonl",
    "größe→λ.jsonl",
    "back\\slash\\n.jsonl",
    "a;b&c|d<e>f*g?[h]{i,j}~.jsonl",
    "trailing newline\n",
]
"""File names that break whatever is quoted by hand."""


async def test_a_log_comes_whole_over_ssh(sshd: Sshd, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(LOG)
    heard = await read_once(f"{sshd.address}{tmp_path}/log.jsonl", Connections(sshd.options))
    assert heard.data == LOG
    assert heard.is_caught_up


async def test_an_alias_of_ssh_config_is_a_host(sshd: Sshd, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(LOG)
    heard = await read_once(f"milepost-test:{tmp_path}/log.jsonl", Connections(sshd.options))
    assert heard.data == LOG


async def test_a_log_comes_whole_out_of_an_lxc_container_on_a_host(sshd: Sshd, lxc: Container) -> None:
    lxc.file("log.jsonl").write_bytes(LOG)
    heard = await read_once(f"{sshd.address}/{lxc.hop}:{lxc.path('log.jsonl')}", Connections(sshd.options))
    assert heard.data == LOG
    assert heard.is_caught_up


async def test_a_log_comes_whole_out_of_a_podman_container_on_this_machine(podman: Container) -> None:
    podman.file("log.jsonl").write_bytes(LOG)
    heard = await read_once(f"{podman.hop}:{podman.path('log.jsonl')}")
    assert heard.data == LOG


async def test_a_log_comes_whole_out_of_a_podman_container_on_a_host(sshd: Sshd, podman: Container) -> None:
    podman.file("log.jsonl").write_bytes(LOG)
    heard = await read_once(
        f"{sshd.address}/{podman.hop}:{podman.path('log.jsonl')}", Connections(sshd.options)
    )
    assert heard.data == LOG


async def test_ten_logs_on_a_host_share_its_connections(sshd: Sshd, tmp_path: Path) -> None:
    connections = Connections(sshd.options)
    for number in range(10):
        (tmp_path / f"{number}.jsonl").write_bytes(b"%d\n" % number)
    heard = await asyncio.gather(
        *(read_once(f"{sshd.address}{tmp_path}/{number}.jsonl", connections) for number in range(10))
    )
    assert [one.data for one in heard] == [b"%d\n" % number for number in range(10)]


@pytest.mark.parametrize("name", AWKWARD)
async def test_an_awkward_name_arrives_over_ssh(sshd: Sshd, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"here\n")
    heard = await read_once(f"{sshd.address}{tmp_path}/{name}", Connections(sshd.options))
    assert heard.data == b"here\n"
    assert [file.name for file in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", AWKWARD)
async def test_an_awkward_name_arrives_in_a_container_on_a_host(
    sshd: Sshd, lxc: Container, name: str
) -> None:
    lxc.file(name).write_bytes(b"here\n")
    heard = await read_once(f"{sshd.address}/{lxc.hop}:{lxc.path(name)}", Connections(sshd.options))
    assert heard.data == b"here\n"


@pytest.mark.parametrize("name", AWKWARD)
async def test_an_awkward_name_arrives_in_a_container_on_this_machine(podman: Container, name: str) -> None:
    podman.file(name).write_bytes(b"here\n")
    heard = await read_once(f"{podman.hop}:{podman.path(name)}")
    assert heard.data == b"here\n"


async def test_a_home_and_a_relative_path_start_in_the_container(sshd: Sshd, lxc: Container) -> None:
    (lxc.outside.parent / "root" / "log.jsonl").write_bytes(b"home\n")
    connections = Connections(sshd.options)
    assert (await read_once(f"{sshd.address}/{lxc.hop}:~/log.jsonl", connections)).data == b"home\n"
    assert (await read_once(f"{sshd.address}/{lxc.hop}:../root/log.jsonl", connections)).data == b"home\n"


async def test_a_stopped_container_is_told_with_the_command_that_starts_it(
    sshd: Sshd, lxc: Container
) -> None:
    heard = await read_once(f"{sshd.address}/pct/{STOPPED_ID}:/log.jsonl", Connections(sshd.options))
    assert heard.last_link.state is LinkState.MISSING
    host = f"{sshd.user}@127.0.0.1:{sshd.port}"
    assert heard.last_link.detail == (
        f"container {STOPPED_ID} on {host} is not running; start it with: pct start {STOPPED_ID}"
    )


async def test_an_unknown_container_is_told_with_the_command_that_lists_them(
    sshd: Sshd, lxc: Container
) -> None:
    heard = await read_once(f"{sshd.address}/pct/999:/log.jsonl", Connections(sshd.options))
    assert heard.last_link.state is LinkState.MISSING
    assert (
        heard.last_link.detail == f"{sshd.user}@127.0.0.1:{sshd.port} has no container pct/999; see: pct list"
    )


async def test_an_unknown_podman_container_is_told(podman: Container) -> None:
    heard = await read_once("podman/no-such-container-here:/log.jsonl")
    assert heard.last_link.state is LinkState.MISSING
    assert (
        heard.last_link.detail
        == "this machine has no container podman/no-such-container-here; see: podman ps"
    )


async def test_a_missing_file_in_a_container_is_told(sshd: Sshd, lxc: Container) -> None:
    heard = await read_once(f"{sshd.address}/{lxc.hop}:/workspace/nope.jsonl", Connections(sshd.options))
    assert heard.last_link.state is LinkState.MISSING
    assert "/workspace/nope.jsonl is not there on" in (heard.last_link.detail or "")
