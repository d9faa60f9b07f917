"""Notices what is new in runs since they were last looked at: alerts, an end, a link that stays lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from weakref import WeakKeyDictionary

from msgspec import Struct, field
from msgspec.structs import replace

from tui.config import NotifyConfig
from tui.events import LinkState
from tui.feed import Feed
from tui.health.liveness import LivenessState
from tui.notify.notification import Notification, tell_alert, tell_end, tell_link

TOLD_AT_ONCE = 3
"""The most notifications of one run from one look; the rest is counted in the last of them."""

_OPEN = (LinkState.LIVE, LinkState.ENDED)


class _Seen(Struct):
    """What is known of one run: the rank at which each alert was told, and when something of its sort was last."""

    is_open: bool = False
    was_over: bool = False
    told: dict[int, int] = field(default_factory=dict)
    last: dict[tuple[str, str], tuple[float, int]] = field(default_factory=dict)
    down_since: float | None = None


class Lookout:
    """Looks at runs again and again, and says what is worth a word to somebody who does not.

    What a log held already when it was opened is no news. One alert is told once, and once more for each severity
    that it rises to; remarks are not told. Of one metric of a run one kind is told at most once in `repeat_s`, unless
    it has become worse: an alert that flaps is told anew only where it still holds after that time.

    Args:
        settings: What the configuration says of notifications.
    """

    def __init__(self, settings: NotifyConfig) -> None:
        self._settings = settings
        self._seen: WeakKeyDictionary[Feed, _Seen] = WeakKeyDictionary()
        self._hosts: dict[str, float] = {}  # when a lost link was last told, by host

    def look(self, feeds: Sequence[Feed], now_s: float) -> list[Notification]:
        """What is new at this moment, on a monotonic clock in seconds."""
        found: list[Notification] = []
        for feed in feeds:
            seen = self._seen.setdefault(feed, _Seen())
            if seen.is_open:
                found += _bounded([*self._find_alerts(feed, seen, now_s), *self._find_end(feed, seen, now_s)])
            elif feed.past_alerts is not None or feed.target.is_stdin:
                _open(feed, seen)
                found += _bounded([*self._find_alerts(feed, seen, now_s)])
            _note_link(feed, seen, now_s)
        return found + [told for feed in feeds for told in self._find_lost(feed, feeds, now_s)]

    def _find_alerts(self, feed: Feed, seen: _Seen, now_s: float) -> Iterator[Notification]:
        for alert in sorted(feed.alerts, key=lambda alert: -alert.severity.rank):
            rank = alert.severity.rank
            if rank <= seen.told.get(alert.number, 0):
                continue
            is_due = self._is_due(seen, (alert.kind, alert.metric), rank, now_s)
            if is_due or not alert.is_firing:  # one that was held back, and is over, is told no more
                seen.told[alert.number] = rank
            if is_due:
                yield tell_alert(feed, alert)

    def _find_end(self, feed: Feed, seen: _Seen, now_s: float) -> Iterator[Notification]:
        is_over = _is_over(feed)
        if is_over and not seen.was_over and self._is_due(seen, ("end", ""), 1, now_s):
            yield tell_end(feed)
        seen.was_over = is_over

    def _find_lost(self, feed: Feed, feeds: Sequence[Feed], now_s: float) -> Iterator[Notification]:
        """A link that has been down for long enough; those to one host are told as one."""
        down_since = self._seen[feed].down_since
        if down_since is None or now_s - down_since < self._settings.link_s:
            return
        host = str(feed.target.host or feed.target.text)
        last_s = self._hosts.get(host, -inf)
        if last_s < down_since and now_s - last_s >= self._settings.repeat_s:
            self._hosts[host] = now_s
            down = [each for each in feeds if self._seen[each].down_since is not None]
            others = sum(each is not feed and str(each.target.host) == host for each in down)
            yield tell_link(feed, now_s - down_since, others)

    def _is_due(self, seen: _Seen, sort: tuple[str, str], rank: int, now_s: float) -> bool:
        """Whether nothing of this sort was told lately, or only something less bad; then it is now."""
        last_s, last_rank = seen.last.get(sort, (-inf, 0))
        if now_s - last_s < self._settings.repeat_s and rank <= last_rank:
            return False
        seen.last[sort] = (now_s, rank)
        return True


def _open(feed: Feed, seen: _Seen) -> None:
    """All that a run's log says by now is its past."""
    seen.is_open, seen.was_over = True, _is_over(feed)
    if not feed.target.is_stdin and feed.past_alerts is not None:
        seen.told = {number: severity.rank for number, severity in feed.past_alerts.items()}


def _note_link(feed: Feed, seen: _Seen, now_s: float) -> None:
    if feed.link.state in _OPEN:
        seen.down_since = None
    elif seen.down_since is None:
        seen.down_since = now_s


def _is_over(feed: Feed) -> bool:
    return feed.link.state is LinkState.ENDED or feed.liveness().state is LivenessState.FINISHED


def _bounded(found: list[Notification]) -> list[Notification]:
    """No more than a few, the worst first; the last says how many there are besides."""
    left = len(found) - TOLD_AT_ONCE
    if left <= 0:
        return found
    *first, last = found[:TOLD_AT_ONCE]
    return [*first, replace(last, message=f"{last.message}; and {left} more")]
