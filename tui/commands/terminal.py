"""The terminal that a screen needs: whether there is one, and how keys are read while a log comes in by a pipe."""

from __future__ import annotations

import os
import sys

from tui.errors import UsageError

_TTY = "/dev/tty"


def has_terminal() -> bool:
    """Whether a screen can be drawn and keys be read."""
    return sys.stdout.isatty() and os.isatty(0)


def require_terminal() -> None:
    """Make sure that a screen can be drawn and keys be read.

    Raises:
        UsageError: Standard output or input is no terminal.
    """
    if not sys.stdout.isatty():
        raise UsageError(
            "the screen needs a terminal, and standard output is none; try --headless, or milepost status"
        )
    if not os.isatty(0):
        raise UsageError("the screen reads keys from standard input, which is no terminal; try --headless")


def keep_stdin_for_log() -> int:
    """A new descriptor for what comes on standard input; the terminal takes its old place, for the keys.

    Raises:
        UsageError: This process has no terminal.
    """
    try:
        terminal = os.open(_TTY, os.O_RDWR)
    except OSError as error:
        raise UsageError(
            "a log on standard input leaves no terminal for the keys here; try --headless"
        ) from error
    log = os.dup(0)
    os.dup2(terminal, 0)
    os.close(terminal)
    return log
