"""Notifications in a real tmux: what the terminal around it, the status line and the window's flag get."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fcntl import ioctl
from pathlib import Path
from threading import Thread

import pytest

from tests.real.test_screen import Pane, log, pane, watch
from tests.waiting import eventually

__all__ = ["log", "pane"]

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux (Debian: tmux)"),
]

EVIL = '{"step": 1702, "loss": NaN, "loss\\u001b]0;evil\\u0007#(touch EVIL)%H": NaN, "accuracy": 0.14}\n'


@contextmanager
def attached(socket: Path) -> Iterator[Callable[[], bytes]]:
    """A terminal that is attached to the server; what it was sent so far."""
    master, slave = pty.openpty()
    ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    client = subprocess.Popen(
        ["tmux", "-S", str(socket), "attach"],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**os.environ, "TERM": "xterm-256color"},
        start_new_session=True,
    )
    os.close(slave)
    sent = bytearray()

    def drain() -> None:
        try:
            while data := os.read(master, 65536):
                sent.extend(data)
        except OSError:  # the client has gone
            return

    thread = Thread(target=drain, daemon=True)
    thread.start()
    try:
        yield lambda: bytes(sent)
    finally:
        client.kill()
        client.wait()
        thread.join(5)
        os.close(master)


def start(pane: Pane, log: Path, tmp_path: Path, *options: str) -> None:
    """The watch in a pane, with tmux as a person has it who wants notifications."""
    pane.start((100, 30), *watch(log), *options)
    pane.tmux("set", "-g", "status", "on")
    pane.tmux("set", "-g", "allow-passthrough", "on")
    pane.tmux("set", "-g", "monitor-bell", "on")


async def test_an_alert_reaches_terminal_status_line_window_flag_and_command(
    pane: Pane, log: Path, tmp_path: Path
) -> None:
    told, config = tmp_path / "told", tmp_path / "config.toml"
    script = "import sys; open(sys.argv[1], 'a').write('|'.join(sys.argv[2:]) + chr(10))"
    words = [sys.executable, "-c", script, str(told), "{kind}", "{severity}", "{title}"]
    config.write_text(f"[notify]\non_alert = {json.dumps(words)}\n")
    start(pane, log, tmp_path, "--config", str(config))
    with attached(tmp_path / "tmux") as terminal:
        await pane.reads("step 1,650", "healthy")
        with log.open("a") as end:
            end.write('{"step": 1702, "loss": NaN, "accuracy": 0.14, "grad_norm": 0.5}\n')
        await eventually(lambda: told.exists() and told.read_text())
        await eventually(lambda: b"\x1b]9;train_log.jsonl: critical nonfinite: " in terminal())
        await eventually(lambda: b"train_log.jsonl: critical nonfinite: " in _without_osc(terminal()))
    assert told.read_text() == "nonfinite|critical|train_log.jsonl: critical nonfinite\n"
    assert re.search(rb"\x1bPtmux;\x1b\x1b\]9;[^\x00-\x1f;]*\x07\x1b\\", pane.sent)


async def test_the_bell_flags_the_window_that_nobody_looks_at(pane: Pane, log: Path, tmp_path: Path) -> None:
    start(pane, log, tmp_path)
    await pane.reads("step 1,650", "healthy")
    pane.tmux("new-window", "sleep 600")
    with log.open("a") as end:
        end.write('{"step": 1702, "loss": NaN, "accuracy": 0.14, "grad_norm": 0.5}\n')
    await eventually(lambda: "0:1" in pane.tmux("list-windows", "-F", "#{window_index}:#{window_bell_flag}"))


async def test_no_sequence_lies_within_another_nor_in_a_frame(pane: Pane, log: Path, tmp_path: Path) -> None:
    start(pane, log, tmp_path)
    await pane.reads("step 1,650", "healthy")
    with log.open("a") as end:
        end.write(EVIL)
    await pane.reads("✖ CRITICAL")
    await eventually(lambda: b"\x1bPtmux;" in pane.sent)
    await eventually(
        lambda: pane.sent.endswith(b"\x1b\\") or pane.sent.partition(b"\x1bPtmux;")[2].count(b"\x1b[") > 5
    )
    before, _, after = pane.sent.partition(b"\x1bPtmux;")
    last = before[before.rindex(b"\x1b[") :]
    assert re.fullmatch(rb"\x1b\[[0-?]*[ -/]*[@-~][^\x1b]*", last), last
    sequence, _, _ = after.partition(b"\x1b\\")
    assert re.fullmatch(rb"\x1b\x1b\]9;[^\x00-\x1f\x7f;]*\x07", sequence), sequence
    assert not list(tmp_path.rglob("EVIL"))
    assert not (Path.cwd() / "EVIL").exists()


async def test_a_format_in_a_message_is_neither_run_nor_expanded(pane: Pane, tmp_path: Path) -> None:
    script = (
        "import asyncio, msgspec\n"
        "from tui.commands.notify import SAMPLE\n"
        "from tui.notify.tmux import Tmux\n"
        "told = msgspec.structs.replace(SAMPLE, title='T', message='#(touch EVIL) #S %H 5 % #[fg=red]!')\n"
        "print(asyncio.run(Tmux().send(told)))\n"
        "import time; time.sleep(600)\n"
    )
    pane.start(
        (100, 30),
        "env",
        f"PYTHONPATH={Path.cwd()}",
        "sh",
        "-c",
        f'sleep 2; exec {sys.executable} -c "$0"',
        script,
    )
    pane.tmux("set", "-g", "status", "on")
    with attached(tmp_path / "tmux") as terminal:
        await pane.reads("shown on 1 terminal")
        await eventually(lambda: b"T: #(touch EVIL) #S %H 5 % #" in terminal())
    assert not (Path.cwd() / "EVIL").exists()


def _without_osc(sent: bytes) -> bytes:
    return re.sub(rb"\x1b\][^\x07]*\x07", b"", sent)
