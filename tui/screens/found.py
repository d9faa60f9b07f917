"""What was found on a machine, to choose from: each log under its place, the newest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tui.find.around import FoundPlace, sort_places
from tui.find.logs import FoundLog
from tui.screens.offers import Offer, Offers
from widgets.numbers import format_age, format_step


def offer_found(place: str, found: Sequence[FoundPlace], *, is_over: bool) -> Offers:
    """The logs so far; under them how it stands, and what could not be looked into.

    Args:
        place: Where the search began.
        found: What came of it.
        is_over: Whether no more will come.
    """
    groups = ((each.name, tuple(map(_offer, each.logs))) for each in sort_places(found) if each.logs)
    return Offers(tuple(groups), " · ".join(_say(place, found, is_over=is_over)))


def _offer(log: FoundLog) -> Offer:
    told = (f"{format_age(log.age_s)} ago", format_step(log.last_step), log.format)
    return Offer(log.address, " · ".join(told))


def _say(place: str, found: Sequence[FoundPlace], *, is_over: bool) -> Iterator[str]:
    if not is_over:
        yield f"looking around {place} …"
    elif not any(each.logs for each in found):
        yield f"no log of late was found on {place}"
    for each in found:
        if each.error:
            yield each.error
        yield from each.notes
