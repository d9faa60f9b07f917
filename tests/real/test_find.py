"""What is on a real machine is found: its logs, those of a real LXC and of a real podman container, to be opened."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.real.fixtures import STOPPED_ID, Container, Sshd
from tests.real.test_status import milepost

pytestmark = pytest.mark.real

LAST_STEP = 12_345
LINES = "".join(f'{{"step": {step}, "loss": {9 / step:.6f}}}\n' for step in range(1, LAST_STEP + 1))


@pytest.fixture
def logs(sshd: Sshd, lxc: Container, podman: Container, tmp_path: Path) -> Iterator[dict[str, Path]]:
    """The same log on the machine and in both containers, by its address."""
    here = tmp_path / "a run" / "train.jsonl"
    here.parent.mkdir()
    name = "found/train.jsonl"
    files = {f"{sshd.address}{here}": here}
    for container in (lxc, podman):
        container.file(name).parent.mkdir(exist_ok=True)
        files[f"{sshd.address}/{container.hop}:{container.path(name)}"] = container.file(name)
    for file in files.values():
        file.write_text(LINES)
    yield files
    for file in files.values():
        file.unlink()


async def find(sshd: Sshd, place: str) -> dict[str, dict[str, object]]:
    """The logs of a place and of its containers, by address."""
    code, out, _ = await milepost("find", "--json", "--timeout", "60", place, environment=sshd.environment)
    assert code == 0
    return {log["target"]: log for each in json.loads(out)["places"] for log in each["logs"]}


async def test_the_logs_of_a_host_and_of_its_containers_are_found_and_one_is_opened(
    sshd: Sshd, lxc: Container, podman: Container, logs: dict[str, Path], tmp_path: Path
) -> None:
    on_host, in_lxc, in_podman = logs
    found = await find(sshd, f"{sshd.address}{tmp_path}")
    assert found[on_host]["last_step"] == LAST_STEP
    found = await find(sshd, f"{sshd.address}")
    for address in (in_lxc, in_podman):
        assert (found[address]["format"], found[address]["last_step"]) == ("jsonl", LAST_STEP)
        _, out, err = await milepost("status", "--json", "--finished", address, environment=sshd.environment)
        (run,) = json.loads(out)["runs"]
        assert (run["entries"], err) == (LAST_STEP, "")


async def test_running_and_stopped_containers_are_told_apart(
    sshd: Sshd, lxc: Container, podman: Container, tmp_path: Path
) -> None:
    words = ("find", "--json", "--timeout", "60", f"{sshd.address}{tmp_path}")
    _, out, _ = await milepost(*words, environment=sshd.environment)
    states = {each["place"].partition(" ▸ ")[2]: each["state"] for each in json.loads(out)["places"]}
    assert states[lxc.hop] == states[podman.hop] == "running"
    assert states[f"pct/{STOPPED_ID}"] == "stopped"


async def test_the_commands_that_are_shown_are_not_run(sshd: Sshd) -> None:
    before = (sshd.folder / "sshd.log").read_text()
    code, out, err = await milepost("find", "--show-commands", sshd.address, environment=sshd.environment)
    assert (code, err) == (0, "")
    assert "podman exec -i NAME" in out
    assert (sshd.folder / "sshd.log").read_text() == before
