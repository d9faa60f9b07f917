"""The screen of several runs over each other."""

import pytest

from tests.onscreen import reads, screen_text
from tests.recorded import fill_feed, scenario_log
from tui.app import MilepostApp
from tui.feed import Feed
from tui.screens.compare import CompareScreen
from tui.screens.display import Display
from tui.screens.overlay import common_axes, compared_metrics, view_overlay, view_side_by_side

PLAIN = "".join(f'{{"step": {n}, "loss": {2 - n / 1000}, "acc": {n / 1000}}}\n' for n in range(1, 600))
LOWER = "".join(f'{{"step": {n}, "loss": {1.5 - n / 1000}}}\n' for n in range(1, 300))


@pytest.fixture(scope="module")
def runs() -> list[Feed]:
    return [fill_feed(PLAIN, "plain"), fill_feed(LOWER, "lower")]


def drafters() -> list[Feed]:
    return [fill_feed(scenario_log("healthy", 400, seed), f"seed-{seed}") for seed in range(8)]


def test_metrics_that_all_have_come_first(runs: list[Feed]) -> None:
    assert compared_metrics(runs) == ("loss", "acc")
    assert compared_metrics(runs[::-1]) == ("loss", "acc")


def test_the_table_has_the_value_of_each_run_and_leaves_out_what_it_has_not_reached(runs: list[Feed]) -> None:
    table = view_side_by_side(runs, ["plain", "lower"], "loss")
    rows = {row.label: row.values for row in table.rows}
    assert rows["100"] == pytest.approx((1.9, 1.4))
    assert rows["500"][0] == pytest.approx(1.5)
    assert rows["500"][1] is None
    assert rows["last 50"] == pytest.approx((2 - 574.5 / 1000, 1.5 - 274.5 / 1000))
    assert table.direction == -1


def test_a_run_without_the_metric_has_no_curve_and_says_so(runs: list[Feed]) -> None:
    overlay = view_overlay(runs, ["plain", "lower"], "acc", Display())
    assert [len(each.samples.x) > 0 for each in overlay.series] == [True, False]
    assert overlay.series[1].note == "has none"
    assert overlay.limits is not None
    assert overlay.limits[1] >= 599.0


def test_runs_are_drawn_over_what_all_of_them_have(runs: list[Feed]) -> None:
    assert common_axes(runs) == ("step",)
    both = drafters()[:2]
    assert "relative" in common_axes(both)
    assert common_axes([both[0], runs[0]]) == ("step",)
    hours = view_overlay(both, ["a", "b"], "loss", Display(x="relative"))
    assert hours.ground.kind == "duration"


async def test_keys_change_the_metric_the_axis_the_smoothing_and_the_scale() -> None:
    feeds = drafters()[:3]
    app = MilepostApp(feeds)
    async with app.run_test(size=(120, 40)) as pilot:
        await app.push_screen(CompareScreen(feeds))
        screen = app.screen
        assert isinstance(screen, CompareScreen)
        await reads(pilot, "loss  1/", "EMA 100", "1 seed-0", "3 seed-2", "milestones")
        await pilot.press("m")
        await reads(pilot, "accuracy  2/")
        await pilot.press("left")
        await reads(pilot, "loss  1/")
        await pilot.press("s")
        await reads(pilot, "EMA 500")
        await pilot.press("s")
        await reads(pilot, "raw")
        await pilot.press("l")
        await reads(pilot, "raw · log y")
        await pilot.press("x")
        assert screen.choice.x != "step"


@pytest.mark.parametrize("size", [(200, 60), (120, 40), (80, 24), (60, 20), (44, 24), (30, 12), (12, 4)])
async def test_it_works_at_every_size(size: tuple[int, int]) -> None:
    feeds = drafters()
    app = MilepostApp(feeds)
    async with app.run_test(size=size) as pilot:
        await app.push_screen(CompareScreen(feeds))
        text = await reads(pilot, "loss")
        if size[0] >= 44:
            assert "8 seed-7" in text
            assert "┬" in text
        assert all(len(line) <= size[0] for line in screen_text(app).splitlines())
