"""How far the warnings can be trusted: `python -m tests.bench.health [--seeds N] [--first SEED]`.

False alarms on healthy runs, recall, verdict and delay on broken ones, and microseconds an entry. One
parameter set, every run from its first entry on, in chunks of 700. Seeds below 10,000 are for tuning, those
above score.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tests.bench.real import healthy_logs
from tests.bench.runs import FAMILIES, INCIDENTS, OVERFIT_ENTRIES, Run, Truth, make_run
from tui.decode.batch import Span
from tui.health.alerts import AlertChange, ChangeKind, Severity
from tui.health.engine import Engine

CHUNK = 700
"""Entries in a chunk: what the feed hands on at a time while it reads a long log."""

WORSE = 0.01
"""A gap that grows more slowly than the loss falls makes no evaluation worse; these are reported apart."""

EARLY = 20
"""Entries before the onset in which an alarm still counts as one for the incident."""


@dataclass(frozen=True, slots=True)
class Class:
    """What counts as seeing an incident: an alert of one of the kinds, within `entries`, or `share` of the onset."""

    kinds: tuple[str, ...]
    entries: int = 0
    share: float = 0.0

    def tolerance(self, truth: Truth) -> int:
        """Entries after the onset within which the incident must be seen."""
        return self.entries or int(self.share * truth.first)


_REMARKS = ("restart", "discontinuity")  # seen even where they are only remarked on
_SHIFTS = ("cliff", "divergence", "spike")
CLASSES = {
    "plateau": Class(("plateau", "decline"), share=1.0),
    "early_plateau": Class(("plateau", "decline"), share=1.0),
    "decline": Class(("decline", "plateau", "divergence"), share=1.0),
    "slow_collapse": Class(("gradient_collapse",), share=2.0),
    "sudden_collapse": Class(("gradient_collapse",), entries=50),
    "explosion": Class(("gradient_explosion",), entries=100),
    "cliff": Class(_SHIFTS, entries=100),
    "accuracy_cliff": Class(_SHIFTS, entries=100),
    "spike": Class(_SHIFTS, entries=100),
    "divergence": Class((*_SHIFTS, "decline"), entries=500),
    "nan": Class(("nonfinite",), entries=1),
    "slowdown": Class(("slowdown",), entries=100),
    "restart": Class(("restart",), entries=30),
    "discontinuity": Class(("discontinuity",), entries=100),
    "overfit": Class(("overfit",), entries=OVERFIT_ENTRIES),
}
"""How each incident is scored; a change of regime is healthy, and must raise nothing."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run's alerts came to: warnings that were false, notices, and when its incident was first seen."""

    name: str
    truth: Truth | None
    entries: int
    false: tuple[AlertChange, ...]
    notices: int
    seen: AlertChange | None
    last: tuple[AlertChange, ...]

    @property
    def delay(self) -> int | None:
        """Entries from the onset to the warning."""
        return None if self.seen is None or self.truth is None else self.seen.entry - self.truth.first


def judge(span: Span, restart_at: int | None = None, total_steps: float | None = None) -> list[AlertChange]:
    """All changes that a run's entries bring about, as the feed would see them."""
    engine = Engine(total_steps=total_steps)
    changes: list[AlertChange] = []
    for start, stop in pairwise(sorted({*range(0, len(span), CHUNK), restart_at or 0, len(span)})):
        if start == restart_at:
            changes += engine.restart(float(span.steps[start]))
        changes += engine.extend(span.slice(start, stop))
    return changes


def score(run: Run) -> Outcome:
    """Tell false warnings from the one that was due; what comes after an incident began is never false."""
    changes, truth = judge(run.span, run.restart_at, run.total_steps), run.truth
    name, firsts = f"{run.family} {run.seed}", first_warnings(changes)
    notices = sum(change.what is ChangeKind.RAISED for change in changes) - len(firsts)
    last = tuple({change.alert.number: change for change in changes}.values())
    if truth is None or truth.incident == "regime":
        return Outcome(name, truth, len(run.span), firsts, notices, None, last)
    false = tuple(change for change in firsts if change.entry < truth.first - EARLY)
    wanted = CLASSES[truth.incident]
    candidates = firsts if truth.incident not in _REMARKS else changes
    seen = (
        change
        for change in candidates
        if change.alert.kind in wanted.kinds
        and -EARLY <= change.entry - truth.first <= wanted.tolerance(truth)
    )
    return Outcome(name, truth, max(truth.first - EARLY, 0), false, 0, next(seen, None), last)


def first_warnings(changes: Iterable[AlertChange]) -> tuple[AlertChange, ...]:
    """For each alert the change by which it first became a warning."""
    firsts: dict[int, AlertChange] = {}
    for change in changes:
        if change.alert.severity is not Severity.INFO:
            firsts.setdefault(change.alert.number, change)
    return tuple(firsts.values())


# The report


