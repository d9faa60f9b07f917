"""The parts of the bench, and the rows of each."""

from __future__ import annotations

import sys
import time
from importlib import import_module

import pytest

from tests.bench.row import Row

PARTS = "catchup opened painted drawing screen start following fleet hosts pressure decode endurance growth".split()
"""In the order of the table; each is a module with a `measure()` that yields rows."""


def measure(part: str) -> list[Row]:
    """The rows of one part, and why it has no more; each is told on standard error too, for it takes a while."""
    began_s, rows = time.monotonic(), []
    try:
        for row in import_module(f"tests.bench.{part}").measure():
            print(f"{part}: {row.what}: {row.measured}", file=sys.stderr, flush=True)
            rows.append(row)
    except (OSError, AssertionError, pytest.skip.Exception) as missing:  # a TimeoutError is an OSError
        rows.append(Row(part, f"not measured: {str(missing) or type(missing).__name__}"))
    print(f"{part}: {time.monotonic() - began_s:.0f} s", file=sys.stderr, flush=True)
    return rows
