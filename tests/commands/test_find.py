"""`milepost find` tells what is there as text and as JSON, and by its exit code whether anything is."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.commands.running import Shell
from tests.find.machines import Machine, write_log
from tui.commands.find import describe_places, show_commands
from tui.find.around import Bounds, FoundPlace, sort_places
from tui.find.logs import FoundLog
from tui.find.places import parse_place


@pytest.fixture
def machine(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """This machine, as if it had nothing but a home and a few containers."""
    machine = Machine(tmp_path / "machine")
    monkeypatch.setenv("PATH", f"{machine.folder}/commands:{machine.folder}/tools")
    monkeypatch.setenv("HOME", str(machine.home))
    return machine


def test_the_logs_of_this_machine_are_found_and_can_be_opened(machine: Machine, shell: Shell) -> None:
    log = write_log(machine.home, 21784, "my run.jsonl")
    os.utime(log)
    answer = shell("find", "~")
    assert (answer.code, answer.err) == (0, "")
    first, row = answer.out.splitlines()
    assert first == "this machine"
    assert row.split("  ")[-3:] == ["21,784", "jsonl", f"'{log}'"]
    assert shell("status", "--finished", log).code in (0, 1)


def test_the_logs_in_containers_are_found(machine: Machine, shell: Shell) -> None:
    log = write_log(machine.add_container("trainer"), 12)
    answer = shell("find", "~", "--json")
    assert (answer.code, answer.err) == (0, "")
    container, here = answer.json["places"]
    assert (here["place"], here["logs"], here["container"]) == ("this machine", [], False)
    (found,) = container["logs"]
    assert (container["place"], container["address"], container["state"]) == (
        "docker/trainer",
        "docker/trainer:",
        "running",
    )
    assert 0 <= found.pop("age_s") < 600
    assert found == {
        "target": f"docker/trainer:{log}",
        "format": "jsonl",
        "last_step": 12,
        "size_bytes": log.stat().st_size,
    }


def test_a_path_that_is_no_text_can_be_told_too(machine: Machine, shell: Shell) -> None:
    log = write_log(machine.home, name=os.fsdecode(b"\xff\n run.jsonl"))
    assert shell("find", "~").code == 1  # a newline would break the address in two
    log = log.rename(machine.home / os.fsdecode(b"\xff run.jsonl"))
    (here,) = shell("find", "~", "--json").json["places"]
    assert [each["target"] for each in here["logs"]] == [str(log)]
    assert "/ run.jsonl" in shell("find", "~").out


def test_a_folder_that_is_named_is_the_only_one_that_is_looked_into(machine: Machine, shell: Shell) -> None:
    write_log(machine.home)
    inner = machine.home / "inner"
    inner.mkdir()
    write_log(inner)
    answer = shell("find", "--json", inner)
    (here,) = answer.json["places"]
    assert [log["target"] for log in here["logs"]] == [f"{inner}/train.jsonl"]


def test_nothing_found_is_one_and_says_so(machine: Machine, shell: Shell) -> None:
    answer = shell("find", "~")
    assert (answer.code, answer.out, answer.err) == (1, "this machine  no log of late\n", "")


def test_a_log_that_is_too_old_is_found_only_when_asked_for(machine: Machine, shell: Shell) -> None:
    os.utime(write_log(machine.home), (0, 0))
    assert shell("find", "~").code == 1
    assert shell("find", "~", "--days", "50000").code == 0


def test_where_no_machine_can_be_asked_it_is_three_and_an_error(machine: Machine, shell: Shell) -> None:
    answer = shell("find", "ssh://someone@127.0.0.1:1/~/")
    assert (answer.code, answer.out) == (3, "")
    assert answer.err.startswith("milepost: no SSH server answers at 127.0.0.1:1")
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize("words", [["-"], ["--days", "0"], ["--timeout", "never"]])
def test_what_is_no_place_or_bound_is_told_in_one_line(words: list[str], shell: Shell) -> None:
    answer = shell("find", *words)
    assert (answer.code, answer.out, answer.err.count("\n")) == (3, "", 1)


def test_the_commands_are_shown_and_none_is_run(machine: Machine, shell: Shell) -> None:
    machine.add_command("docker", f"#!/bin/sh\necho run >{machine.folder}/was_run\n")
    answer = shell("find", "gpu-box", "ssh://root@far:2222/pct/200:/runs", "--show-commands")
    assert (answer.code, answer.err) == (0, "")
    for words in (
        "docker ps --format",
        "lxc-ls --fancy",
        "docker exec -i NAME sh -c",
        "kubectl exec -i -n NAMESPACE POD --",
        "pct exec 200 -- podman exec -i NAME",
        "-maxdepth",
    ):
        assert words in answer.out
    assert not (machine.folder / "was_run").exists()


def test_the_commands_that_are_shown_are_commands_for_a_shell(machine: Machine, tmp_path: Path) -> None:
    write_log(machine.home)
    text = show_commands([parse_place("~")], Bounds())
    text = text[: text.index("# then in each container")]
    done = subprocess.run(["sh", "-c", text], capture_output=True, text=True, check=True, timeout=60)
    assert f"{machine.home}/train.jsonl" in done.stdout


def place(name: str, *ages_s: float, **rest: object) -> FoundPlace:
    logs = tuple(FoundLog(f"{name}:/{age_s:g}.log", "jsonl", 1.0, age_s, 9) for age_s in ages_s)
    return FoundPlace(name, f"{name}:", logs=logs, **rest)  # type: ignore[arg-type]


def test_the_place_with_the_newest_log_comes_first() -> None:
    found = sort_places([place("b"), place("a", 90.0), place("c", 100.0, 5.0), place("d", error="gone")])
    assert [each.name for each in found] == ["c", "a", "b", "d"]


def test_each_row_says_what_is_known_of_it_and_nothing_that_a_terminal_could_obey() -> None:
    found = [
        place("box", 4.2, 187_200.0, notes=("docker: it did not answer in time",)),
        place("box ▸ pct/201", state="stopped", is_container=True),
        place("box ▸ docker/\x1b[31mx", error="it is gone\n\x1b]0;x\x07", is_container=True),
        place("far", error="no route"),
    ]
    assert describe_places(found).splitlines() == [
        "box",
        "      4 s ago  1  jsonl  box:/4.2.log",
        "  2 d 4 h ago  1  jsonl  box:/187200.log",
        "  (docker: it did not answer in time)",
        "box ▸ pct/201  stopped",
        "box ▸ docker/x  it is gone ]0;x",
    ]
