"""A look at a place tells what is there, in every shell and with the tools of GNU, BusyBox and toybox."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from tui.sources.ssh import Connections
from tui.sources.survey import Survey, parse_survey, survey, survey_words
from tui.target import Target, parse_target

TOOLS = "cat date env find head ls printf readlink renice sleep sort stat tail".split()
KITS = ["dash", "bash", "mksh", "busybox", "toybox"]
TIMEOUT_S = 20.0


@pytest.fixture(params=KITS)
def tools(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder for PATH with a shell as `sh`, and the tools of GNU, or those of the kit itself."""
    folder = tmp_path / "tools"
    folder.mkdir()
    kit = shutil.which(request.param)
    if kit is None:
        pytest.skip(f"{request.param} is not installed")
    (folder / "sh").symlink_to(kit if request.param != "toybox" else "/bin/sh")
    for tool in TOOLS:
        found = kit if request.param in ("busybox", "toybox") else shutil.which(tool)
        assert found is not None
        (folder / tool).symlink_to(found)
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def write(file: Path, data: bytes, age_s: float = 0.0) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    at_s = time.time() - age_s
    os.utime(file, (at_s, at_s))
    return file


def script(folder: Path, name: str, text: str) -> None:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)


async def look(tools: Path, home: Path, folder: str = "", timeout_s: float = TIMEOUT_S) -> Survey:
    target = Target(folder, folder, via=(("env", "-i", f"PATH={tools}", f"HOME={home}"),))
    return await survey(target, Connections(), timeout_s)


async def test_the_ends_of_logs_are_told_the_newest_first(tools: Path, home: Path) -> None:
    log = b"".join(b'{"step": %d}\n' % step for step in range(20_000))
    write(home / "run a" / "it's $(odd).jsonl", log[:100], age_s=300)
    write(home / "b" / "train.log", log, age_s=60)
    write(home / "c" / "metrics.csv", log[:20_000], age_s=3000)
    seen = await look(tools, home, "~")
    files = {file.path.removeprefix(f"{home}/"): file for file in seen.files}
    assert list(files) == ["b/train.log", "run a/it's $(odd).jsonl", "c/metrics.csv"]
    assert (seen.count, seen.notes) == (3, ())
    whole, short, middle = files.values()
    assert (whole.size, whole.is_whole) == (len(log), False)
    assert (len(whole.head), len(whole.tail)) == (8192, 24576)
    assert log.startswith(whole.head)
    assert log.endswith(whole.tail)
    assert (short.head, short.tail, short.is_whole) == (log[:100], b"", True)
    assert (middle.head + middle.tail, middle.is_whole) == (log[:20_000], True)
    assert 60 <= whole.age_s < 60 + TIMEOUT_S


async def test_what_is_no_log_or_old_or_hidden_or_too_deep_is_left_out(tools: Path, home: Path) -> None:
    write(home / "train.jsonl", b"1\n")
    for name in ("model.pt", "train.py", ".hidden.log", ".cache/x.log", "log.png", "node_modules/x.log"):
        write(home / name, b"1\n")
    write(home / "old.log", b"1\n", age_s=20 * 86400)
    write(home / "empty.log", b"")
    write(home / "1/2/3/4/5/6/7/deep.log", b"1\n")
    assert [file.path for file in (await look(tools, home, "~")).files] == [f"{home}/train.jsonl"]


async def test_a_link_to_a_folder_is_followed_where_the_search_begins(tools: Path, home: Path) -> None:
    write(home / "real" / "train.log", b"1\n")
    (home / "linked").symlink_to("real")
    seen = await look(tools, home, f"{home}/linked")
    assert [file.path for file in seen.files] == [f"{home}/linked/train.log"]


async def test_the_working_folder_of_a_python_process_is_looked_into(
    tools: Path, home: Path, tmp_path: Path
) -> None:
    log = write(tmp_path / "somewhere else" / "train.log", b"1\n")
    code = "import sys; sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", code], cwd=log.parent, stdin=subprocess.PIPE) as process:
        seen = await look(tools, home)
        assert process.stdin is not None
        process.stdin.close()
    assert str(log) in [file.path for file in seen.files]


async def test_of_very_many_logs_the_newest_are_read_and_all_are_counted(tools: Path, home: Path) -> None:
    for number in range(60):
        write(home / f"{number}.log", b"1\n", age_s=10 * number)
    seen = await look(tools, home, "~")
    assert seen.count == 60
    assert [Path(file.path).stem for file in seen.files] == [str(number) for number in range(24)]
    assert seen.notes == (
        "36 older files that are named like logs were not looked at; name a folder to see those there",
    )


