"""The runs that are watched: each joins in its time, keeps its place, and is named apart from its neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import aclosing

from tui.events import LinkChanged, LinkState
from tui.feed import Feed
from tui.names import name_runs
from tui.sources.expand import MOST
from tui.sources.search import Search
from tui.target import Target


class Pattern:
    """A pattern that is looked for as long as it is followed, and the runs that it has brought.

    A run stays when its log is gone: what is known of it is worth more than a tidy list.

    Args:
        search: Looks for the logs.
        open_run: Makes the feed of one of them; nothing is connected by that.
        is_named: Whether its runs, while there is but one, are called as `open_run` calls them.

    Attributes:
        target: The pattern.
        link: How the way to where it is looked for stands.
        runs: What it has brought so far, in order of appearance.
    """

    def __init__(self, search: Search, open_run: Callable[[Target], Feed], *, is_named: bool = False) -> None:
        self.target = search.target
        self.link = LinkChanged(LinkState.CONNECTING)
        self.runs: list[Feed] = []
        self.is_named = is_named
        self._search = search
        self._open_run = open_run
        self._known: set[str] = set()

    @property
    def left_out(self) -> int:
        """How many logs match that are not watched, because nobody could look at so many."""
        return max(self._search.matches.count - len(self.runs), 0)

    async def follow(self, joined: Callable[[list[Feed]], None]) -> None:
        """Look until cancelled; `joined` is told of each run that is new, when it is in `runs`."""
        async with aclosing(self._search.events(follow=True)) as events:
            async for event in events:
                if isinstance(event, LinkChanged):
                    self.link = event
                if new := self._take():
                    joined(new)

    def retry_now(self) -> None:
        """Look again at once."""
        self._search.retry_now()

    def _take(self) -> list[Feed]:
        room = MOST - len(self.runs)
        found = [target for target in self._search.matches.targets if target.text not in self._known][:room]
        self._known.update(target.text for target in found)
        new = [self._open_run(target) for target in found]
        self.runs += new
        return new


Member = Feed | Pattern
"""What is followed: a run, or a pattern that brings runs."""


class Roster:
    """All runs of a program, in the order in which they were asked for; those of a pattern stand at its place.

    Args:
        feeds: The first of them.

    Attributes:
        revision: Grows with every change of what is there or how it is called.
    """

    def __init__(self, feeds: Iterable[Feed] = ()) -> None:
        self.revision = 0
        self._members: list[Member] = []
        self._named: set[Feed] = set()
        self._listeners: list[Callable[[Member], None]] = []
        for feed in feeds:
            self.add(feed, is_named=True)

    @property
    def runs(self) -> tuple[Feed, ...]:
        """Every run."""
        return tuple(run for member in self._members for run in _runs_of(member))

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """Every pattern."""
        return tuple(member for member in self._members if isinstance(member, Pattern))

    @property
    def members(self) -> tuple[Member, ...]:
        """All that is followed."""
        return *self.patterns, *self.runs

    @property
    def places(self) -> tuple[Member, ...]:
        """What there is to look at: every run, and every pattern that has brought none yet."""
        return tuple(place for member in self._members for place in (_runs_of(member) or (member,)))

    def tell(self, joined: Callable[[Member], None]) -> None:
        """Call `joined` for everything that is there, and for all that comes, so that it is followed."""
        self._listeners.append(joined)
        for member in self.members:
            joined(member)

    def add(self, feed: Feed, *, is_named: bool = False) -> None:
        """A run joins; one that `is_named` keeps its name, whatever its neighbours are called."""
        if is_named:
            self._named.add(feed)
        self._join(feed)

    def seek(self, pattern: Pattern) -> None:
        """A pattern joins; it brings runs as soon as it is followed."""
        self._join(pattern)

    async def follow(self, pattern: Pattern) -> None:
        """Follow a pattern of this roster until cancelled."""
        await pattern.follow(self._take_in)

    def drop(self, member: Member) -> None:
        """A member that was a mistake leaves; whoever follows it has to end that."""
        self._members = [each for each in self._members if each is not member]
        self._changed()

    def find(self, text: str) -> Member | None:
        """The member with this very address."""
        return next((place for place in self.members if place.target.text == text), None)

    def _join(self, member: Member) -> None:
        self._members.append(member)
        self._changed()
        self._announce(member)

    def _take_in(self, feeds: list[Feed]) -> None:
        self._changed()
        for feed in feeds:
            self._announce(feed)

    def _announce(self, member: Member) -> None:
        for joined in self._listeners:
            joined(member)

    def _changed(self) -> None:
        runs = self.runs
        for feed, name in zip(runs, name_runs([feed.target for feed in runs]), strict=True):
            if feed.name != name and not self._keeps_name(feed):
                feed.rename(name)
        self.revision += 1

    def _keeps_name(self, feed: Feed) -> bool:
        return feed in self._named or any(
            pattern.is_named and pattern.runs == [feed] for pattern in self.patterns
        )


def _runs_of(member: Member) -> list[Feed]:
    return member.runs if isinstance(member, Pattern) else [member]
