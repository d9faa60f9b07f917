"""What keys and the mouse do to the curves of a run, on the screen."""

import json

import pytest
from textual.pilot import Pilot

from tests.onscreen import reads, screen_text
from tests.recorded import Recorded, in_chunks, scenario_log
from tests.waiting import eventually
from tui.app import MilepostApp
from tui.events import Received
from tui.feed import Feed, FeedOptions
from tui.screens.display import Display
from tui.screens.run import RunScreen
from tui.target import parse_target
from widgets.curve_plot import CurvePlot

LOG = scenario_log("healthy", 2000)
TOKENS = "".join(
    json.dumps({"step": n, "loss": 2 + 1 / n, "acc": n / 1000, "tokens": n * 4e9}) + "\n"
    for n in range(1, 301)
)


def app_of(text: str = LOG, metrics: tuple[str, ...] | None = None) -> tuple[MilepostApp, Recorded]:
    source = Recorded(in_chunks(text))
    feed = Feed(
        parse_target("gpu-box:/runs/train.jsonl"), source, FeedOptions(name="drafter", metrics=metrics)
    )
    return MilepostApp([feed], is_calm=True), source


def screen_of(pilot: Pilot[None]) -> RunScreen:
    screen = pilot.app.screen
    assert isinstance(screen, RunScreen)
    return screen


def choice_of(pilot: Pilot[None]) -> Display:
    return screen_of(pilot).choice


async def press(pilot: Pilot[None], *keys: str) -> Display:
    await pilot.press(*keys)
    await pilot.pause()
    return choice_of(pilot)


async def test_l_and_capital_x_switch_scales_and_say_so() -> None:
    app, _ = app_of()
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "EMA 100")
        await pilot.press("l")
        await reads(pilot, "log y · raw")
        await pilot.press("X")
        await reads(pilot, "log y x")
        await pilot.press("l", "X")
        await eventually(lambda: "log y" not in screen_text(app))


async def test_x_goes_through_the_axes_that_the_log_has() -> None:
    app, _ = app_of(TOKENS)
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "EMA 100")
        await pilot.press("x")
        await reads(pilot, "tokens", "200G", "1T")
        await pilot.press("x")
        await eventually(lambda: "1T" not in screen_text(app))
        assert choice_of(pilot).x == "step"


async def test_keys_zoom_pan_and_show_all_again() -> None:
    app, _ = app_of()
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "EMA 100")
        low, high = (await press(pilot, "plus", "plus")).window or (0, 0)
        assert 0 < low < high < 3302
        await reads(pilot, f"{low:,.0f} – {high:,.0f}")
        earlier = (await press(pilot, "less_than_sign")).window or (0, 0)
        assert earlier[0] < low
        assert (
            await press(pilot, "greater_than_sign", "greater_than_sign", "greater_than_sign")
        ).is_following
        await reads(pilot, "– now")
        assert (await press(pilot, "0")).window is None


async def test_a_window_at_the_end_follows_new_entries() -> None:
    app, source = app_of()
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "EMA 100")
        await press(pilot, "plus", "greater_than_sign", "greater_than_sign", "greater_than_sign")
        source.live.put_nowait(Received(b'{"step": 4000, "loss": 0.5}\n', len(LOG)))
        await reads(pilot, "4,000")
        await eventually(lambda: (screen_of(pilot).curves.curves[0].limits or (0, 0))[1] == 4000)


async def test_c_reads_all_curves_and_arrows_move_it_and_escape_ends_it() -> None:
    app, _ = app_of()
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "EMA 100")
        first = (await press(pilot, "c")).cursor
        assert first == 3302
        text = await reads(pilot, "at 3,302")
        assert text.count("at 3,302") == len(screen_of(pilot).curves.curves)
        moved = (await press(pilot, "left", "left")).cursor
        assert moved is not None
        assert moved < first
        await reads(pilot, f"at {moved:,.0f}")
        assert (await press(pilot, "right", "right")).cursor == pytest.approx(first, abs=150)
        await pilot.hover("#curve0", offset=(30, 5))
        await eventually(lambda: choice_of(pilot).cursor not in (None, first, moved))
        assert (await press(pilot, "escape")).cursor is None
        await pilot.hover("#curve0", offset=(40, 5))
        assert choice_of(pilot).cursor is None


async def test_enter_shows_one_metric_n_the_next_and_escape_all() -> None:
    app, _ = app_of()
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "milestones")
        await pilot.press("enter")
        text = await reads(pilot, "mean of last 50", "best", "entries 2,000")
        assert "milestones" not in text
        assert (await press(pilot, "n")).focus == "accuracy"
        assert (await press(pilot, "right")).focus == "grad_norm"
        assert (await press(pilot, "p", "p", "p")).focus == "noise_std"
        await pilot.press("escape")
        await reads(pilot, "milestones")


async def test_a_filter_is_previewed_with_every_key_kept_by_enter_and_given_up_by_escape() -> None:
    app, _ = app_of()
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "grad_norm 0")
        await pilot.press("slash", "d", "d", "t")
        await eventually(lambda: screen_of(pilot).visible_names() == ("ddtree_streak4", "ddtree_streak8"))
        await pilot.press("enter")
        await reads(pilot, "q quit")
        assert choice_of(pilot).pattern == "ddt"
        await pilot.press("slash", "asterisk", "z")
        await eventually(lambda: screen_of(pilot).visible_names() == ())
        await pilot.press("escape")
        await eventually(lambda: choice_of(pilot).pattern == "")
        await reads(pilot, "grad_norm 0", "q quit")


