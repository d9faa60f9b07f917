"""What a tmux pane prints is followed line by line, here and through a real sshd."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.processes import processes_that_say
from tests.real.fixtures import Sshd
from tests.sources.listening import BRISK, following, read_once
from tests.waiting import eventually
from tui.events import LinkState
from tui.sources.base import Source
from tui.sources.open import open_source
from tui.sources.ssh import Connections
from tui.target import parse_target

pytestmark = pytest.mark.real


@dataclass(frozen=True)
class Tmux:
    """A tmux server of its own; what runs in its pane prints the lines of a fifo."""

    folder: Path

    @property
    def via(self) -> tuple[str, ...]:
        """The prefix by which its socket is found."""
        return (f"env -u TMUX TMUX_TMPDIR={self.folder}",)

    def run(self, *words: str) -> str:
        """A tmux command; what it printed."""
        environment = {key: value for key, value in os.environ.items() if key != "TMUX"}
        environment |= {"TMUX_TMPDIR": str(self.folder), "LC_ALL": "C.UTF-8"}
        command = ["tmux", "-f", "/dev/null", *words]
        return subprocess.run(
            command, env=environment, check=True, capture_output=True, timeout=20
        ).stdout.decode()

    def start(
        self, session: str = "train", *, width: int = 80, height: int = 10, history: int = 2000
    ) -> None:
        """A session whose pane prints what is sent to it."""
        fifo = self.folder / session
        os.mkfifo(fifo)
        size = ("-x", str(width), "-y", str(height))
        self.run("start-server", ";", "set-option", "-g", "history-limit", str(history),
                 ";", "new-session", "-d", "-s", session, *size, f"exec cat {fifo} 3<>{fifo}")  # fmt: skip

    async def print(self, data: bytes, session: str = "train") -> None:
        """Print bytes in the pane of a session."""
        await asyncio.to_thread((self.folder / session).write_bytes, data)


@pytest.fixture
def tmux(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tmux]:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    server = Tmux(tmp_path_factory.mktemp("tmux"))
    yield server
    subprocess.run(
        ["tmux", "kill-server"],
        env={**os.environ, "TMUX_TMPDIR": str(server.folder), "TMUX": ""},
        check=False,
        capture_output=True,
    )


def follow(tmux: Tmux, address: str = "tmux/train:") -> Source:
    return open_source(parse_target(address, tmux.via), pace=BRISK)


def numbered(first: int, end: int) -> bytes:
    return b"".join(b'{"step": %d, "loss": %.3f}\n' % (n, 1 / (n + 1)) for n in range(first, end))


async def test_every_line_comes_once_and_in_order(tmux: Tmux) -> None:
    tmux.start()
    await tmux.print(numbered(0, 100))
    async with following(follow(tmux)) as heard:
        await heard.has(numbered(0, 100))
        for first in (100, 101, 105, 150, 400):
            await tmux.print(numbered(first, {100: 101, 101: 105, 105: 150, 150: 400, 400: 1000}[first]))
            await heard.has(numbered(0, {100: 101, 101: 105, 105: 150, 150: 400, 400: 1000}[first]))
        assert not heard.replaced
        assert LinkState.LIVE in heard.links


async def test_a_line_is_handed_on_once_it_is_whole(tmux: Tmux) -> None:
    tmux.start()
    await tmux.print(b"one\ntw")
    async with following(follow(tmux)) as heard:
        await heard.has(b"one\n")
        await tmux.print(b"o\nthree")
        await heard.has(b"one\ntwo\n")


async def test_wrapped_lines_are_one_and_any_text_arrives_as_it_is(tmux: Tmux) -> None:
    tmux.start(width=20)
    text = 'a line of more than twenty columns: größe → λ %s \\n "quoted" $(x) `y`\n\n\n'.encode()
    await tmux.print(text)
    async with following(follow(tmux)) as heard:
        await heard.has(text)
        await tmux.print(text * 20)
        await heard.has(text * 21)


async def test_a_progress_bar_is_no_line_before_its_end(tmux: Tmux) -> None:
    tmux.start()
    await tmux.print(b"begin\n")
    async with following(follow(tmux)) as heard:
        await heard.has(b"begin\n")
        for percent in range(0, 100, 10):
            await tmux.print(b"\r%d%% done" % percent)
        await tmux.print(b"\r100% done\n")
        await heard.has(b"begin\n100% done\n")


async def test_a_full_history_is_followed_on_without_a_gap(tmux: Tmux) -> None:
    tmux.start(history=50)
    async with following(follow(tmux)) as heard:
        for first in range(0, 300, 20):
            await tmux.print(numbered(first, first + 20))
            await heard.has(numbered(0, first + 20))
        assert not heard.replaced


async def test_more_lines_than_the_history_holds_are_told_as_a_gap(tmux: Tmux) -> None:
    tmux.start(history=20)
    await tmux.print(numbered(0, 5))
    async with following(follow(tmux)) as heard:
        await heard.has(numbered(0, 5))
        # one burst, which tmux takes in between two looks or in several: lost lines are never silent
        await tmux.print(numbered(5, 5000))
        await eventually(lambda: heard.data.endswith(numbered(4999, 5000)))
        steps = [int(step) for step in re.findall(rb'"step": (\d+)', heard.data)]
        assert steps == sorted(set(steps))
        assert len(steps) == 5000 or any(event.gap for event in heard.replaced)
        assert [event.reason for event in heard.replaced if not event.gap] == []


async def test_a_cleared_pane_is_told_as_a_gap(tmux: Tmux) -> None:
    tmux.start()
    await tmux.print(numbered(0, 30))
    async with following(follow(tmux)) as heard:
        await heard.has(numbered(0, 30))
        await tmux.print(b"\x1b[H\x1b[2J\x1b[3J" + numbered(40, 50))
        await eventually(lambda: heard.data.endswith(numbered(40, 50)))
        assert [(event.reason, event.gap) for event in heard.replaced] == [("scrolled", True)]


async def test_the_pane_is_followed_when_windows_change_places(tmux: Tmux) -> None:
    tmux.start()
    await tmux.print(b"one\n")
    async with following(follow(tmux)) as heard:
        await heard.has(b"one\n")
        tmux.run("new-window", "-t", "=train:", "sleep 1000")
        await tmux.print(b"two\n")
        await heard.has(b"one\ntwo\n")


async def test_a_session_that_starts_late_is_waited_for(tmux: Tmux) -> None:
    async with following(follow(tmux)) as heard:
        await eventually(lambda: LinkState.MISSING in heard.links)
        tmux.start()
        await tmux.print(b"late\n")
        await heard.has(b"late\n")


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("tmux/other:", "has no session other; see: tmux ls"),
        ("tmux/tra:", "has no session tra; see: tmux ls"),
        ("tmux/train/7:", "has no window 7; see: tmux list-panes -s -t train"),
    ],
)
async def test_what_is_not_there_is_one_sentence(tmux: Tmux, address: str, says: str) -> None:
    tmux.start()
    heard = await read_once(address, via=tmux.via)
    assert heard.last_link.state is LinkState.MISSING
    assert (heard.last_link.detail or "").endswith(says)


async def test_no_server_and_no_tmux_are_one_sentence(tmux: Tmux, tmp_path: Path) -> None:
    heard = await read_once("tmux/train:", via=tmux.via)
    assert "start the run there: tmux new -s train" in (heard.last_link.detail or "")
    for tool in ("sh", "sleep", "date", "printf"):
        (tmp_path / tool).symlink_to(shutil.which(tool) or "")
    heard = await read_once("tmux/train:", via=(f"{shutil.which('env')} -i PATH={tmp_path}",))
    assert "has no tmux" in (heard.last_link.detail or "")


async def test_a_window_and_pane_of_a_session_can_be_named(tmux: Tmux) -> None:
    tmux.start()
    tmux.run("new-window", "-t", "=train:5", "-n", "eval", "echo there; sleep 1000")
    tmux.run("select-window", "-t", "=train:0")
    for address in ("tmux/train/5:", "tmux/train/eval:", "tmux/train/5.0:"):
        async with following(follow(tmux, address)) as heard:
            await heard.has(b"there\n")


async def test_a_pane_is_followed_over_ssh_through_a_break_and_nothing_stays(sshd: Sshd, tmux: Tmux) -> None:
    tmux.start()
    await tmux.print(numbered(0, 100))
    target = parse_target(f"{sshd.address}/tmux/train:", tmux.via)
    async with following(open_source(target, Connections(sshd.options), pace=BRISK)) as heard:
        await heard.has(numbered(0, 100))
        sshd.kill_sessions()
        await tmux.print(numbered(100, 200))
        await heard.has(numbered(0, 200))
        assert not heard.replaced
        assert processes_that_say("=train:")
    await eventually(
        lambda: not processes_that_say("=train:")
    )  # every far shell is told so; others are of other tests
