"""How a watch goes on after its own restart: the log is read from its first byte, and what was told stays silent.

Reading it all again is what keeps the alerts those of the whole log.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing

from tui.commands.options import Plan
from tui.commands.state import State, Told
from tui.events import FileReplaced, LinkChanged, SourceEvent
from tui.feed import Feed
from tui.health.alerts import AlertChange
from tui.health.present import FIRST_NUMBER
from tui.listener import Listener
from tui.sources.follow import Follower
from tui.sources.open import open_source
from tui.sources.ssh import Connections


def resume(plan: Plan, connections: Connections, listener: Listener, state: State) -> Feed:
    """A feed of a run that tells the listener what the state does not say was told, and keeps the state."""
    told = state.told(plan.target.text)
    follower = open_source(plan.target, connections, start=told.position, is_reread=True)
    assert isinstance(follower, Follower)
    resuming = Resuming(listener, told)
    source = Marked(follower, resuming, state, told)
    return Feed(plan.target, source, plan.options, resuming, beside=plan.make_beside(connections))


class Resuming:
    """Passes on to a listener what was not told before; implements `Listener`.

    The events of a log are the same in every reading, so that it is enough to count them.
    """

    def __init__(self, listener: Listener, told: Told) -> None:
        self._listener = listener
        self._told = told
        self._entries_left = told.entries
        self._alerts_left = told.alerts
        self._is_left = told.is_left

    @property
    def is_silent(self) -> bool:
        """Whether all that comes now was told before."""
        return self._is_left or self._entries_left > 0

    def entry_decoded(self, step: float, values: Mapping[str, float]) -> None:
        """One entry was read."""
        if self.is_silent:
            self._entries_left -= 1
            return
        self._alerts_left = 0
        self._listener.entry_decoded(step, values)
        self._told.count("entry")

    def alert_changed(self, change: AlertChange) -> None:
        """An alert was raised, changed or cleared; what is about now alone is always news."""
        is_replayed = change.alert.number < FIRST_NUMBER
        if is_replayed and self.is_silent:
            return
        if is_replayed and self._alerts_left:
            self._alerts_left -= 1
            return
        self._listener.alert_changed(change)
        self._told.count("alert", change.alert.number)

    def link_changed(self, link: LinkChanged) -> None:
        """The way to the log is in another state; that is always news."""
        self._listener.link_changed(link)

    def file_replaced(self, replaced: FileReplaced) -> None:
        """What follows is of another file, of which nothing was told."""
        if not self._is_left:
            self._listener.file_replaced(replaced)
            self._told.count("replaced")
        self._entries_left, self._alerts_left, self._is_left = 0, 0, False


class Marked:
    """The events of a follower, each noted in the state once it was taken in; implements `Source`."""

    def __init__(self, follower: Follower, listener: Resuming, state: State, told: Told) -> None:
        self._follower = follower
        self._listener = listener
        self._state = state
        self._told = told

    def retry_now(self) -> None:
        """Cut short the wait for the next attempt."""
        self._follower.retry_now()

    async def events(self, *, follow: bool) -> AsyncGenerator[SourceEvent, None]:
        """What the follower says."""
        async with aclosing(self._follower.events(follow=follow)) as events:
            async for event in events:
                position = self._follower.position
                if not isinstance(event, FileReplaced) and not self._listener.is_silent:
                    self._told.position = position
                try:
                    yield event
                finally:  # also where the watch ends just now: by here, the event has been told
                    if isinstance(event, FileReplaced):
                        self._told.begin_file(position)
                    self._state.save()
