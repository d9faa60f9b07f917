"""`milepost watch --line`: the live monitor in one row."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.commands.running import Shell
from tests.recorded import fill_feed, scenario_log
from tui.commands.line import ROTATE_LOOKS, compose_row
from widgets.cells import width

LOG = scenario_log("healthy", 300)
PATIENCE_S = 20.0


class Pane:
    """A terminal of one row in which the command runs."""

    def __init__(self, log: Path, columns: int) -> None:
        self._near, far = pty.openpty()
        self.text = ""
        self.resize(columns)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tui", "watch", "--line", str(log)],
            stdin=far,
            stdout=far,
            stderr=far,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that Ctrl-C is a signal there
        )
        os.close(far)
        os.set_blocking(self._near, False)

    def resize(self, columns: int) -> None:
        fcntl.ioctl(self._near, termios.TIOCSWINSZ, struct.pack("HHHH", 1, columns, 0, 0))

    def press(self, keys: bytes) -> None:
        os.write(self._near, keys)

    def reads(self, part: str) -> str:
        """Wait until the row as it is now holds this text."""
        return self._until(lambda: part in self.row)

    def reads_row_of(self, cells: int) -> str:
        """Wait until the row is that wide."""
        return self._until(lambda: width(self.row) == cells)

    def _until(self, is_so: Callable[[], bool]) -> str:
        deadline = time.monotonic() + PATIENCE_S
        while not is_so():
            assert time.monotonic() < deadline, self.text
            try:
                self.text += os.read(self._near, 4096).decode()
            except BlockingIOError:
                time.sleep(0.02)
        return self.row

    @property
    def row(self) -> str:
        return self.text.rpartition("\r")[2]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    file = tmp_path / "train_log.jsonl"
    file.write_text(LOG)
    return file


@pytest.fixture
def pane(log: Path) -> Iterator[Pane]:
    opened = Pane(log, 100)
    yield opened
    opened.process.kill()
    opened.process.wait()


def test_the_row_updates_in_place_fits_and_ends_with_q(pane: Pane, log: Path) -> None:
    row = pane.reads("healthy")
    assert "train_log.jsonl" in row
    assert "loss" in row
    assert width(row) == 99
    with log.open("a") as file:
        file.write('{"step": 98765, "loss": 1.0}\n')
    pane.reads("98,765")
    assert "\n" not in pane.text
    assert "\x1b" not in pane.text
    pane.resize(40)  # which the terminal tells by SIGWINCH
    pane.reads_row_of(39)
    pane.press(b"q")
    assert pane.process.wait(PATIENCE_S) == 0


def test_control_c_ends_it_too(pane: Pane) -> None:
    pane.reads("healthy")
    pane.press(b"\x03")
    assert pane.process.wait(PATIENCE_S) == 0


def test_without_a_terminal_it_says_what_would_do(shell: Shell) -> None:
    answer = shell("watch", "--line", shell.write(LOG))
    assert answer.code == 3
    assert "milepost status --line" in answer.err


def test_several_runs_stand_beside_each_other_or_take_turns() -> None:
    feeds = [fill_feed(LOG, name) for name in ("one", "two")]
    row = compose_row(feeds, 120, 0)
    assert "one" in row
    assert "two" in row
    assert width(row) <= 120
    turns = [compose_row(feeds, 60, look) for look in (0, ROTATE_LOOKS, 2 * ROTATE_LOOKS)]
    assert ["one" in turn for turn in turns] == [True, False, True]
