"""`milepost explain`: what each detector sees of each metric, now or after a step, and if it is not armed, why."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import groupby

from msgspec.structs import replace

from tui.commands.options import Plan, choose_metrics, parse_patterns, plan_run
from tui.commands.reading import find_error, read_run
from tui.decode.text import clean
from tui.errors import SourceError, UsageError
from tui.feed import Feed
from tui.health.findings import Explanation
from widgets.numbers import format_step, format_value


def run_explain(args: argparse.Namespace) -> int:
    """Print what the detectors see of one run.

    Raises:
        UsageError: More than one step was given, or no metric has such a name.
        SourceError: The log could not be read.
    """
    plan = plan_run(args)
    feed = read_run(_until(plan, args.at), args.timeout)
    if error := find_error(feed):
        raise SourceError(error)
    told = choose_explanations(feed, parse_patterns(args.metric) if args.metric else None)
    print(describe_explanations(feed, told))
    return 0


def choose_explanations(feed: Feed, patterns: Sequence[str] | None = None) -> list[Explanation]:
    """The explanations for the metrics that patterns name, or for those that the run is watched with.

    Raises:
        UsageError: No metric with a detector has such a name.
    """
    told = feed.explain()
    watched = list(dict.fromkeys(each.metric for each in told))
    wanted = choose_metrics(watched, patterns or feed.options.metrics)
    if patterns and not wanted:
        known = ", ".join(map(clean, watched)) or "none"
        raise UsageError(f"no detector watches {clean(patterns[0])}; they watch {known}")
    return [each for name in wanted for each in told if each.metric == name]


def describe_explanations(feed: Feed, told: Sequence[Explanation]) -> str:
    """Metric by metric, one line a detector: armed or why not, and its numbers."""
    until, entries = feed.options.until_step, f"{feed.run.entries:,} entries"
    now = f"at step {format_step(feed.run.last_step)}, {entries}" if until is None else _as_of(until)
    width = max((len(_name(each)) for each in told), default=0)
    lines = [f"{clean(feed.target.what)}: {now}"]
    for metric, each_of in groupby(told, key=lambda each: each.metric):
        lines.append(f"{clean(metric)}, {feed.run.role(metric)}")
        lines += [f"  {_name(each):<{width}}  {describe_state(each)}" for each in each_of]
    return "\n".join(lines)


def describe_state(each: Explanation) -> str:
    """One detector's state in a line.

    >>> describe_state(Explanation("plateau", "loss", False, "212 of 400 values", {}))
    'not armed: 212 of 400 values'
    """
    if not each.is_armed:
        return f"not armed: {each.reason}" if each.reason else "not armed"
    numbers = "  ".join(f"{name.replace('_', ' ')} {format_fact(name, each)}" for name in each.numbers)
    return f"armed  {numbers}".rstrip()


def format_fact(name: str, each: Explanation) -> str:
    """A number behind a detector as text: a step or a count whole, any other value rounded."""
    value = each.numbers[name]
    return format_step(value) if name.endswith("step") or value == int(value) else format_value(value)


def _name(each: Explanation) -> str:
    return each.detector.replace("_", " ")


def _as_of(step: float) -> str:
    return f"as of step {format_step(step)}"


def _until(plan: Plan, at: Sequence[float] | None) -> Plan:
    if at is None:
        return plan
    if len(at) != 1:
        raise UsageError("explain looks at one step; give --at one of them")
    return replace(plan, options=replace(plan.options, until_step=at[0]))
