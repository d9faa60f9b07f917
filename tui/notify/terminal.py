"""The terminal that we are shown in: its bell, and a desktop notification."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from tui.notify.escapes import BELL, desktop_sequence, pass_through
from tui.notify.notification import Notification

Write = Callable[[str], None]
"""Writes to the terminal, between two frames and at once."""


class Bell(Struct, frozen=True):
    """Rings the terminal's bell; tmux and most window systems flag the window by it."""

    write: Write
    name: str = "bell"

    async def send(self, notification: Notification) -> str:
        """Ring."""
        self.write(BELL)
        return "rung"


class Desktop(Struct, frozen=True):
    """Asks the terminal for a desktop notification; through SSH the sequence passes like any output."""

    write: Write
    dialect: str
    environ: Mapping[str, str]
    name: str = "desktop"

    async def send(self, notification: Notification) -> str:
        """Write the sequence; whether the terminal knows it, it does not say."""
        sequence = desktop_sequence(notification.title, notification.message, self.dialect)
        self.write(pass_through(sequence, self.environ))
        return f"sent to the terminal as {self.dialect.replace('osc', 'OSC ')}"