async def test_logs_that_were_written_in_the_same_second_are_all_told(tools: Path, home: Path) -> None:
    now_s = int(time.time())
    for rank in range(8):
        os.utime(write(home / f"rank{rank}.log", b"1\n"), (now_s, now_s))
    assert len((await look(tools, home, "~")).files) == 8


@pytest.mark.parametrize("tools", ["dash", "bash"], indirect=True)
async def test_of_a_disk_that_does_not_answer_the_containers_are_told(tools: Path, home: Path) -> None:
    script(tools, "docker", 'echo "3f2a1b9c0d4e trainer"')
    (tools / "find").unlink()
    script(tools, "find", "(sleep 1000)")  # the sleep holds on to the output when its shell is killed
    seen = await look(tools, home, "~", timeout_s=2.0)
    assert [str(each.hop) for each in seen.containers] == ["docker/trainer"]
    assert seen.notes == ("the time was up before everything was looked at",)


async def test_containers_are_told_and_what_a_tool_says_that_fails(tools: Path, home: Path) -> None:
    script(tools, "docker", 'echo "3f2a1b9c0d4e trainer"; echo "what is this"; echo "a warning" >&2')
    script(tools, "podman", 'echo "cannot connect" >&2; exit 125')
    script(tools, "pct", 'printf "VMID Status Lock Name\\n200 running  a\\n201 stopped  b\\n"')
    seen = await look(tools, home, "~")
    assert [(str(each.hop), each.state) for each in seen.containers] == [
        ("docker/trainer", "running"),
        ("pct/200", "running"),
        ("pct/201", "stopped"),
    ]
    assert seen.notes == ("podman: cannot connect", "docker: 1 line of its list could not be read")


async def test_who_may_not_see_every_namespace_sees_their_own(tools: Path, home: Path) -> None:
    script(
        tools,
        "kubectl",
        'case "$*" in *all-namespaces*) echo "Error from server (Forbidden): no" >&2; exit 1;; esac\n'
        'echo "ml drafter-0 Running"',
    )
    seen = await look(tools, home, "~")
    assert ([str(each.hop) for each in seen.containers], seen.notes) == (["kubectl/ml/drafter-0"], ())


@pytest.mark.parametrize("tools", ["dash", "busybox"], indirect=True)
async def test_a_tool_that_hangs_keeps_nothing_else_waiting(tools: Path, home: Path) -> None:
    script(tools, "docker", "exec sleep 1000")
    write(home / "train.log", b"1\n")
    seen = await look(tools, home, "~")
    assert seen.notes == ("docker: it did not answer in time",)
    assert len(seen.files) == 1


@pytest.mark.parametrize("tools", ["dash", "busybox"], indirect=True)
async def test_a_tool_that_prints_without_end_is_cut(tools: Path, home: Path) -> None:
    script(tools, "docker", 'while :; do echo "junk junk junk junk"; done')
    write(home / "train.log", b"1\n")
    seen = await look(tools, home, "~")
    assert any(note.startswith("docker: ") for note in seen.notes)
    assert len(seen.files) == 1


async def test_a_folder_that_is_not_there_is_told(tools: Path, home: Path) -> None:
    seen = await look(tools, home, f"{home}/none")
    assert (seen.files, seen.notes) == ((), (f"there is no folder {home}/none",))


def test_what_breaks_off_is_read_as_far_as_it_came() -> None:
    whole = (
        b"\n@N@ clock 1000\n\n@N@ list 0\n3f2a1b9c0d4e trainer\n\n@N@ said 0\n"
        b"\n@N@ file 990 5 1:7 /a b/train.log\nhello\n@N@ tail\n\n@N@ file 980 5 1:8 /other.log\nhel"
    )
    seen = parse_survey(whole, "N")
    assert [str(each.hop) for each in seen.containers] == ["docker/trainer"]
    assert seen.notes == ("the time was up before everything was looked at",)
    (file,) = seen.files
    assert (file.path, file.age_s, file.head, file.tail) == ("/a b/train.log", 10.0, b"hello", b"")


def test_a_file_that_was_found_by_two_ways_is_told_once() -> None:
    answer = b"\n@N@ clock 9\n" + b"".join(
        b"\n@N@ file 1 1 1:7 %s\n1\n@N@ tail\n" % path
        for path in (b"/mnt/long/a.log", b"/a.log", b"/data/a.log")
    )
    assert [file.path for file in parse_survey(answer, "N").files] == ["/a.log"]


def test_a_name_with_a_newline_in_it_is_left_out() -> None:
    assert parse_survey(b"\n@N@ file b c d e\n1\n@N@ tail\n\n@N@ count 1\n", "N").files == ()


def test_the_script_ends_before_the_time_that_is_allowed() -> None:
    words = survey_words(replace(parse_target("/x"), path=""), "N", 10.0, 3)
    assert words[3:8] == ["milepost", "N", "9", "3", ""]
