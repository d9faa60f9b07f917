from __future__ import annotations

from textual.widgets import Static

from tests.recorded import in_chunks, make_feed, scenario_log
from tests.waiting import eventually
from tui.app import MilepostApp
from tui.screens.debug import Count, DebugScreen, describe

BEFORE = Count(10.0, 1.0, 100, 1_000, 5, 500, 0.0)


def test_rates_are_taken_over_the_time_between_two_counts() -> None:
    now = Count(12.0, 1.2, 300, 5_000, 9, 2_500, 0.015)
    assert dict(describe(BEFORE, now, 3, 80_000_000)) == {
        "entries": "100/s, 300 in all",
        "bytes in": "2,000/s, 5,000 in all",
        "frames": "2.0/s, 1,000 characters/s",
        "a frame": "50.0 ms of CPU, reading and judging included",
        "CPU": "10.0 % of a core",
        "event loop": "late by 15 ms at worst",
        "queue": "3 messages",
        "memory": "80 MB",
    }


def test_a_second_without_a_frame_says_so() -> None:
    told = dict(describe(BEFORE, BEFORE, 0, None))
    assert told["a frame"] == "none drawn"
    assert told["memory"] == "unknown"


async def test_f12_shows_the_figures_and_goes_again() -> None:
    app = MilepostApp([make_feed(in_chunks(scenario_log("healthy", 200)))])
    async with app.run_test() as pilot:
        await pilot.press("f12")
        await eventually(lambda: isinstance(app.screen, DebugScreen) and app.screen.query("#figures"))
        write = app._driver.write if app._driver else None
        app.screen.look()  # type: ignore[attr-defined]
        page = app.screen.query_one("#figures", Static)
        await eventually(lambda: "200 in all" in str(page.content))
        await pilot.press("f12")
        await eventually(lambda: not isinstance(app.screen, DebugScreen))
        await eventually(lambda: app._driver is None or app._driver.write is not write)