async def test_pages_turn_round() -> None:
    app, _ = app_of()
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "EMA 100")
        assert (await press(pilot, "n")).page == 1
        await reads(pilot, "page 2 of 6")
        assert (await press(pilot, "p", "p")).page == 5
        assert (await press(pilot, "pagedown")).page == 0


async def test_a_metric_is_hidden_pinned_and_shown_again() -> None:
    app, _ = app_of()
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "EMA 100")
        assert (await press(pilot, "h")).hidden == ("loss",)
        await eventually(lambda: screen_of(pilot).visible_names()[0] == "accuracy")
        assert (await press(pilot, "H")).hidden == ()
        await press(pilot, "tab", "tab")
        assert (await press(pilot, "P")).pinned == ("accuracy",)
        await reads(pilot, "* accuracy")
        assert screen_of(pilot).visible_names()[0] == "accuracy"
        await press(pilot, "shift+tab")
        assert (await press(pilot, "P")).pinned == ()


async def test_the_wheel_zooms_a_drag_chooses_a_range_a_click_points_and_a_double_click_opens() -> None:
    app, _ = app_of()
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "EMA 100")
        plot = pilot.app.screen.query_one("#curve0", CurvePlot)
        plot.post_message(plot.Zoomed(1000.0, 2))
        await pilot.pause()
        low, high = choice_of(pilot).window or (0, 0)
        assert (1000 - low) / (high - low) == pytest.approx(1000 / 3302, abs=0.01)
        plot.post_message(plot.Panned(-0.1))
        await pilot.pause()
        assert (choice_of(pilot).window or (0, 0))[0] < low
        await pilot.press("0")
        await pilot.mouse_down("#curve0", offset=(20, 5))
        await pilot.hover("#curve0", offset=(40, 5))
        await reads(pilot, "░")
        await pilot.mouse_up("#curve0", offset=(40, 5))
        await pilot.pause()
        low, high = choice_of(pilot).window or (0, 0)
        assert 0 < low < high < 3302
        assert choice_of(pilot).cursor is None
        await pilot.click("#curve1", offset=(12, 4))
        await eventually(lambda: choice_of(pilot).cursor is not None)
        await pilot.press("escape", "0")
        await pilot.click("#curve1", offset=(12, 4), times=2)
        await eventually(lambda: choice_of(pilot).focus == "accuracy")


async def test_a_click_in_the_list_opens_a_metric() -> None:
    app, _ = app_of()
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "top4_acc")
        await pilot.click("#metrics", offset=(3, 1))
        await eventually(lambda: choice_of(pilot).focus == "grad_norm")


async def test_an_alerts_curve_is_shown_where_it_began() -> None:
    app, source = app_of()
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "EMA 100")
        nan = b'{"step": 3400, "loss": NaN, "accuracy": 0.2}\n'
        source.live.put_nowait(Received(nan, len(LOG)))
        await reads(pilot, "CRITICAL")
        await pilot.press("a")
        await reads(pilot, "nonfinite")
        await pilot.press("enter")
        await eventually(lambda: isinstance(app.screen, RunScreen) and choice_of(pilot).focus == "loss")
        assert choice_of(pilot).cursor == 3400
        await reads(pilot, "loss NaN at 3,400")


@pytest.mark.parametrize("size", [(20, 8), (44, 24), (300, 100)])
async def test_every_key_lives_at_every_size(size: tuple[int, int]) -> None:
    app, source = app_of(TOKENS)
    async with app.run_test(size=size) as pilot:
        await eventually(lambda: bool(screen_of(pilot)._panels.names))
        keys = "s l x X plus less_than_sign c left enter n L v h H P escape escape escape 0 -"
        for key in keys.replace(" - ", " minus ").split():
            await pilot.press(key)
        source.live.put_nowait(
            Received(b'{"step": 301, "loss": 0.5, "acc": 1.0, "tokens": 2e12}\n', len(TOKENS))
        )
        await pilot.resize_terminal(max(20, size[0] // 2), max(8, size[1] // 2))
        await pilot.press("enter", "c", "left")
        await pilot.resize_terminal(*size)
        await pilot.pause()
        assert all(len(row) <= size[0] for row in screen_text(app).split("\n"))


async def test_a_thousand_metrics_are_pages() -> None:
    fields = {f"grad/layer{n}": n / 10 for n in range(1000)}
    text = "".join(json.dumps({"step": step, "loss": 1.0, **fields}) + "\n" for step in range(1, 4))
    app, _ = app_of(text)
    async with app.run_test(size=(200, 60)) as pilot:
        await reads(pilot, "loss 1.00")
        await pilot.press("n")
        await reads(pilot, "page 2 of 84", "grad/layer")
        await pilot.press("slash", *"layer999")
        await eventually(lambda: screen_of(pilot).visible_names() == ("grad/layer999",))


@pytest.mark.parametrize(
    "text",
    [
        '{"step": 1, "loss": 2.0}\n{"step": 2, "loss": 1.0}\n',
        '{"step": 1, "loss": NaN}\n{"step": 2, "loss": NaN}\n',
        '{"step": 1, "損失/訓練": 2.0, "準確率": 0.5}\n{"step": 2, "損失/訓練": 1.0, "準確率": 0.6}\n',
    ],
)
async def test_odd_logs_can_be_looked_at_in_every_way(text: str) -> None:
    app, _ = app_of(text)
    async with app.run_test(size=(120, 40)) as pilot:
        await eventually(lambda: bool(screen_of(pilot)._panels.names))
        for key in ("l", "X", "plus", "c", "left", "enter", "escape", "escape", "escape"):
            await pilot.press(key)
        await reads(pilot, "milestones")
