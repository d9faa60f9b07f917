"""From the runs that a command line names to those that are there: a pattern is as many runs as it matches."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence

from msgspec.structs import replace

from tui.commands.options import Plan, plan_runs
from tui.names import name_runs
from tui.sources.ssh import Connections
from tui.sources.trouble import plain


def find_runs(args: argparse.Namespace) -> list[Plan]:
    """The runs of a command line, patterns expanded; without any pattern nothing is connected.

    Raises:
        MilepostError: The command line or the configuration is wrong, a far end can't be reached, or nothing matches.
    """
    plans = plan_runs(args)
    if not any(plan.target.has_pattern for plan in plans):
        return plans
    return asyncio.run(_expand_all(plans))


async def expand_plan(plan: Plan, connections: Connections) -> list[Plan]:
    """One plan for each log that a plan's target stands for, itself or a pattern's; it is said where they are too many.

    Raises:
        Trouble: Nothing matches, or the far end can't be reached.
    """
    if not plan.target.has_pattern:
        return [plan]
    from tui.sources.expand import expand

    matches = await expand(plan.target, connections)
    if matches.count > len(matches.targets):
        told = (
            f"{plan.target.text} matches {matches.count:,} logs; the first {len(matches.targets):,} are read"
        )
        print(f"milepost: {plain(told)}", file=sys.stderr)
    is_named = plan.is_named and len(matches.targets) == 1
    return [replace(plan, target=target, is_named=is_named) for target in matches.targets]


def name_plans(plans: Sequence[Plan]) -> list[Plan]:
    """The same plans, each that the configuration does not name called by what tells it from the others."""
    names = name_runs([plan.target for plan in plans])
    return [
        plan if plan.is_named else replace(plan, options=replace(plan.options, name=name))
        for plan, name in zip(plans, names, strict=True)
    ]


async def _expand_all(plans: Sequence[Plan]) -> list[Plan]:
    connections = Connections()
    expanded = await asyncio.gather(*(expand_plan(plan, connections) for plan in plans))
    return name_plans([plan for each in expanded for plan in each])
