from pathlib import Path

import pytest
from textual.widgets import Input

from tests.onscreen import reads
from tests.recorded import fill_feed, scenario_log
from tests.waiting import eventually
from tui.app import MilepostApp
from tui.feed import Feed
from tui.screens.export import ExportScreen, suggest_name


@pytest.fixture(scope="module")
def feed() -> Feed:
    return fill_feed(scenario_log("healthy", 400), "my run")


@pytest.mark.parametrize(
    ("name", "holds"),
    [("run.md", "## Milestones"), ("run.csv", "step,loss"), ("run.html", "<svg "), ("run.svg", "milestones")],
)
async def test_a_name_tells_what_is_written(feed: Feed, tmp_path: Path, name: str, holds: str) -> None:
    app = MilepostApp([feed], is_calm=True)
    async with app.run_test(size=(100, 30)) as pilot:
        await reads(pilot, "milestones")
        await pilot.press("e")
        await reads(pilot, "write to", ".csv .json the data")
        app.screen.query_one(Input).value = str(tmp_path / name)
        await pilot.press("enter")
        await eventually((tmp_path / name).exists)
        await eventually(lambda: not isinstance(app.screen, ExportScreen))
    assert holds in (tmp_path / name).read_text("utf-8")


async def test_a_wrong_name_is_told_and_nothing_is_written(feed: Feed, tmp_path: Path) -> None:
    app = MilepostApp([feed], is_calm=True)
    async with app.run_test(size=(100, 30)) as pilot:
        await reads(pilot, "milestones")
        await pilot.press("e")
        await eventually(lambda: isinstance(app.screen, ExportScreen))
        app.screen.query_one(Input).value = str(tmp_path / "run.pdf")
        await pilot.press("enter")
        await reads(pilot, "tells no format")
        app.screen.query_one(Input).value = str(tmp_path / "none" / "run.md")
        await pilot.press("enter")
        await reads(pilot, "can't be written")
        await pilot.press("escape")
        await eventually(lambda: not isinstance(app.screen, ExportScreen))
    assert list(tmp_path.iterdir()) == []


def test_the_name_is_that_of_the_run_and_its_step(feed: Feed) -> None:
    assert suggest_name(feed) == f"my-run-{feed.run.last_step:.0f}.md"
