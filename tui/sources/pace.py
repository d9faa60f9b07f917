"""How often a source asks, and how long it waits: every interval of following, in one place."""

from __future__ import annotations

import random

from msgspec import Struct

from tui.sources.base import BEAT_S, FIRST_RETRY_S, LAST_RETRY_S

_SALT = random.random()  # noqa: S311

_BUSY_BYTES = 1024 * 1024
"""Growth between two looks from which on they are as far apart as can be."""


class Pace(Struct, frozen=True):
    """The intervals of following, in seconds. Tests scale them down; nobody else has a reason to."""

    beat_s: float = BEAT_S
    """The longest wait between two requests, which keep the far end alive and show that it is."""

    poll_s: float = 0.1
    """The least time between two looks at a log that grows, on average: each is a process or two over there."""

    busy_s: float = 4.0
    """The longest wait between two looks while the log grows fast."""

    stale_s: float = 15.0
    """Silence after a request from which on the link is called stale: three beats."""

    lost_s: float = 35.0
    """Silence after a request from which on the connection is given up and made anew: within 45 s of a silent cut."""

    patience_s: float = 40.0
    """The far end ends itself after one to two of these without a request: within 80 s of a silent cut."""

    connect_s: float = 15.0
    """The most that a connection, a login and the first word of the far end may take, each."""

    close_s: float = 2.0
    """The most that an orderly end may take before it is forced."""

    grace_s: float = 2.0
    """How long a renamed log has to be quiet before its successor is read."""

    quiet_s: float = 60.0
    """How long a folder's log has to be quiet before a newer one that has appeared is taken for the log."""

    steady_s: float = 2.0
    """A connection that held this long was a good one: the next retry is quick again."""

    first_retry_s: float = FIRST_RETRY_S
    last_retry_s: float = LAST_RETRY_S

    def rest_s(self, quiet_s: float, *, can_wake: bool) -> float:
        """The longest wait before the next look at a log that has been quiet for `quiet_s`.

        Where its growth can be waited for, that is a beat; else a quarter of its silence, so that a slow log costs
        little and a fast one is seen soon.
        """
        if can_wake:
            return self.beat_s
        return min(max(quiet_s / 4, self.poll_s), self.beat_s)

    def pause_s(self, grown_bytes: int, apart_s: float) -> float:
        """The least wait before the next look at a log that has grown by so much since the last.

        The more, the longer. A look that was due long since, as after a pause, is made up for: the next can come at
        once. `apart_s` is the time between the last two that found it grown.
        """
        return max(min(grown_bytes / _BUSY_BYTES, 1.0) * self.busy_s, self.poll_s - apart_s)


class Backoff:
    """The waits between attempts: each failed one doubles the next, up to a limit, with a quarter of jitter.

    Those of one place that break at a time come back at a time, so that one attempt does for all of them; the jitter
    is between places, and between programs.
    """

    def __init__(self, pace: Pace, place: str = "") -> None:
        self._pace = pace
        self._seed = f"{_SALT}{place}"
        self.reset()

    def reset(self) -> None:
        """Start again at the shortest wait."""
        self._failures = 0
        self._chance = random.Random(self._seed)  # noqa: S311 - it spreads clients, it hides nothing

    def next_s(self) -> float:
        """The seconds to wait now; never more than `last_retry_s`."""
        doubled_s = self._pace.first_retry_s * 2.0 ** min(self._failures, 30)
        self._failures += 1
        return min(doubled_s * self._chance.uniform(0.75, 1.25), self._pace.last_retry_s)
