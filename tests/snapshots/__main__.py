"""Draws the kept pictures of the screen anew: `python -m tests.snapshots`."""

from __future__ import annotations

import asyncio

from tests.snapshots.capture import RUNS, SIZES, capture, path_of


def main() -> None:
    """Write every picture."""
    for name in RUNS:
        for size in SIZES:
            path_of(name, size).write_text(asyncio.run(capture(name, size)), "utf-8")


if __name__ == "__main__":
    main()
