"""The screen in a real terminal: keys are sent to tmux, and what a person would read is captured."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.recorded import scenario_log
from tests.waiting import eventually

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux (Debian: tmux)"),
]

LOG = scenario_log("healthy", 1000)
SIZES = [(30, 12), (44, 24), (60, 40), (80, 24), (120, 40), (200, 60)]


class Pane:
    """One tmux server of our own, with one pane in it."""

    def __init__(self, socket: Path, raw: Path) -> None:
        self._socket = socket
        self._raw = raw

    def start(self, size: tuple[int, int], *command: str) -> None:
        """Run a command; everything that it sends to the terminal is kept."""
        width, height = size
        shell = f"exec {shlex.join(command)}"
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(height), "sleep 600")
        self.tmux("set", "-g", "status", "off")
        self.tmux("set", "-g", "remain-on-exit", "on")
        self.tmux("pipe-pane", f"cat >> {shlex.quote(str(self._raw))}")
        self.tmux("respawn-pane", "-k", shell)

    def tmux(self, *arguments: str) -> str:
        """One command to the server; what it prints."""
        done = subprocess.run(
            ["tmux", "-S", str(self._socket), *arguments],
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
        return done.stdout

    @property
    def text(self) -> str:
        """What stands in the pane."""
        return self.tmux("capture-pane", "-p")

    @property
    def sent(self) -> bytes:
        """Every byte that was sent to the terminal."""
        return self._raw.read_bytes() if self._raw.exists() else b""

    @property
    def is_dead(self) -> bool:
        """Whether the command has ended."""
        return self.tmux("list-panes", "-F", "#{pane_dead}").strip() == "1"

    async def reads(self, *parts: str) -> str:
        """Wait until all of these texts stand in the pane, and return all of it."""
        try:
            await eventually(lambda: all(part in self.text for part in parts))
        except TimeoutError:
            raise AssertionError(f"not in the pane: {parts}\n{self.text}") from None
        return self.text


@pytest.fixture
def pane(tmp_path: Path) -> Iterator[Pane]:
    """A pane, gone after the test."""
    made = Pane(tmp_path / "tmux", tmp_path / "raw")
    yield made
    made.tmux("kill-server")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log that is already there."""
    file = tmp_path / "train_log.jsonl"
    file.write_text(LOG)
    return file


def watch(file: Path) -> tuple[str, ...]:
    """The command that watches a local log; a size from the test runner's environment must not hide the pane's."""
    environment = ("-u", "COLUMNS", "-u", "LINES", f"PYTHONPATH={Path.cwd()}", "TERM=tmux-256color")
    return ("env", *environment, sys.executable, "-m", "tui", str(file))


@pytest.mark.parametrize("size", SIZES)
async def test_every_size_tells_whether_the_run_is_well_and_where_it_is(
    pane: Pane, log: Path, size: tuple[int, int]
) -> None:
    pane.start(size, *watch(log))
    await pane.reads("✓ healthy", "step 1,650", "loss", "accuracy")


async def test_an_entry_that_is_appended_appears_and_a_nan_raises_the_alarm(pane: Pane, log: Path) -> None:
    pane.start((100, 30), *watch(log))
    await pane.reads("step 1,650")
    with log.open("a") as end:
        end.write('{"step": 1700, "loss": 1.25, "accuracy": 0.14, "grad_norm": 0.5}\n')
    await pane.reads("step 1,700")
    with log.open("a") as end:
        end.write('{"step": 1702, "loss": NaN, "accuracy": 0.14, "grad_norm": 0.5}\n')
    await pane.reads("✖ CRITICAL", "nonfinite", "NaN")


async def test_keys_do_what_the_last_line_says(pane: Pane, log: Path) -> None:
    pane.start((100, 50), *watch(log))
    await pane.reads("EMA 100", "q quit")
    pane.tmux("send-keys", "s")
    await pane.reads("EMA 500")
    pane.tmux("send-keys", "?")
    await pane.reads("smooth over 20, 100, 500 entries", "copy the table as markdown")
    pane.tmux("send-keys", "Escape")
    await eventually(lambda: "smooth over" not in pane.text)
    pane.tmux("send-keys", "m")
    await pane.reads("per 1,000 steps")
    pane.tmux("send-keys", "q")
    await eventually(lambda: pane.is_dead)


async def test_a_resized_pane_gets_another_layout(pane: Pane, log: Path) -> None:
    pane.start((120, 40), *watch(log))
    await pane.reads("EMA 100", "milestones")
    pane.tmux("resize-window", "-x", "40", "-y", "20")
    await eventually(lambda: "EMA" not in pane.text and "grad_norm" in pane.text)


async def test_nothing_from_the_log_reaches_the_terminal_as_a_control_sequence(
    pane: Pane, tmp_path: Path
) -> None:
    evil = "\\u001b]0;owned\\u0007\\u001b[2J\\u009b31m"
    file = tmp_path / "evil.jsonl"
    lines = [f'{{"step": {n}, "loss": 1.0, "a{evil}b": 2.0, "note": "{evil}"}}\n' for n in range(60)]
    file.write_bytes("".join(lines).encode() + b"\x1b]0;owned\x07\x1b[2Jraw\n")
    pane.start((120, 40), *watch(file))
    await pane.reads("step 59", "loss", "owned", "1 malformed")
    assert b"]0;owned\x07" not in pane.sent
    assert b"\x1b]0;owned" not in pane.sent
    assert b"\xc2\x9b" not in pane.sent


async def test_a_file_that_is_not_there_is_a_sentence_on_the_screen(pane: Pane, tmp_path: Path) -> None:
    pane.start((100, 30), *watch(tmp_path / "nowhere.jsonl"))
    await pane.reads("unknown", "nowhere.jsonl")
