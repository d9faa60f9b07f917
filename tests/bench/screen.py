"""What the open screen costs while nobody touches it, beside other programs: `python -m tests.bench screen`.

The true program runs on a terminal of its own, on a local log that grows; reading and judging are part of it. Beside
it, at the same time and at the same rate, lnav follows a log of the same entries and LEET a W&B run of them.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Protocol, TextIO

from tests.bench import peers
from tests.bench.process import cpu_s
from tests.bench.row import Row, at_most
from tests.bench.terminal import SIZE, running
from tests.bench.wandblog import RunFile, make_run_file
from tui.sources.demo.trainer import simulate, write_line

SPAN_S = 30.0
"""Seconds that each rate is looked at."""

START_S, SETTLE_S = 60.0, 10.0
"""Seconds that ours may take until it has judged what is there, and that all have after that to come to rest."""

ENTRIES = 20_000
"""Entries that each log has at first."""

PANE = (40, 20)
LIMITS = {0: 1.0, 1: 3.0, 50: 15.0}
"""Percent of a core, by entries a second."""

PANE_LIMIT = 1.5
OURS, OURS_PANE = "milepost", "milepost in a pane"

Entry = Mapping[str, float]


class Growing(Protocol):
    """A log to which entries are appended."""

    def log(self, entries: Iterable[Entry]) -> None:
        """Append entries, each with its `step`."""


@dataclass(frozen=True, slots=True)
class Lines:
    """A log of JSON lines."""

    file: TextIO

    def log(self, entries: Iterable[Entry]) -> None:
        """Append entries in one piece."""
        self.file.write("".join(write_line(dict(entry)) for entry in entries))
        self.file.flush()


@dataclass(frozen=True, slots=True)
class Watcher:
    """A program, the log that it follows, and how large its terminal is."""

    command: list[str]
    growing: Growing | None
    size: tuple[int, int] = SIZE


def measure(span_s: float = SPAN_S, settle_s: float = SETTLE_S, entries: int = ENTRIES) -> Iterable[Row]:
    """Percent of one core for each rate; what others take there stands beside."""
    for rate, limit in LIMITS.items():
        with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
            watchers, missing = make_watchers(Path(name), stack, has_pane=rate == 1)
            taken = watch(watchers, peers.quiet_environment(Path(name)), rate, entries, settle_s, span_s)
        others = [f"{name} {share:.1f} %" for name, share in taken.items() if name not in (OURS, OURS_PANE)]
        what = f"{rate} entr{'y' if rate == 1 else 'ies'} a second" if rate else "idle"
        beside, told = "; ".join([*others, *(missing if rate == 0 else [])]), f"{taken[OURS]:.1f} % of a core"
        yield at_most(f"the open screen, {SIZE[0]}×{SIZE[1]}, {what}", told, taken[OURS], limit, beside, " %")
        if share := taken.get(OURS_PANE):
            what = f"a pane of {PANE[0]}×{PANE[1]}, {what}"
            yield at_most(what, f"{share:.1f} % of a core", share, PANE_LIMIT, "", " %")


def make_watchers(folder: Path, files: ExitStack, *, has_pane: bool) -> tuple[dict[str, Watcher], list[str]]:
    """All programs that there are, each with an empty log of its own, and why others are missing."""
    watchers: dict[str, Watcher] = {}
    missing: list[str] = []
    for name, size in ((OURS, SIZE), *([(OURS_PANE, PANE)] if has_pane else [])):
        log = folder / f"{len(watchers)}.jsonl"
        watchers[name] = Watcher(peers.milepost(str(log)), Lines(files.enter_context(log.open("w"))), size)
    lines, run = folder / "lnav.jsonl", make_run_file(folder)
    of_lines = Lines(files.enter_context(lines.open("w")))
    of_run = RunFile(files.enter_context(run.open("wb")))
    for name, command_for, path, growing in (
        ("lnav", peers.lnav, lines, of_lines),
        ("LEET", peers.leet, run, of_run),
        ("nvitop", peers.nvitop, folder, None),  # it watches GPUs, and no log
    ):
        try:
            watchers[name] = Watcher(command_for(path), growing)
        except FileNotFoundError as reason:
            missing.append(str(reason))
    return watchers, missing


def watch(
    watchers: Mapping[str, Watcher],
    environment: Mapping[str, str],
    rate: int,
    entries: int,
    settle_s: float,
    span_s: float,
) -> dict[str, float]:
    """Percent of a core that each takes while so many entries a second come."""
    coming, logs = simulate("healthy"), [each.growing for each in watchers.values() if each.growing]
    grow(logs, list(islice(coming, entries)))
    with ExitStack() as stack:
        terminals = {
            name: stack.enter_context(running(watcher.command, environment, watcher.size))
            for name, watcher in watchers.items()
        }
        for name in {OURS, OURS_PANE} & set(terminals):
            terminals[name].await_text(b"healthy", START_S)
        grow_evenly(logs, coming, rate, settle_s)
        began_s, before_s = time.monotonic(), {name: cpu_s(each.pid) for name, each in terminals.items()}
        grow_evenly(logs, coming, rate, span_s)
        time_s = time.monotonic() - began_s
        taken = {name: 100 * (cpu_s(each.pid) - before_s[name]) / time_s for name, each in terminals.items()}
        assert all(each.is_open for each in terminals.values()), "a program has ended by itself"
        return taken


def grow(logs: Iterable[Growing], entries: Sequence[Entry]) -> None:
    """Append the same entries to all logs."""
    for log in logs:
        log.log(entries)


def grow_evenly(logs: Sequence[Growing], coming: Iterator[Entry], rate: int, span_s: float) -> None:
    """Append so many entries a second at an even pace."""
    end_s = time.monotonic() + span_s
    while (now_s := time.monotonic()) < end_s:
        if rate:
            grow(logs, [next(coming)])
        time.sleep(min(1 / rate if rate else span_s, end_s - now_s))
