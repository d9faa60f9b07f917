"""How soon a long log is on the screen: beside W&B LEET, and over SSH beside a short one.

    python -m tests.bench opened

The true program runs on a terminal of its own. A frame is useful once it shows the last step and a curve; all of the
log has been read once there is a verdict. LEET is given the same entries as W&B's own client writes them, and has come
as far as the `_step` of its summary says.
"""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.bench import peers
from tests.bench.longlog import ENTRIES, write_log
from tests.bench.process import cpu_s, peak_bytes
from tests.bench.row import Row, at_most
from tests.bench.terminal import Terminal, running
from tests.bench.wandblog import make_run_file, write_run
from tests.real.fixtures import Sshd, running_sshd

SHORT_ENTRIES = 10_000
ROUNDS = 7
FASTER, MEMORY_SHARE = 15.0, 0.5
RATIO_LIMIT, AFTER_LIMIT_S = 1.2, 1.0

LAST = "the same until its last step is on the screen"
ALL = "the same until all of it is there, and judged"

LATE_S = 90.0
LEET_S = 180.0
"""How long LEET is waited for; where it has not come to the end, it is taken to go on at the pace that it had."""

LOOK_S = 0.2
_VERDICT = re.compile(rb"healthy|warning|critical")
_CURVE = re.compile("[\N{BRAILLE PATTERN DOTS-1}-\N{BRAILLE PATTERN DOTS-12345678}]")


@dataclass(frozen=True, slots=True)
class Opening:
    """Up to which step a program has come: seconds to its last step and to all, CPU seconds, the peak of memory."""

    step: int
    first_s: float
    whole_s: float
    cpu_s: float
    peak_bytes: int


def measure(entries: int = ENTRIES, short: int = SHORT_ENTRIES, rounds: int = ROUNDS) -> Iterable[Row]:
    """All of the log on this machine, then its first frame over SSH on loopback."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = folder / "long.jsonl"
        write_log(log, entries)
        yield from compare_whole(folder, log, entries)
        write_log(folder / "short.jsonl", short)
        (folder / "sshd").mkdir()
        with running_sshd(folder / "sshd", folder) as sshd:
            yield from compare_first(sshd, {log: entries, folder / "short.jsonl": short}, rounds)


def compare_whole(folder: Path, log: Path, entries: int) -> Iterable[Row]:
    """Until the last step is on the screen and all before it has been read, beside LEET, in time and in memory."""
    ours = open_here(folder, log, entries)
    taken_s = {LAST: ours.first_s, ALL: ours.whole_s}
    try:
        theirs = open_leet(folder, entries)
    except FileNotFoundError as missing:
        yield from (Row(what, f"{time_s:.1f} s", against=str(missing)) for what, time_s in taken_s.items())
        return
    reached = f"W&B LEET: {theirs.step:,} steps after {theirs.whole_s:.0f} s, {theirs.cpu_s:.0f} s of CPU"
    for what, time_s in taken_s.items():
        faster = theirs.whole_s * entries / max(theirs.step, 1) / time_s
        told = f"{faster:.0f} × faster ({time_s:.1f} s)"
        yield Row(what, told, f"≥ {FASTER:g} ×", reached, faster >= FASTER)
    share, (mine, other) = ours.peak_bytes / theirs.peak_bytes, (ours.peak_bytes, theirs.peak_bytes)
    told, beside = f"{share:.2f} × ({mine / 1e6:.0f} MB)", f"W&B LEET: {other / 1e6:.0f} MB"
    yield at_most("peak memory of that", told, share, MEMORY_SHARE, beside, " ×")
    yield Row("CPU of that", f"{ours.cpu_s:.1f} s, the redraws meanwhile among it")


def open_here(folder: Path, log: Path, entries: int) -> Opening:
    """Until there is a verdict."""
    environment, began_s = peers.quiet_environment(folder), time.monotonic()
    with running(peers.milepost(str(log)), environment) as terminal:
        first_s = await_first(terminal, entries) - began_s
        whole_s = terminal.await_sight(_has_verdict, "a verdict", LATE_S) - began_s
        return Opening(entries, first_s, whole_s, cpu_s(terminal.pid), peak_bytes(terminal.pid))


def open_leet(folder: Path, entries: int, limit_s: float = LEET_S) -> Opening:
    """Until LEET shows the last step, or its time is up.

    Raises:
        FileNotFoundError: It is not installed.
    """
    path = make_run_file(folder)
    command = peers.leet(path.parent)
    write_run(path, entries)
    began_s, time_s, step = time.monotonic(), 0.0, 0
    with running(command, peers.quiet_environment(folder)) as terminal:
        while step < entries and time_s < limit_s:
            time.sleep(LOOK_S)
            shown = re.search(r" _step +(\d+)", "\n".join(terminal.rows()))
            step, time_s = int(shown[1]) if shown else 0, time.monotonic() - began_s
        found = Opening(step, time_s, time_s, cpu_s(terminal.pid), peak_bytes(terminal.pid))
    path.unlink()
    return found


def _has_verdict(seen: bytes) -> bool:
    return _VERDICT.search(seen) is not None


def compare_first(sshd: Sshd, logs: Mapping[Path, int], rounds: int) -> Iterable[Row]:
    """The first useful frame over SSH of two logs, the long one first: the middle of several rounds each."""
    taken = {log: [open_remote(sshd, log, entries) for _ in range(rounds)] for log, entries in logs.items()}
    (whole_s, after_s), (short_s, _) = (sorted(found)[rounds // 2] for found in taken.values())
    entries, short = logs.values()
    what, told = f"first useful frame of {entries:,} over SSH", f"{whole_s / short_s:.2f} × ({whole_s:.2f} s)"
    yield at_most(what, told, whole_s / short_s, RATIO_LIMIT, f"{short:,} entries: {short_s:.2f} s", " ×")
    yield at_most("the same, after the login", f"{after_s:.2f} s", after_s, AFTER_LIMIT_S, "", " s")


def open_remote(sshd: Sshd, log: Path, entries: int) -> tuple[float, float]:
    """Seconds to the first useful frame, from the start and from the login that the server notes."""
    environment = {**os.environ, "HOME": str(sshd.home), "XDG_STATE_HOME": str(sshd.folder)}
    began_s = time.monotonic()
    with running(peers.milepost(f"{sshd.address}{log}"), environment) as terminal:
        first_s = await_first(terminal, entries)
        login_s = sshd.folder.joinpath("sshd.log").stat().st_mtime - time.time() + time.monotonic()
    return first_s - began_s, first_s - login_s


def await_first(terminal: Terminal, entries: int) -> float:
    """When the last step and a curve are on the screen."""
    step = f"{entries:,}"

    def is_useful(seen: bytes) -> bool:
        text = seen.decode(errors="replace")
        return step in text and _CURVE.search(text) is not None

    return terminal.await_sight(is_useful, f"step {step} with a curve", LATE_S)
