"""All figures of speed in one run, as one table: `python -m tests.bench [PART]...`.

Ratios are taken side by side in one run, so that whatever else the machine does falls on both alike. Each part has a
process of its own, so that it finds the memory of no other. How far warnings can be trusted is no matter of speed, and
a report of its own: `python -m tests.bench.health`.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tests.bench.parts import PARTS, measure
from tests.bench.row import describe_machine, draw_rows


def main(arguments: list[str] | None = None) -> int:
    """Measure, and print the table; 0 where no figure is short of its target."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parts = parser.parse_args(arguments).parts or PARTS
    if unknown := set(parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as pool:
        rows = [row for part in PARTS if part in parts for row in pool.submit(measure, part).result()]
    print(f"{describe_machine()}\n")
    print("\n".join(draw_rows(rows)))
    return int(any(row.is_met is False for row in rows))


if __name__ == "__main__":
    sys.exit(main())
