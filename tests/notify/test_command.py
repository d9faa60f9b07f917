"""A command of the user's: what it is given, and how it can fail."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from tests.waiting import eventually
from tui.commands.notify import SAMPLE
from tui.notify import command
from tui.notify.channel import NotSent
from tui.notify.command import Command, fill_in
from tui.notify.notification import Notification


def sample(title: str = "t", message: str = "m") -> Notification:
    return Notification("plateau", "warning", "run", "box:/log", "1000", title, message)


def test_placeholders_are_filled_in_once_and_all_other_text_stays() -> None:
    told = sample(message="{title} {0.__class__} $(reboot) `x`; rm -rf")
    words = ["send", "{title}: {message}", "{kind}/{severity}/{step}/{run}/{target}", "{other} {", "$HOME"]
    assert fill_in(words, told) == [
        "send",
        "t: {title} {0.__class__} $(reboot) `x`; rm -rf",
        "plateau/warning/1000/run/box:/log",
        "{other} {",
        "$HOME",
    ]


def test_text_of_a_log_never_becomes_an_option() -> None:
    assert fill_in(["send", "{message}", "-m{message}"], sample(message="--exec=x")) == [
        "send",
        " --exec=x",
        "-m--exec=x",
    ]


async def test_the_command_is_run_without_a_shell_and_without_input(tmp_path: Path) -> None:
    out = tmp_path / "out"
    script = "import sys; open(sys.argv[1], 'w').write(repr((sys.argv[2:], sys.stdin.read())))"
    channel = Command((sys.executable, "-c", script, str(out), "{title}", "{message}"))
    assert await channel.send(sample("a b", "$HOME; ls '\"")) == f"{sys.executable} was run"
    assert out.read_text() == repr((["a b", "$HOME; ls '\""], ""))


async def test_a_command_that_is_not_there_or_fails_says_so() -> None:
    with pytest.raises(NotSent, match="no-such-program can't be run: No such file or directory"):
        await Command(("no-such-program",)).send(SAMPLE)
    with pytest.raises(NotSent, match=r"ended with 3: it \[31mbroke$|ended with 3: it broke"):
        await Command(("sh", "-c", "printf 'first\\nit \\033[31mbroke\\n' >&2; exit 3")).send(SAMPLE)


async def test_a_command_that_does_not_end_is_killed_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "TIMEOUT_S", 0.3)
    pids = tmp_path / "pids"
    with pytest.raises(NotSent, match=r"sh did not end within 0\.3 s, and was killed"):
        await Command(("sh", "-c", f"sleep 600 & echo $! >{pids}; wait")).send(SAMPLE)
    if pids.exists() and pids.read_text():
        child = int(pids.read_text())
        await eventually(lambda: not _lives(child))


async def test_a_command_is_killed_when_the_watch_ends(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    sending = asyncio.create_task(Command(("sh", "-c", f"echo $$ >{pid}; exec sleep 600")).send(SAMPLE))
    await eventually(lambda: pid.exists() and pid.read_text().endswith("\n"))
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending
    assert not _lives(int(pid.read_text()))


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def test_a_flood_of_output_does_not_hold_it_up() -> None:
    assert await Command(("sh", "-c", "head -c 40000 /dev/zero; exit 0")).send(SAMPLE) == "sh was run"
    assert os.getpid()
