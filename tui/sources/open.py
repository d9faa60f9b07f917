"""From an address to the source of its bytes."""

from __future__ import annotations

from tui.sources.base import Source
from tui.sources.channel import LocalWay, Way
from tui.sources.far import FarPlace
from tui.sources.follow import Follower
from tui.sources.local import LocalPlace
from tui.sources.log import Place
from tui.sources.pace import Pace
from tui.sources.position import Position
from tui.sources.ssh import Connections, SshWay
from tui.sources.stdin import StandardInput
from tui.target import Target


def open_source(
    target: Target,
    connections: Connections | None = None,
    *,
    pace: Pace | None = None,
    start: Position | None = None,
    stdin: int = 0,
) -> Source:
    """The source of a target's bytes. Nothing is opened or connected before its events are iterated.

    Args:
        target: Where the log is.
        connections: The SSH connections to share; sources without one in common log in each for themselves.
        pace: The intervals of following.
        start: Where to go on, from an earlier follower's `position`; None is the first byte.
        stdin: The descriptor that `-` stands for.
    """
    if target.is_stdin:
        return StandardInput(stdin)
    pace = pace or Pace()
    return Follower(_place(target, connections, pace), pace, start)


def _place(target: Target, connections: Connections | None, pace: Pace) -> Place:
    if target.is_plain:
        return LocalPlace(target.path)
    way: Way = (
        LocalWay(pace) if target.host is None else SshWay(connections or Connections(), target.host, pace)
    )
    return FarPlace(target, way, pace)
