"""The ranks of a run: how many, which of them are behind, which is the slowest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tui.decode.text import clean
from tui.feed import Feed
from tui.report.plain import Json, step_to_json, to_json
from widgets.numbers import format_step

if TYPE_CHECKING:
    from tui.store.ranks import RankState

TOLD = 4
"""Of how many ranks that are behind it is told where they are."""

WORTH_TELLING = 0.02
"""The least share by which the slowest rank takes longer that is worth a word in text."""


def ranks_to_json(feed: Feed) -> Json | None:
    """`ranks` in `status --json`; None for a run that is not read rank by rank."""
    if feed.ranks is None:
        return None
    names, slowest = feed.ranks.names, feed.ranks.slowest
    told = (
        None
        if slowest is None
        else {
            "name": names[slowest.file],
            "metric": slowest.metric,
            "value": to_json(slowest.own),
            "others": to_json(slowest.others),
            "slower": to_json(slowest.slower),
            "straggler": slowest.is_straggler,
        }
    )
    return {
        "count": len(names),
        "names": list(names.values()),
        "missing": list(feed.ranks.missing),
        "behind": [_behind_to_json(state) for state in feed.ranks.behind()],
        "slowest": told,
    }


def describe_ranks(feed: Feed) -> str | None:
    """The ranks in one line; None for a run that is not read rank by rank."""
    if feed.ranks is None:
        return None
    names, slowest, missing = feed.ranks.names, feed.ranks.slowest, feed.ranks.missing
    told = [f"{len(names)} rank{'s' * (len(names) != 1)}, the median of which is shown"]
    if slowest is not None and slowest.slower >= WORTH_TELLING:
        told.append(f"slowest rank {clean(names[slowest.file])} (+{100 * slowest.slower:.0f} % a step)")
    if missing:
        told.append(f"no log of rank {', '.join(missing[:TOLD])}{' …' if len(missing) > TOLD else ''}")
    return " · ".join([*told, *_describe_behind(feed.ranks.behind())])


def _describe_behind(behind: Sequence[RankState]) -> list[str]:
    told = [_describe(state) for state in behind[:TOLD]]
    return [*told, f"{len(behind) - TOLD} more ranks behind"] if len(behind) > TOLD else told


def _describe(state: RankState) -> str:
    name = f"rank {clean(state.name)}"
    late = f"{state.missed:,} of its entries came too late" if state.missed else ""
    if not state.is_left_out:
        return f"{name}: {late}"
    if state.last_step is None:
        return f"{name} has logged nothing"
    return f"{name} is left out since step {format_step(state.last_step)}{'; ' * bool(late)}{late}"


def _behind_to_json(state: RankState) -> Json:
    return {
        "name": state.name,
        "last_step": step_to_json(state.last_step),
        "left_out": state.is_left_out,
        "missed": state.missed,
    }
