"""From an address to the source of its bytes; what no address asks for is not loaded."""

from __future__ import annotations

from tui.sources.base import Source
from tui.sources.channel import LocalWay, Way
from tui.sources.follow import Follower
from tui.sources.local import LocalPlace
from tui.sources.log import Place
from tui.sources.pace import Pace
from tui.sources.position import Position
from tui.sources.ssh import Connections, SshWay
from tui.target import Target


def open_source(
    target: Target,
    connections: Connections | None = None,
    *,
    pace: Pace | None = None,
    start: Position | None = None,
    is_reread: bool = False,
    has_glimpses: bool = False,
    last_bytes: int | None = None,
    stdin: int = 0,
) -> Source:
    """The source of a target's bytes. Nothing is opened or connected before its events are iterated.

    Args:
        target: Where the log is.
        connections: The SSH connections to share; sources without one in common log in each for themselves.
        pace: The intervals of following.
        start: Where to go on, from an earlier follower's `position`; None is the first byte.
        is_reread: Whether the file of `start`, found again, is read from its first byte once more.
        has_glimpses: Whether the end of a long log is to come first, as `Glimpsed`, when it is followed.
        last_bytes: How much of the log's end is to be read, give or take a line; None is all of it.
        stdin: The descriptor that `-` stands for.
    """
    if target.is_stdin:
        from tui.sources.stdin import StandardInput

        return StandardInput(stdin)
    pace = pace or Pace()
    if target.is_pane:
        from tui.sources.tmux import PaneFollower

        return PaneFollower(target, find_way(target, connections, pace), pace)
    place = _place(target, connections or Connections(), pace)
    return Follower(place, pace, start, is_reread=is_reread, has_glimpses=has_glimpses, last_bytes=last_bytes)


def _place(target: Target, connections: Connections, pace: Pace) -> Place:
    if target.is_plain:
        return LocalPlace(target.path, pace)
    from tui.sources.far import FarPlace

    return FarPlace(target, find_way(target, connections, pace), pace, connections.lanes)


def find_way(target: Target, connections: Connections | None, pace: Pace, *, is_probe: bool = False) -> Way:
    """The way to the machine on which a target's prefixes and hops begin; for a probe, with the session kept free."""
    if target.host is None:
        return LocalWay(pace)
    return SshWay(connections or Connections(), target.host, pace, is_probe=is_probe)
