"""Draws the README's picture from a replayed run, so that it never lies: `python -m tests.pictures`."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.onscreen import reads
from tests.recorded import fill_feed, scenario_log
from tui.app import MilepostApp

PICTURE = Path(__file__).parents[1] / ".github" / "screen.svg"
SIZE = (120, 36)
ADDRESS = "root@gpu-box:pct/200:/workspace/checkpoints/train_log.jsonl"
ENTRIES = 16_600
"""Of the demo's own scenario: the plateau and the collapse have been there for long, the cliff is new."""


async def draw() -> str:
    """The screen at the end of the run, as SVG."""
    feed = fill_feed(scenario_log("default", ENTRIES), "drafter", ADDRESS)
    app = MilepostApp([feed], is_calm=True)
    async with app.run_test(size=SIZE) as pilot:
        await reads(pilot, "cliff", "1 of 3", "EMA", "milestones")
        return app.export_screenshot(title="milepost root@gpu-box:pct/200:…/train_log.jsonl")


def main() -> None:
    """Write the picture."""
    PICTURE.write_text(asyncio.run(draw()), "utf-8")


if __name__ == "__main__":
    main()
