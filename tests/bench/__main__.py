"""All figures of speed in one run, as one table: `python -m tests.bench [PART]...`.

Ratios are taken side by side in one run, so that whatever else the machine does falls on both alike. Parts that print
a report of their own follow the table.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from importlib import import_module

from tests.bench.row import Row, describe_machine, draw_rows

TABLED = ("start", "catchup", "painted", "endurance", "growth")
"""Parts with rows for the table: each has a `measure()` that yields them."""

REPORTED = ("decode", "drawing", "screen", "following", "fleet", "health")
"""Parts that print a report of their own, and may be run by themselves: `python -m tests.bench.NAME`."""


def main(arguments: list[str] | None = None) -> int:
    """Measure, and print the table; 0 where no figure is short of its target."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join((*TABLED, *REPORTED)))
    parts = parser.parse_args(arguments).parts or [*TABLED, *REPORTED]
    if unknown := set(parts) - {*TABLED, *REPORTED}:
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    rows = [row for part in TABLED if part in parts for row in measure(part)]
    print(f"{describe_machine()}\n")
    print("\n".join(draw_rows(rows)) if rows else "", flush=True)
    for part in (part for part in REPORTED if part in parts):
        print(f"\n{part}", flush=True)
        subprocess.run([sys.executable, "-m", f"tests.bench.{part}"], check=True)
    return int(any(row.is_met is False for row in rows))


def measure(part: str) -> list[Row]:
    """The rows of one part; says on standard error what is being done, for it takes a while."""
    print(f"{part} …", file=sys.stderr, flush=True)
    return list(import_module(f"tests.bench.{part}").measure())


if __name__ == "__main__":
    sys.exit(main())
