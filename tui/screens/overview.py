"""From all runs to the rows of the fleet screen, at a cost that does not grow with what nobody sees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tui.events import LinkState
from tui.feed import Feed
from tui.health.liveness import LivenessState
from tui.report.verdict import describe_last, last_verdict
from tui.roles import Role, is_evaluation
from tui.roster import Member, Pattern
from tui.screens.order import matches
from tui.store.trace import overview
from widgets import levels
from widgets.drawing.fleet import COLUMNS, Fleet, FleetRow

_LINK_WORDS = {
    LinkState.CONNECTING: "connecting",
    LinkState.STALE: "no answer",
    LinkState.RETRYING: "retrying",
    LinkState.REFUSED: "refused",
    LinkState.MISSING: "not found",
    LinkState.ENDED: "ended",
}

_LIVENESS_WORDS = {LivenessState.SILENT: "silent", LivenessState.FINISHED: "finished"}

COURSE_POINTS = 400
"""The most values of a loss that a sparkline is drawn from: ten for each dot of the widest one."""

TURNS = 10
"""Runs out of sight are looked at in so many turns; an alert or a broken link of one is seen at once all the same."""


class _Known(Struct, frozen=True, eq=False):
    """A row, and how its run stood when it was made."""

    signs: tuple[object, ...]
    details: tuple[object, ...]
    row: FleetRow


class Overview:
    """Keeps the rows of all runs, each made anew only where it may have changed, and the order in which they stand.

    A run in sight is looked at whenever something has come of it or its age has changed; one out of sight too, but
    only in its turn.
    """

    def __init__(self) -> None:
        self._rows: dict[int, _Known] = {}
        self._order: list[int] = []
        self._look = 0

    def look(
        self,
        members: Sequence[Member],
        in_sight: frozenset[int] = frozenset(),
        marked: Sequence[Member] = (),
        *,
        keeps_order: bool = False,
    ) -> list[FleetRow]:
        """All rows in their order; `keeps_order` while somebody is at one of them, so that none moves away."""
        self._look += 1
        known, self._rows = self._rows, {}
        marks = {id(member) for member in marked}
        for at, (member, name) in enumerate(zip(members, _short_names(members), strict=True)):
            key = id(member)
            signs = (name, key in marks, *_signs(member))
            is_due = key in in_sight or (self._look + at) % TURNS == 0
            before = known.get(key)
            if before and before.signs == signs and not (is_due and before.details != _details(member)):
                self._rows[key] = before
            else:
                details = _details(member)
                row = replace(view_member(member, name), is_marked=key in marks)
                self._rows[key] = _Known(signs, details, row)
        return self._in_order(keeps_order=keeps_order)

    def _in_order(self, *, keeps_order: bool) -> list[FleetRow]:
        rows = {key: known.row for key, known in self._rows.items()}
        if not keeps_order or set(self._order) != set(rows):
            self._order = [row.key for row in sort_rows(rows.values())]
        return [rows[key] for key in self._order]


def view_fleet(
    members: Sequence[Member],
    chosen: Member | None = None,
    pattern: str = "",
    columns: tuple[str, ...] = COLUMNS,
) -> Fleet:
    """All runs that fit the filter: the hosts by their worst run, in each the worst first, else as they were given."""
    return show_rows(Overview().look(members), id(chosen), pattern, columns)


def show_rows(
    rows: Sequence[FleetRow], chosen: int | None, pattern: str = "", columns: tuple[str, ...] = COLUMNS
) -> Fleet:
    """Those of the rows that fit the filter, in their order."""
    shown = [row for row in rows if not pattern or any(matches(text, pattern) for text in _searched(row))]
    left_out = len(rows) - len(shown)
    note = f"{left_out} not shown by {pattern!r}" if left_out else ""
    return Fleet(tuple(shown), chosen if chosen in {row.key for row in rows} else None, columns, note)


def sort_rows(rows: Iterable[FleetRow]) -> list[FleetRow]:
    """By trouble, without tearing a host's runs apart."""
    found = list(rows)
    worst: dict[str, int] = {}
    first: dict[str, int] = {}
    for at, row in enumerate(found):
        worst[row.host] = max(worst.get(row.host, 0), _trouble(row))
        first.setdefault(row.host, at)
    place = {id(row): at for at, row in enumerate(found)}
    return sorted(found, key=lambda row: (-worst[row.host], first[row.host], -_trouble(row), place[id(row)]))


