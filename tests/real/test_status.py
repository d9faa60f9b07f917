"""`milepost status` says the same of a log, whatever lies between: nothing, an sshd, a container, or both."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.real.fixtures import STOPPED_ID, Container, Sshd
from tests.recorded import scenario_log

pytestmark = pytest.mark.real

BY_THE_CLOCK = ("target", "link", "liveness")


async def milepost(*words: str, environment: Mapping[str, str]) -> tuple[int, str, str]:
    """Run the command as a process of its own; its exit code, output and errors."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tui", *words,
        env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


async def glance(address: str, environment: Mapping[str, str]) -> dict[str, Any]:
    """The run in `status --json --finished`, without what depends on the way and the clock."""
    code, out, err = await milepost("status", "--json", "--finished", address, environment=environment)
    (run,) = json.loads(out)["runs"]
    assert (code, err, run["link"]["state"]) == (1, "", "ok")
    return {key: value for key, value in run.items() if key not in BY_THE_CLOCK}


async def test_the_same_log_gives_the_same_status_by_every_way(
    sshd: Sshd, lxc: Container, podman: Container, tmp_path: Path
) -> None:
    name, text = "train_log.jsonl", scenario_log("drafter")
    for file in (tmp_path / name, lxc.file(name), podman.file(name)):
        file.write_text(text)
    here = await glance(str(tmp_path / name), os.environ)
    assert (here["entries"], here["first_step"], here["last_step"]) == (13190, 1, 21784)
    for address in (
        f"{sshd.address}{tmp_path}/{name}",
        f"milepost-test:{tmp_path}/{name}",
        f"{sshd.address}/{lxc.hop}:{lxc.path(name)}",
        f"{sshd.address}/{podman.hop}:{podman.path(name)}",
    ):
        assert await glance(address, sshd.environment) == here, address
    assert await glance(f"{podman.hop}:{podman.path(name)}", os.environ) == here


async def test_a_prefix_given_by_via_runs_on_the_host(sshd: Sshd, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text('{"step": 1, "loss": 2.5}\n')
    words = ("status", "--json", "--finished", "--via", "env 'A=b c'", f"{sshd.address}{tmp_path}/log.jsonl")
    code, out, _ = await milepost(*words, environment=sshd.environment)
    assert code == 0
    assert json.loads(out)["runs"][0]["entries"] == 1


@pytest.mark.parametrize(
    ("rest", "state", "says"),
    [
        ("/nowhere/log.jsonl", "missing", "/nowhere/log.jsonl is not there"),
        (f"/pct/{STOPPED_ID}:/log.jsonl", "missing", "is not running; start it with: pct start"),
        ("/pct/999:/log.jsonl", "missing", "has no container pct/999"),
        ("/incus/x:/log.jsonl", "missing", "incus"),
    ],
)
async def test_what_is_not_there_is_one_sentence_and_exit_3(
    sshd: Sshd, lxc: Container, rest: str, state: str, says: str
) -> None:
    for command in (["status", "--json"], ["table"]):
        code, out, err = await milepost(*command, f"{sshd.address}{rest}", environment=sshd.environment)
        assert (code, err.count("\n")) == (3, 1)
        assert says in err
        if out:
            assert json.loads(out)["runs"][0]["link"]["state"] == state


async def test_an_unknown_host_key_is_refused_with_its_fingerprint(sshd: Sshd, tmp_path: Path) -> None:
    (tmp_path / ".ssh").mkdir()
    environment = {**sshd.environment, "HOME": str(tmp_path)}
    code, _, err = await milepost("status", f"{sshd.address}/log.jsonl", environment=environment)
    assert (code, err.count("\n")) == (3, 1)
    assert "SHA256:" in err
