"""The GPUs of a place are followed by one command for all who want them, which ends with the last of those."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.processes import processes_that_say
from tests.sources.listening import BRISK
from tests.tools import NVIDIA_LINES, ROCM_LINES, put_nvidia, put_rocm
from tests.waiting import eventually
from tui.sources.gpus import follow_gpus, places, read_gpus
from tui.sources.ssh import Connections
from tui.target import Target, parse_target


def at(folder: Path, path: str = "/nowhere") -> Target:
    """Where the tools of that folder are found."""
    return replace(parse_target(path), via=(("env", f"PATH={folder}:/usr/bin:/bin"),))


@asynccontextmanager
async def following(
    target: Target, connections: Connections
) -> AsyncIterator[tuple[list[str | None], asyncio.Task[None]]]:
    heard: list[str | None] = []
    task = asyncio.create_task(follow_gpus(target, connections, heard.append, lambda: True, BRISK))
    try:
        yield heard, task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_single_reading_has_a_line_for_each_gpu(tmp_path: Path) -> None:
    put_nvidia(tmp_path)
    assert await read_gpus(at(tmp_path), Connections()) == NVIDIA_LINES


async def test_where_there_is_rocm_smi_that_is_asked(tmp_path: Path) -> None:
    put_rocm(tmp_path)
    assert await read_gpus(at(tmp_path), Connections()) == ROCM_LINES


async def test_all_runs_of_a_place_share_one_command_which_ends_with_the_last(tmp_path: Path) -> None:
    put_nvidia(tmp_path)
    connections, here = Connections(), str(tmp_path / "nvidia-smi")
    async with following(at(tmp_path, "/a"), connections) as (one, _):
        async with following(at(tmp_path, "/b"), connections) as (two, _):
            await eventually(lambda: len(one) > 3 and len(two) > 3)
            assert set(one) == set(two) == set(NVIDIA_LINES)
        assert processes_that_say(here)
        more = len(one)
        await eventually(lambda: len(one) > more)
    await eventually(lambda: not processes_that_say(here))
    assert (tmp_path / "asked").read_text() == "asked\n"


async def test_where_there_is_no_tool_that_is_known_after_one_question(tmp_path: Path) -> None:
    connections = Connections()
    async with following(at(tmp_path), connections) as (heard, task):
        await asyncio.wait_for(task, 20)
        assert heard in ([], [None])
    assert await read_gpus(at(tmp_path), connections) == ()


async def test_a_tool_without_a_driver_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.sources.gpus.RETRY_S", 0.01)
    put_nvidia(
        tmp_path, ("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.",), 9
    )
    async with following(at(tmp_path), Connections()) as (heard, task):
        await asyncio.wait_for(task, 20)
        assert set(heard) <= {None}
    assert (tmp_path / "asked").read_text() == "asked\nasked\n"
    assert await read_gpus(at(tmp_path), Connections()) == ()


async def test_nothing_is_asked_while_the_way_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.sources.gpus.RETRY_S", 0.01)
    put_nvidia(tmp_path)
    is_open, heard = asyncio.Event(), []  # type: ignore[var-annotated]
    task = asyncio.create_task(follow_gpus(at(tmp_path), Connections(), heard.append, is_open.is_set, BRISK))
    for _ in range(5):
        await asyncio.sleep(0)
    assert not (tmp_path / "asked").exists()
    is_open.set()
    await eventually(lambda: heard)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_on_this_machine_no_process_is_started_without_a_tool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert await read_gpus(parse_target("/nowhere"), Connections()) == ()
    put_nvidia(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin:/bin")
    assert await read_gpus(parse_target("/nowhere"), Connections()) == NVIDIA_LINES


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ("gpu-box:/log", ["gpu-box"]),
        ("gpu-box:pct/200:/log", ["gpu-box ▸ pct/200", "gpu-box"]),
        ("docker/trainer:/log", ["docker/trainer", "this machine"]),
        ("gpu-box:kubectl/ml/drafter-0:/log", ["gpu-box ▸ kubectl/ml/drafter-0"]),
        ("gpu-box:tmux/train:", ["gpu-box"]),
    ],
)
def test_a_container_is_asked_before_its_machine_but_a_pod_is_elsewhere(
    address: str, asked: list[str]
) -> None:
    assert [place.place for place in places(parse_target(address))] == asked
