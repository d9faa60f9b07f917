"""What every source of bytes looks like to the feed."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Protocol

from tui.events import SourceEvent

CHUNK_BYTES = 256 * 1024
"""The most bytes in one `Received`; about 700 entries, some 5 ms of decoding, so the screen never waits."""

LONG_BYTES = 4 * 1024 * 1024
"""With more than this still to be read, some seconds on a slow link, the end of the log is glimpsed first."""

GLIMPSE_BYTES = 256 * 1024
"""How much of the end that is: several hundred entries, within a second on any link that is of use."""

BEAT_S = 5.0
"""Seconds between two heartbeats, which are also the polls of a file's size and age."""

FIRST_RETRY_S = 0.5
"""Seconds to the first attempt after a break; each failed attempt doubles it."""

LAST_RETRY_S = 60.0
"""The longest wait between two attempts, in seconds."""


class Source(Protocol):
    """The bytes of one log, from its first byte on, whatever lies between."""

    def events(self, *, follow: bool) -> AsyncGenerator[SourceEvent, None]:
        """Yield what happens to the log, for as long as somebody listens.

        With `follow` it never ends by itself: it waits for more, and comes back after a break at the exact byte.
        Without, it ends after `CaughtUp`, or after the `LinkChanged` that says why nothing more can be read.
        What goes wrong on the way is an event, never an exception. Closing the iterator (`aclose`), or
        cancelling the task, leaves nothing running at the far end.
        """
        ...

    def retry_now(self) -> None:
        """Cut short the wait for the next attempt, if there is one."""
        ...
