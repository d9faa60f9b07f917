"""How far the warnings can be trusted: `python -m tests.bench.health [--seeds A-B] [--quick]`.

False alarms on healthy runs, recall, verdict and delay on broken ones, what other ways of logging change, stalls, and
cost; each with 95 % bounds and the target beside it. One parameter set, every run from its first entry on, in chunks
of 700. Seeds below 10,000 are for tuning, those above score. With MILEPOST_CORPUS set, real logs take part.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable

import numpy as np

from tests.bench.cost import measure_bulk, measure_single, widen
from tests.bench.families import FAMILIES
from tests.bench.injected import inject_cliff, inject_plateau
from tests.bench.real import healthy_logs
from tests.bench.replica import FLAT_FROM, make_replica, read
from tests.bench.report import print_head, print_line, print_share, report_false, report_row, report_verdicts
from tests.bench.rows import OVERFIT_APART, ROWS, Row
from tests.bench.runs import INCIDENTS, Run, make_run
from tests.bench.score import Outcome, score
from tests.bench.silence import count_false, find_hang, make_writing
from tests.bench.transforms import TRANSFORMS, changed_runs

TRANSFORM_SHARE = 10
"""One seed in so many is judged in all other ways of logging too."""

QUICK_SEEDS = 2


class Bench:
    """One pass over the seeds; remembers what was healthy before an incident began."""

    def __init__(self, seeds: range, *, is_verbose: bool = False) -> None:
        self._seeds = seeds
        self._is_verbose = is_verbose
        self._before: list[Outcome] = []

    def report_healthy(self) -> None:
        """Healthy runs, by family and all together."""
        everything: list[Outcome] = []
        for family in FAMILIES:
            outcomes = [score(make_run(family, seed)) for seed in self._seeds]
            self._tell(outcomes)
            print_line(f"  {family}", "", f"{sum(len(each.false) for each in outcomes)} false warnings")
            everything += outcomes
        report_false("healthy", everything)
        changed = [score(make_run(family, seed, "regime")) for family in FAMILIES for seed in self._seeds]
        report_false("change of regime", changed)
        self._tell(changed)

    def report_incidents(self, only: Iterable[str] = INCIDENTS) -> None:
        """Every incident, and then what was said before they began."""
        wanted, shifts = set(only), []
        for incident in (name for name in INCIDENTS if name in wanted and name != "regime"):
            outcomes = [
                score(make_run(family, seed, incident)) for family in FAMILIES for seed in self._seeds
            ]
            self._report_rows(incident, outcomes)
            self._before += outcomes
            if incident == "overfit":
                runs = (make_run(family, seed, incident) for family in FAMILIES for seed in self._seeds)
                apart = [score(run, apart=True) for run in runs]
                report_row(OVERFIT_APART, apart)
                self._before += apart
            if incident == "spike":
                report_verdicts("spike: judged recovered", outcomes)
            shifts += outcomes if incident in ("cliff", "accuracy_cliff", "spike") else []
        if shifts:
            report_verdicts("verdict: healed or lasting", shifts)
        report_false("before an incident", self._before)
        self._tell(self._before)

    def _report_rows(self, incident: str, outcomes: list[Outcome]) -> None:
        for row in (row for row in ROWS if row.incident == incident):
            report_row(row, outcomes)
            missed = Counter(each.family for each in outcomes if row.chosen(each) and not row.is_seen(each))
            if missed and self._is_verbose:
                print(f"    not in time: {dict(missed)}")

    def report_transforms(self) -> None:
        """Runs whose verdict or kinds are others once they are logged otherwise."""
        seeds = self._seeds[::TRANSFORM_SHARE]
        for title, transform in TRANSFORMS.items():
            changed, n = changed_runs(transform, seeds)
            print_share(f"{title}: changed", changed, n)

    def report_real(self) -> None:
        """Real logs, healthy as far as anybody knows, as they are and with an incident put in."""
        logs = list(healthy_logs())
        report_false(
            "real", [score(Run(name, 0, span, total_steps=total)) for name, span, total in logs], 0, 0
        )
        for sigmas, entries in ((2, 80), (4, 30)):
            runs = [inject_cliff(name, span, seed, sigmas) for name, span, _ in logs for seed in range(5)]
            row = Row(f"real log, cliff of {sigmas} σ", "cliff", 0.95, entries=entries)
            report_row(row, [score(run) for run in runs if run])
        plateaus = [inject_plateau(name, span, seed) for name, span, _ in logs for seed in range(3)]
        row = Row("real log, plateau", "plateau", 0.75, share=1.0)
        report_row(row, [score(run) for run in plateaus if run])

    def report_replica(self) -> None:
        """The origin's own log, twelve times."""
        readings = [read(make_replica(seed)) for seed in self._seeds[:12]]
        n = len(readings)
        steps = [each.accuracy_plateau for each in readings if each.accuracy_plateau is not None]
        at = f"at step {np.median(steps):,.0f}" if steps else ""
        early = sum((each.first_plateau or FLAT_FROM) < FLAT_FROM for each in readings)
        print_share("own log: plateau by accuracy", len(steps), n, 1.0, delay=at)
        drifting = [read(make_replica(seed, drifts=True)) for seed in self._seeds[:12]]
        print_share(
            "own log, drifting: the same", sum(each.accuracy_plateau is not None for each in drifting), n
        )
        print_share("own log: a plateau too early", early, n, 0.0, at_most=True)
        falls = [each.collapse for each in readings if each.collapse is not None]
        at = f"at step {np.median(falls):,.0f}" if falls else ""
        print_share("own log: gradient collapse", len(falls), n, 1.0, delay=at)
        print_share(
            "own log: alarm at the start",
            sum(each.at_the_start > 0 for each in readings),
            n,
            0.0,
            at_most=True,
        )
        print_share(
            "own log: alarm at the join", sum(each.at_the_join > 0 for each in readings), n, 0.0, at_most=True
        )
        joined = [read(make_replica(seed, jump=0.06)) for seed in self._seeds[:12]]
        print_share("own log: join with +6 %, alarm", sum(each.at_the_join > 0 for each in joined), n)

    def report_silence(self, streams: int) -> None:
        """Stalls on logs that are well, and how long a hang takes to be told."""
        first = self._seeds.start
        for title, is_buffered in (("stall", False), ("stall, in blocks", True)):
            writings = [make_writing(first + each, is_buffered=is_buffered) for each in range(streams)]
            false = sum(count_false(writing) > 0 for writing in writings)
            print_share(f"{title}: false", false, streams, 0.01, at_most=True)
            told = [delay for delay in map(find_hang, writings) if delay is not None]
            late = f"{np.median(told):.0f} ({np.quantile(told, 0.9):.0f}) s" if told else ""
            print_share(f"{title}: hang is told", len(told), streams, 1.0, delay=late)

    def report_cost(self) -> None:
        """Microseconds an entry of ten metrics, in chunks and one by one."""
        spans = [widen(make_run("drafter", seed).span) for seed in self._seeds[:2]]
        print_line("cost, in chunks", "≤ 3 µs", f"{measure_bulk(spans):.2f} µs an entry", "", "10 metrics")
        print_line(
            "cost, one by one", "≤ 200 µs", f"{measure_single(spans[0]):.0f} µs an entry", "", "10 metrics"
        )

    def _tell(self, outcomes: Iterable[Outcome]) -> None:
        for outcome in outcomes if self._is_verbose else ():
            for change in outcome.false:
                incident = outcome.truth.incident if outcome.truth else "healthy"
                where = f"{incident} {outcome.family} {outcome.seed} {change.entry:>6}"
                print(f"    {where} {change.alert.kind}: {change.alert.message}")


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmark and print its report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = ("healthy", "incidents", "transforms", "real", "replica", "silence", "cost")
    parser.add_argument(
        "--seeds", type=_read_seeds, default=range(1000, 1004), metavar="A-B", help="both included"
    )
    parser.add_argument("--quick", action="store_true", help=f"the first {QUICK_SEEDS} seeds only")
    parser.add_argument(
        "--only", action="append", choices=(*parts, *INCIDENTS), help="a part of it; repeatable"
    )
    parser.add_argument(
        "--verbose", action="store_true", help="also print every false warning, and what was missed"
    )
    options = parser.parse_args(arguments)
    seeds = options.seeds[:QUICK_SEEDS] if options.quick else options.seeds
    bench = Bench(seeds, is_verbose=options.verbose)
    reports: dict[str, Callable[[], None]] = {
        "healthy": bench.report_healthy,
        "incidents": bench.report_incidents,
        "transforms": bench.report_transforms,
        "real": bench.report_real,
        "replica": bench.report_replica,
        "silence": lambda: bench.report_silence(100 if options.quick else 500),
        "cost": bench.report_cost,
    }
    wanted = options.only or parts
    incidents = [name for name in wanted if name in INCIDENTS]
    print(f"seeds {seeds.start} to {seeds.stop - 1}, {'for tuning' if seeds.start < 10_000 else 'scoring'}")
    print_head()
    for part in parts:
        if part in wanted:
            reports[part]()
        elif part == "incidents" and incidents:
            bench.report_incidents(incidents)
    return 0


def _read_seeds(text: str) -> range:
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


if __name__ == "__main__":
    sys.exit(main())
