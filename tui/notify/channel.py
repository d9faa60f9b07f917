"""What a way to tell somebody has to do."""

from __future__ import annotations

from typing import Protocol

from tui.notify.notification import Notification


class NotSent(Exception):  # noqa: N818 - it is an answer, not an error
    """A channel could not pass it on; the message says why."""


class NobodyThere(NotSent):
    """A channel works, but leads to nobody now: nothing that a person could mend, and nobody who would read of it."""


class Channel(Protocol):
    """A way to tell somebody."""

    @property
    def name(self) -> str:
        """What it is called in the configuration and in messages."""

    async def send(self, notification: Notification) -> str:
        """Pass it on; what was done, in a few words.

        Raises:
            NotSent: It could not be passed on; `NobodyThere` where nobody is at its other end now.
        """