def report_false(title: str, outcomes: list[Outcome]) -> None:
    """Warnings per 10,000 healthy entries and the share of runs with any, with 95 % upper bounds."""
    entries = sum(outcome.entries for outcome in outcomes)
    false = [change for outcome in outcomes for change in outcome.false]
    runs = sum(bool(outcome.false) for outcome in outcomes)
    kinds = Counter(change.alert.kind for change in false)
    rate, bound = 1e4 * len(false) / entries, 1e4 * (len(false) + 3) / entries
    notices = 1e4 * sum(outcome.notices for outcome in outcomes) / entries
    print(
        f"{title:<16} {entries:>9,} entries  {len(false):>3} false warnings, {rate:.3f}/10k (< {bound:.3f})  "
        f"runs {runs}/{len(outcomes)}  notices {notices:.2f}/10k  {dict(kinds) or ''}"
    )


def report_recall(incident: str, outcomes: list[Outcome]) -> None:
    """How many incidents of a kind were seen in time, and how late."""
    delays: list[float] = [outcome.delay for outcome in outcomes if outcome.delay is not None]
    wanted = CLASSES[incident]
    unit = "entries"
    if wanted.share:
        unit = "of the onset"
        delays = [
            outcome.delay / outcome.truth.first
            for outcome in outcomes
            if outcome.delay is not None and outcome.truth
        ]
    late = "" if not delays else f"delay {np.median(delays):7.2f}, p90 {np.quantile(delays, 0.9):7.2f} {unit}"
    kinds = Counter(outcome.seen.alert.kind for outcome in outcomes if outcome.seen)
    print(f"{incident:<16} seen {len(delays):>3}/{len(outcomes):<3} {late}  {dict(kinds)}")


def report_verdicts(spikes: list[Outcome]) -> None:
    """How many of the spikes that were seen ended as one that has healed."""
    ends = [
        change
        for outcome in spikes
        if outcome.seen
        for change in outcome.last
        if change.alert.number == outcome.seen.alert.number
    ]
    healed = sum(change.alert.kind == "spike" and not change.alert.is_firing for change in ends)
    print(f"{'spikes':<16} judged healed {healed}/{len(ends)}")


def measure_speed(spans: list[Span]) -> float:
    """Microseconds an entry, in chunks of 700."""
    started = time.perf_counter()
    for span in spans:
        judge(span)
    return 1e6 * (time.perf_counter() - started) / sum(len(span) for span in spans)


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmark and print its report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=2, help="runs of each family, healthy and by incident")
    parser.add_argument("--first", type=int, default=1000, help="the first seed; from 10,000 on they score")
    parser.add_argument(
        "--only", action="append", choices=("healthy", "real", *INCIDENTS), help="a part of it"
    )
    parser.add_argument(
        "--verbose", action="store_true", help="also print every false warning, and every miss"
    )
    options = parser.parse_args(arguments)
    before: list[Outcome] = []
    parts = options.only or ["healthy", "real", *INCIDENTS]
    seeds = range(options.first, options.first + options.seeds)
    for part in parts:
        if part == "healthy":
            for family in FAMILIES:
                outcomes = [score(make_run(family, seed)) for seed in seeds]
                report_false(f"healthy {family}", outcomes)
                _tell(outcomes, options.verbose)
        elif part == "real":
            outcomes = [score(Run(name, 0, span, total_steps=total)) for name, span, total in healthy_logs()]
            if outcomes:
                report_false("real", outcomes)
                _tell(outcomes, options.verbose)
        else:
            before += _report_incident(part, seeds)
    if before:
        report_false("before incidents", before)
        _tell(before, options.verbose)
    spans = [make_run("drafter", seed).span for seed in seeds[:2]]
    print(f"speed            {measure_speed(spans):.2f} µs an entry of {len(spans[0].columns)} metrics")
    return 0


def _report_incident(incident: str, seeds: range) -> list[Outcome]:
    """Report on an incident in all families; its outcomes, for what came before it was healthy."""
    outcomes = [score(make_run(family, seed, incident)) for family in FAMILIES for seed in seeds]
    if incident == "regime":
        return outcomes
    report_recall(incident, outcomes)
    missed = Counter(outcome.name.split()[0] for outcome in outcomes if outcome.seen is None)
    if missed:
        print(f"{'':<16} missed {dict(missed)}")
    if incident == "spike":
        report_verdicts(outcomes)
    if incident == "overfit":
        worse = [outcome for outcome in outcomes if outcome.truth and outcome.truth.size >= WORSE]
        seen = sum(outcome.seen is not None for outcome in worse)
        print(f"{'':<16} seen {seen}/{len(worse)} of those in which validation gets worse by {WORSE:.0%}")
    return outcomes


def _tell(outcomes: Iterable[Outcome], verbose: bool) -> None:
    for outcome in outcomes if verbose else ():
        for change in outcome.false:
            print(f"    {outcome.name} {change.entry:>6} {change.alert.kind}: {change.alert.message}")


if __name__ == "__main__":
    sys.exit(main())
