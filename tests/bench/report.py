"""The report's table: what was measured, its 95 % bounds, and the target beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tests.bench.bounds import poisson, wilson
from tests.bench.rows import Row
from tests.bench.score import Outcome

_LINE = "{:<33} {:<19} {:<20} {:<16} {:<23} {}"


def print_head() -> None:
    """The table's head."""
    print(_LINE.format("what", "target", "measured", "95 % bounds", "median delay (p90)", ""))


def print_line(
    title: str, target: str, measured: str, bounds: str = "", delay: str = "", mark: str = ""
) -> None:
    """One line of the table."""
    print(_LINE.format(title, target, measured, bounds, delay, mark).rstrip(), flush=True)


def print_share(
    title: str,
    hits: int,
    n: int,
    target: float | None = None,
    within: str = "",
    delay: str = "",
    *,
    at_most: bool = False,
) -> None:
    """How many of n, against the share that there must be at least, or `at_most`."""
    if not n:
        return
    low, high = wilson(hits, n)
    wanted = "" if target is None else _describe_target(target, at_most=at_most)
    is_met = target is None or (hits / n <= target if at_most else hits / n >= target)
    print_line(
        title,
        ", ".join(part for part in (wanted, within) if part),
        f"{hits} of {n} ({100 * hits / n:.1f} %)",
        f"{100 * low:.1f} to {100 * high:.1f} %",
        delay,
        mark_of(is_met, has_target=target is not None),
    )


def _describe_target(target: float, *, at_most: bool) -> str:
    if target == (0 if at_most else 1):
        return "none" if at_most else "all"
    return f"{'≤' if at_most else '≥'} {100 * target:g} %"


def mark_of(is_met: bool, *, has_target: bool = True) -> str:
    """One word: whether the figure reaches its target."""
    if not has_target:
        return ""
    return "met" if is_met else "SHORT"


def report_false(title: str, outcomes: Sequence[Outcome], rate: float = 0.05, share: float = 0.03) -> None:
    """False warnings per 10,000 healthy entries, and the share of runs with any."""
    if not outcomes:
        return
    entries = sum(outcome.entries for outcome in outcomes)
    false = sum(len(outcome.false) for outcome in outcomes)
    per = 1e4 / entries
    low, high = poisson(false)
    print_line(
        f"{title}: false warnings",
        f"≤ {rate:g} per 10k" if rate else "none",
        f"{false} in {entries:,}",
        f"{low * per:.3f} to {high * per:.3f}",
        f"{false * per:.3f} per 10k",
        mark_of(false * per <= rate),
    )
    print_share(
        f"{title}: runs with any",
        sum(bool(each.false) for each in outcomes),
        len(outcomes),
        share,
        at_most=True,
    )
    notices = sum(outcome.notices for outcome in outcomes)
    if notices:
        print_line(f"{title}: notices", "", f"{notices * per:.2f} per 10k")


def report_row(row: Row, outcomes: Iterable[Outcome]) -> None:
    """How many of the incidents were seen in time, and how late all of them that ever were."""
    chosen = [outcome for outcome in outcomes if row.chosen(outcome)]
    seen = sum(row.is_seen(outcome) for outcome in chosen)
    print_share(row.title, seen, len(chosen), row.target, row.within, _describe_delays(row, chosen))


def report_verdicts(title: str, outcomes: Iterable[Outcome]) -> None:
    """Of the shifts that were seen, how many ended as what they were: healed or lasting."""
    seen = [outcome for outcome in outcomes if outcome.seen is not None]
    print_share(title, sum(outcome.is_judged_right for outcome in seen), len(seen), 0.95)


def _describe_delays(row: Row, outcomes: Iterable[Outcome]) -> str:
    pairs = [(each.delay, each.truth) for each in outcomes if each.delay is not None and each.truth]
    if not pairs or not (row.entries or row.share):
        return ""
    delays = [delay / truth.first if row.share else delay for delay, truth in pairs]
    middle, late = np.median(delays), np.quantile(delays, 0.9)
    return f"{middle:.2f} ({late:.2f}) × onset" if row.share else f"{middle:.0f} ({late:.0f}) entries"
