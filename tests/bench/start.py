"""How long a command takes to start, beside Python itself: `python -m tests.bench start`."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tests.bench.process import least
from tests.bench.row import Row, at_most
from tui.sources.demo.trainer import ENTRIES, simulate, write_line

ROUNDS = 15
VERSION_LIMIT, STATUS_LIMIT = 3.0, 2.5


def measure(rounds: int = ROUNDS, entries: int = ENTRIES) -> Iterable[Row]:
    """The processor time of whole processes, their modules compiled before."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "train_log.jsonl"
        log.write_text("".join(write_line(entry) for entry in simulate("drafter", entries=entries)))
        environment = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment |= {"PYTHONPYCACHEPREFIX": f"{folder}/compiled", "HOME": folder}
        milepost = [sys.executable, "-c", "import sys; from tui.cli import main; sys.exit(main())"]
        commands = {
            "pass": [sys.executable, "-c", "pass"],
            "numpy": [sys.executable, "-c", "import numpy"],
            "version": [*milepost, "--version"],
            "status": [*milepost, "status", str(log)],
        }
        least(commands, 1, environment)
        found = least(commands, rounds, environment)
    for name, bare, limit, what in (
        ("version", "pass", VERSION_LIMIT, "milepost --version"),
        ("status", "numpy", STATUS_LIMIT, f"milepost status, {entries:,} entries"),
    ):
        ours, theirs = found[name].cpu_s, found[bare].cpu_s
        told = f"{ours / theirs:.1f} × ({ours * 1e3:.0f} ms against {theirs * 1e3:.0f} ms of CPU)"
        against = "python -c pass" if bare == "pass" else "python -c 'import numpy'"
        yield at_most(what, told, ours / theirs, limit, against, " ×")
