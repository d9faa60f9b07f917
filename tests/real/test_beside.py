"""Checkpoints and GPUs are seen through a real sshd and in a real container, and nothing of that stays running."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.processes import processes_that_say
from tests.real.fixtures import Container, Sshd
from tests.recorded import scenario_log
from tests.sources.listening import BRISK
from tests.tools import NVIDIA_LINES, put_nvidia
from tests.waiting import PATIENCE_S, eventually
from tui.commands.options import Plan
from tui.feed import Feed, FeedOptions
from tui.sources.checkpoints import list_checkpoints
from tui.sources.gpus import follow_gpus
from tui.sources.ssh import Connections
from tui.target import parse_target

pytestmark = pytest.mark.real

CLIENT = """
import asyncio, sys
from tui.commands.options import Plan
from tui.feed import FeedOptions
from tui.sources.ssh import Connections
from tui.target import parse_target

async def main():
    feed = Plan(parse_target(sys.argv[1]), FeedOptions(name="run")).make_feed(Connections())
    following = asyncio.create_task(feed.follow())
    while not feed.gpus.now:
        await asyncio.sleep(0.05)
    print("ready", flush=True)
    await following

asyncio.run(main())
"""


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy this machine is, a single look has the time that it takes."""
    monkeypatch.setattr("tui.beside.GRACE_S", PATIENCE_S)


async def read(address: str, sshd: Sshd, checkpoints: str | None = None) -> Feed:
    plan = Plan(parse_target(address), FeedOptions(name="run", checkpoints=checkpoints))
    feed = plan.make_feed(Connections(sshd.options))
    await feed.read()
    return feed


@asynccontextmanager
async def tools_in(folder: Path) -> AsyncIterator[str]:
    """nvidia-smi in a folder, and what tells its process from others."""
    put_nvidia(folder)
    try:
        yield str(folder / "readings")
    finally:
        for name in ("nvidia-smi", "readings", "asked"):
            (folder / name).unlink(missing_ok=True)


async def test_both_are_seen_over_ssh_and_in_a_container(
    sshd: Sshd, lxc: Container, commands: Path, tmp_path: Path
) -> None:
    text = scenario_log("drafter", 300)
    for folder in (tmp_path, lxc.outside):
        (folder / "log.jsonl").write_text(text)
        kept = folder / "checkpoints" / "checkpoint-100"
        kept.mkdir(parents=True)
        (kept / "model.pt").write_bytes(b"x" * 5000)
    async with tools_in(commands):
        for address in (f"{tmp_path}/log.jsonl", f"/{lxc.hop}:{lxc.path('log.jsonl')}"):
            feed = await read(f"{sshd.address}{address}", sshd)
            assert feed.shelf
            (checkpoint,) = feed.shelf.checkpoints
            assert (checkpoint.name, checkpoint.step, checkpoint.size) == ("checkpoint-100", 100, 5000)
            assert feed.shelf.disk
            assert feed.gpus.summary() == "GPU 2 × 98 % · 61 °C · 650 W · 74/86 GB"


async def test_a_folder_that_is_not_in_the_container_is_told(sshd: Sshd, lxc: Container) -> None:
    lxc.file("log.jsonl").write_text(scenario_log("drafter", 300))
    address = f"milepost-test:{lxc.hop}:{lxc.path('log.jsonl')}"
    feed = await read(address, sshd, checkpoints="/ckpt")
    place = f"milepost-test ▸ {lxc.hop}"
    assert feed.problems == [f"checkpoints: /ckpt is not there on {place}, or can't be read"]
    assert feed.run.entries == 300


async def test_a_container_without_a_tool_has_the_gpus_of_its_host(
    sshd: Sshd, lxc: Container, commands: Path
) -> None:
    async with tools_in(commands) as mark:
        heard: list[str | None] = []
        target = parse_target(f"{sshd.address}/{lxc.hop}:{lxc.path('log.jsonl')}")
        task = asyncio.create_task(
            follow_gpus(target, Connections(sshd.options), heard.append, lambda: True, BRISK)
        )
        await eventually(lambda: set(NVIDIA_LINES) <= set(heard))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await eventually(lambda: not processes_that_say(mark))


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
async def test_a_client_that_is_killed_leaves_nothing_in_the_container(
    sshd: Sshd, lxc: Container, end: signal.Signals
) -> None:
    lxc.file("log.jsonl").write_text(scenario_log("drafter", 300))
    tool = lxc.outside.parent / "bin" / "nvidia-smi"
    tool.write_text(
        "#!/bin/sh\nwhile :; do echo '0, H100, 98, 70112, 81559, 61, 655.20, 700.00'; sleep 0.1; done\n"
    )
    tool.chmod(0o755)
    address = f"milepost-test:{lxc.hop}:{lxc.path('log.jsonl')}"
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", CLIENT, address,
            env={**sshd.environment, "PYTHONPATH": str(Path.cwd())}, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert process.stdout
        assert await asyncio.wait_for(process.stdout.readline(), 30) == b"ready\n"
        assert processes_that_say("/bin/nvidia-smi\0--query-gpu")
        process.send_signal(end)
        await process.wait()
        await eventually(lambda: not processes_that_say("/bin/nvidia-smi\0--query-gpu"))
    finally:
        tool.unlink()


async def test_a_busybox_lists_what_is_kept(sshd: Sshd, podman: Container) -> None:
    for step in (500, 1000):
        inner = podman.file("kept") / f"checkpoint-{step}"
        inner.mkdir(parents=True)
        (inner / "it's $(x).pt").write_bytes(b"x" * step)
    target = parse_target(f"{sshd.address}/{podman.hop}:/nowhere")
    (found,) = await list_checkpoints(target, podman.path("kept"), Connections(sshd.options))
    assert {(each.name, each.size) for each in found.stored} == {
        ("checkpoint-500", 500),
        ("checkpoint-1000", 1000),
    }
    assert found.disk
