"""`milepost replay`: a recorded log as if it were live, to see how a run came to be what it is."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from tui.commands.options import plan_run
from tui.commands.terminal import require_terminal
from tui.decode.batch import Rows
from tui.decode.decoder import Decoder
from tui.errors import UsageError
from tui.feed import Feed
from tui.roles import ELAPSED_NAMES, STAMP_NAMES
from tui.sources.replay import Cue, Replay

ENTRY_S = 1.0
"""How long an entry took in a log that tells no time, in seconds."""


def run_replay(args: argparse.Namespace) -> int:
    """Watch a log being written again.

    Raises:
        UsageError: It is no file of this machine, or can't be read.
    """
    plan = plan_run(args)
    if not plan.target.is_plain or plan.target.is_stdin or plan.target.parts:
        raise UsageError(
            f"{plan.target.text} is no file of this machine; copy the log here, and replay the copy"
        )
    try:
        data = Path(plan.target.path).expanduser().read_bytes()
    except OSError as error:
        raise UsageError(f"{plan.target.path} can't be read: {error.strerror}") from error
    require_terminal()
    from tui.app import MilepostApp
    from tui.commands.settings import LiveSettings

    source = Replay(data, list(find_cues(data, plan.options.log_format)), args.speed)
    app = MilepostApp(
        [Feed(plan.target, source, plan.options)],
        args.theme,
        is_calm=args.no_flash,
        settings=LiveSettings(args),
    )
    app.run()
    return 0


def find_cues(data: bytes, log_format: str | None = None) -> Iterator[Cue]:
    """Where each entry of a log ends, and when it was written, by the log's own word; else a second after another.

    A clock that goes back, as at a restart, stands still until it goes on.
    """
    decoder = Decoder(log_format)
    at, now_s, before = 0, 0.0, None
    for line in data.splitlines(keepends=True):
        at += len(line)
        batch = decoder.feed(line)
        if not batch.entries:
            continue
        told = find_time(batch.rows)
        if told is None:
            now_s += ENTRY_S * batch.entries
        elif before is not None:
            now_s += max(told - before, 0.0)
        before = told
        yield at, now_s


def find_time(rows: tuple[Rows, ...]) -> float | None:
    """The time that the first of some entries tells, in seconds; None where it tells none."""
    for group in rows:
        for name in (*ELAPSED_NAMES, *STAMP_NAMES):
            if name in group.fields:
                return float(group.values[0, group.fields.index(name)])
    return None
