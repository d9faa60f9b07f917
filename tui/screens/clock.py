"""When a screen looks at what it shows: at once after a pause, some times a second in a flood, else not at all."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

CLOCK_S = 0.25
"""Seconds between two looks at what comes closely."""


class Clock:
    """Wakes a screen.

    Args:
        look: Has it look, soon.
    """

    def __init__(self, look: Callable[[], object]) -> None:
        self._look = look
        self._looked_at = 0.0
        self._has_news = False  # that waits for a look
        self._alarm: asyncio.TimerHandle | None = None

    def hurry(self) -> None:
        """Something has come: what comes after a pause is looked at at once, what comes closely a little later."""
        now = time.monotonic()
        if now - self._looked_at >= CLOCK_S:
            self._looked_at = now
            self._look()
        else:
            self._has_news = True
            self.look_in(self._looked_at + CLOCK_S - now)

    def look_in(self, wait_s: float) -> None:
        """Have a look after so many seconds, unless one is due before."""
        loop, alarm = asyncio.get_running_loop(), self._alarm
        if alarm is not None and alarm.when() <= loop.time() + wait_s:
            return
        if alarm is not None:
            alarm.cancel()
        self._alarm = loop.call_later(wait_s, self._ring)

    def note_look(self) -> None:
        """The screen has looked, for whatever reason; what waited for that waits no more."""
        if self._has_news:
            self._looked_at, self._has_news = time.monotonic(), False

    def stop(self) -> None:
        """Wake nobody any more."""
        if self._alarm is not None:
            self._alarm.cancel()

    def _ring(self) -> None:
        self._alarm = None
        self._look()
