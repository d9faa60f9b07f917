"""Where the time of a session goes: the main thread's calls, looked at every few milliseconds."""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from tui.errors import UsageError

EVERY_S = 0.005
"""Seconds between two looks; each costs some 20 µs."""

LEAST_SHARE = 0.005
"""Calls that took less of the time than this are left out."""

Calls = tuple[str, ...]


@contextmanager
def sampling(file: str) -> Iterator[None]:
    """Watch over the thread that enters, and write the report into a file when it leaves.

    Raises:
        UsageError: There can be no such file.
    """
    path = Path(file)
    try:
        path.write_text("")
    except OSError as error:
        raise UsageError(
            f"--profile {file} can't be written: {error.strerror}; name a file in a folder that is there"
        ) from error
    stacks: Counter[Calls] = Counter()
    is_over = threading.Event()
    watching = threading.Thread(target=_watch, args=(threading.get_ident(), stacks, is_over), daemon=True)
    began_s, began_cpu_s = time.monotonic(), time.process_time()
    watching.start()
    try:
        yield
    finally:
        is_over.set()
        watching.join()
        head = f"{time.monotonic() - began_s:.1f} s on the clock, {time.process_time() - began_cpu_s:.1f} s of CPU"
        path.write_text("\n".join((f"{head}, {stacks.total():,} looks", "", *draw(stacks))) + "\n")


def draw(stacks: Counter[Calls]) -> list[str]:
    """A line for each call: its share of all looks in per cent, under the call that made it, the largest first."""
    shares: dict[Calls, int] = {}
    for calls, count in stacks.items():
        for depth in range(1, len(calls) + 1):
            shares[calls[:depth]] = shares.get(calls[:depth], 0) + count
    least = LEAST_SHARE * stacks.total()
    shown = [calls for calls, count in shares.items() if count >= least]
    shown.sort(
        key=lambda calls: [(-shares[calls[:depth]], calls[:depth]) for depth in range(1, len(calls) + 1)]
    )
    return [
        f"{100 * shares[calls] / stacks.total():5.1f} %  {'  ' * (len(calls) - 1)}{calls[-1]}"
        for calls in shown
    ]


def _watch(thread: int, stacks: Counter[Calls], is_over: threading.Event) -> None:
    while not is_over.wait(EVERY_S):
        frame = sys._current_frames().get(thread)
        stacks[tuple(reversed(list(_calls(frame))))] += 1


def _calls(frame: FrameType | None) -> Iterator[str]:
    """The calls that are under way, the innermost first."""
    while frame is not None:
        code = frame.f_code
        yield f"{code.co_qualname}  {'/'.join(Path(code.co_filename).parts[-2:])}:{code.co_firstlineno}"
        frame = frame.f_back
