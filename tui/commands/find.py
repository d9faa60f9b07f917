"""`milepost find`: the containers and logs on machines, each as an address that is ready to open."""

from __future__ import annotations

import argparse
import asyncio
import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import aclosing

from tui.decode.text import clean
from tui.find.around import DEPTH, MOST_CONTAINERS, Bounds, FoundPlace, look_around, sort_places
from tui.find.logs import FoundLog
from tui.find.places import Place, parse_place
from tui.report.plain import Json, step_to_json
from tui.report.schema import SCHEMA
from tui.sources.hops import through
from tui.sources.listings import LISTERS, Container
from tui.sources.scripts import read_source
from tui.sources.ssh import Connections
from tui.sources.survey import survey_words
from tui.sources.trouble import plain
from tui.target import Hop, Target
from widgets.numbers import format_age, format_step

FOUND, NOTHING, UNREACHABLE = 0, 1, 3
"""The exit codes: something was found; nothing is there; none of the machines could be asked."""

_INDENT = "  "


def run_find(args: argparse.Namespace) -> int:
    """Print what there is on the machines, or the commands that would find it.

    Raises:
        TargetError: One of them is no place.
    """
    places = [parse_place(text) for text in dict.fromkeys(args.places or [""])]
    bounds = Bounds(args.timeout, days=args.days)
    if args.show_commands:
        print(show_commands(places, bounds))
        return FOUND
    found = asyncio.run(_collect(places, bounds))
    if args.json:
        print(_dump(found))
    elif text := describe_places(found):
        print(text)
    sys.stdout.flush()
    for each in found:
        if each.error and not each.is_container:
            print(f"milepost: {plain(each.error)}", file=sys.stderr)
    return _exit_code(found)


async def _collect(places: list[Place], bounds: Bounds) -> list[FoundPlace]:
    async with aclosing(look_around(places, Connections(), bounds)) as told:
        return sort_places([each async for each in told])


def _exit_code(found: Sequence[FoundPlace]) -> int:
    if any(each.logs or each.is_container for each in found):
        return FOUND
    return NOTHING if any(each.error is None for each in found) else UNREACHABLE


# As text


def describe_places(found: Sequence[FoundPlace]) -> str:
    """Place by place, in aligned columns: age, last step, format and address of each log, the newest first.

    A machine that could not be reached has no row: that is an error.
    """
    shown = [each for each in found if each.is_container or not each.error]
    cells = {log.address: _cells(log) for each in shown for log in each.logs}
    widths = [max((len(row[column]) for row in cells.values()), default=0) for column in range(3)]
    return "\n".join(line for each in shown for line in _describe(each, cells, widths))


def _describe(
    each: FoundPlace, cells: dict[str, tuple[str, str, str]], widths: Sequence[int]
) -> Iterator[str]:
    yield clean(each.name) + _remark(each)
    for log in each.logs:
        age, step, form = cells[log.address]
        row = (age.rjust(widths[0]), step.rjust(widths[1]), form.ljust(widths[2]))
        yield _INDENT + "  ".join((*row, clean(shlex.quote(log.address))))
    for note in each.notes:
        yield f"{_INDENT}({clean(note)})"


def _remark(each: FoundPlace) -> str:
    """What is to be said of a place that shows no logs."""
    if each.error:
        return f"  {plain(each.error)}"
    if each.state != "running":
        return f"  {clean(each.state)}"
    return "" if each.logs else "  no log of late"


def _cells(log: FoundLog) -> tuple[str, str, str]:
    return f"{format_age(log.age_s)} ago", format_step(log.last_step), log.format


# As JSON


def _dump(found: Sequence[FoundPlace]) -> str:
    """As readable as can be: a path that is no UTF-8 can be written in escapes only."""
    try:
        json.dumps(_to_json(found), ensure_ascii=False).encode()
        is_ascii = False
    except UnicodeEncodeError:
        is_ascii = True
    return json.dumps(_to_json(found), indent=2, ensure_ascii=is_ascii, allow_nan=False)


def _to_json(found: Sequence[FoundPlace]) -> Json:
    return {"schema": SCHEMA, "places": [_place_to_json(each) for each in found]}


def _place_to_json(each: FoundPlace) -> Json:
    return {
        "place": each.name,
        "address": each.address,
        "container": each.is_container,
        "state": each.state,
        "error": each.error,
        "notes": list(each.notes),
        "logs": [
            {
                "target": log.address,
                "format": log.format,
                "last_step": step_to_json(log.last_step),
                "age_s": log.age_s,
                "size_bytes": log.size,
            }
            for log in each.logs
        ],
    }


# As commands


def show_commands(places: Sequence[Place], bounds: Bounds) -> str:
    """Every command that would be run, as lines for a shell, under the script that they hand over."""
    script = shlex.quote(read_source("survey.sh"))
    shown = "\n".join(line for place in places for line in _show_place(place, bounds))
    return f"# It is sent without its comments, and writes nothing.\nSCRIPT={script}\n{shown}"


def _show_place(place: Place, bounds: Bounds) -> Iterator[str]:
    _, _, _, name, *words = survey_words(place.target, "NONCE", bounds.timeout_s, bounds.days)

    def show(target: Target) -> str:
        return f'{shlex.join(through(target, ["sh", "-c"]))} "$SCRIPT" {name} "$@"'

    way = "over SSH, in a session of its own" if place.target.host else "as a process of its own"
    yield f"\n# {clean(place.name)}: {way}, which is ended after {bounds.timeout_s:g} s"
    yield f"set -- {shlex.join(words)}"
    yield show(place.target)
    yield (
        "# then in each container that is listed there as running, and in those within it, one after the other,"
        f" {MOST_CONTAINERS} at most, {DEPTH} deep, within the same time"
    )
    for kind in dict.fromkeys(lister.kind for lister in LISTERS):
        parts = ("NAMESPACE", "POD") if kind == "kubectl" else ("NAME",)
        yield show(place.within(Container(Hop(kind, parts))).target)