def view_member(member: Member, name: str | None = None) -> FleetRow:
    """One run, or a pattern that has brought none yet; `name` is what it is called here."""
    if isinstance(member, Pattern):
        return _view_pattern(member)
    run, progress = member.shown, member.progress()
    loss = find_loss(member)
    points = run.stream_of(loss).standing(loss) if loss else None
    count = len(points) if points else 0
    course = overview(points) if points and count else np.zeros(0)
    alert, detail = _alert(member)
    return FleetRow(
        key=id(member),
        name=name or member.name,
        host=member.target.place,
        level=str(member.verdict),
        last_level=last_verdict(member) or "",
        state=state_word(member),
        step=progress.step,
        fraction=progress.fraction,
        loss=float(points.values(count - 1, count)[0]) if points and count else None,
        course=course[:: -(-len(course) // COURSE_POINTS) or 1],
        steps_per_s=progress.steps_per_s,
        eta_s=progress.eta_s,
        age_s=_age(member),
        alert=alert,
        detail=detail,
        address=member.target.text,
    )


def _view_pattern(pattern: Pattern) -> FleetRow:
    target, link = pattern.target, pattern.link
    detail = link.detail or "" if link.state is not LinkState.LIVE else ""
    return FleetRow(
        key=id(pattern),
        name=target.path,
        host=target.place,
        level="unknown",
        state=_LINK_WORDS.get(link.state, "looking"),
        alert=detail,
        detail=detail,
        address=target.text,
    )


def _signs(member: Member) -> tuple[object, ...]:
    """What is to be seen at once, also of a run that is out of sight."""
    if isinstance(member, Pattern):
        return (member.link,)
    return member.link, member.verdict, member.is_caught_up, len(member.alerts)


def _details(member: Member) -> tuple[object, ...]:
    """What changes all the time."""
    return () if isinstance(member, Pattern) else (member.revision, _age(member))


def _short_names(members: Sequence[Member]) -> list[str]:
    """The names without the file, where all runs are logged in files of one name."""
    names = [member.name if isinstance(member, Feed) else member.target.path for member in members]
    parts = [member.name.rpartition("/") for member in members if isinstance(member, Feed)]
    if len(parts) < 2 or len({file for _, _, file in parts}) > 1 or not all(folder for folder, _, _ in parts):
        return names
    return [
        name.rpartition("/")[0] if isinstance(member, Feed) else name
        for member, name in zip(members, names, strict=True)
    ]


def find_loss(feed: Feed) -> str | None:
    """The metric that speaks for the run: its first loss, training's before an evaluation's, else its first quality."""
    fields = sorted(feed.shown.fields, key=is_evaluation)
    for role in (Role.LOSS, Role.QUALITY):
        found = next((name for name in fields if feed.shown.role(name) is role), None)
        if found:
            return found
    return None


def state_word(feed: Feed) -> str:
    """What is known of a run now, in a word or two; silence is told before a good link."""
    word = _LINK_WORDS.get(feed.link.state)
    if word:
        return word
    if not feed.is_caught_up:
        return "reading"
    liveness = feed.liveness_state()
    if liveness is LivenessState.UNKNOWN and feed.last_byte_age_s() is not None:
        return "silent"  # for long, and nothing tells whether that is usual
    return _LIVENESS_WORDS.get(liveness, "live")


def _age(feed: Feed) -> float | None:
    """Whole seconds below ten, then multiples of five, so that a row is not painted anew each second."""
    age = feed.last_entry_age_s()
    if age is None:
        return None
    return float(int(age)) if age < 10 else 5.0 * (age // 5)


def _alert(feed: Feed) -> tuple[str, str]:
    """The worst that fires and how many more, in few words and in a sentence; where the way is barred, why."""
    last = describe_last(feed)
    if feed.link.state in (LinkState.REFUSED, LinkState.MISSING, LinkState.RETRYING, LinkState.STALE):
        detail = feed.link.detail or ""
        return detail, f"{last}; {detail}" if last else detail
    firing = [alert for alert in feed.alerts if alert.is_firing and alert.severity.rank]
    if not firing:
        return "", last
    worst = max(firing, key=lambda alert: (alert.severity.rank, alert.raised_step))
    more = f" +{len(firing) - 1}" if len(firing) > 1 else ""
    kind = worst.kind.replace("_", " ")
    return (
        kind + more,
        f"{worst.severity} {kind}: {worst.message}{f' ({len(firing) - 1} more)' if more else ''}",
    )


def _trouble(row: FleetRow) -> int:
    """How much a row wants to be looked at: its health, or what it was, and then whether anything comes."""
    is_lost = row.state in ("refused", "not found", "retrying", "no answer", "silent")
    return 2 * levels.RANKS.get(row.last_level or row.level, 0) + is_lost


def _searched(row: FleetRow) -> tuple[str, ...]:
    return row.name, row.host, row.state, row.level, row.alert, row.address
