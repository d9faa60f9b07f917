"""Alerts that are calmed, the table sorted and copied, the log alone, borders moved: by keys and by the mouse."""

from tests.onscreen import reads, screen_text
from tests.recorded import Recorded, in_chunks
from tests.screens.test_run import LOG, NAN_LINE, app_of
from tests.waiting import eventually
from tui.app import MilepostApp
from tui.events import Received
from tui.screens.logs import LogScreen
from tui.screens.run import RunScreen
from widgets.alert_banner import AlertBanner
from widgets.log_tail import LogTail
from widgets.milestone_table import MilestoneTable

CRASH = b'Traceback (most recent call last):\n  File "train.py", line 1, in main\nRuntimeError: boom\n'


def broken() -> tuple[MilepostApp, Recorded]:
    return app_of([*in_chunks(LOG), Received(NAN_LINE, len(LOG))])


def run_screen(app: MilepostApp) -> RunScreen:
    assert isinstance(app.screen, RunScreen)
    return app.screen


async def test_an_acknowledged_alert_is_calm_until_it_is_taken_back() -> None:
    app, _ = broken()
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "✖ CRITICAL")
        await pilot.press("A")
        text = await reads(pilot, "1 acknowledged: nonfinite of loss")
        assert "✖ critical" in text  # the verdict is what it is
        await pilot.press("A")
        await reads(pilot, "✖ CRITICAL")


async def test_what_comes_after_an_acknowledged_alert_is_shown() -> None:
    app, source = broken()
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "✖ CRITICAL")
        await pilot.press("A")
        await reads(pilot, "1 acknowledged")
        source.live.put_nowait(Received(CRASH, 0))
        await reads(pilot, "log error", "RuntimeError: boom", "1 acknowledged")


async def test_an_alert_is_acknowledged_in_the_list_too() -> None:
    app, _ = broken()
    async with app.run_test(size=(100, 40)) as pilot:
        await reads(pilot, "✖ CRITICAL")
        await pilot.press("a")
        await reads(pilot, "1 firing, 0 cleared", "▸ ✖ critical  nonfinite of loss")
        await pilot.press("A")
        await reads(pilot, "1 acknowledged")
        await pilot.press("escape")
        await reads(pilot, "1 acknowledged: nonfinite of loss")


async def test_enter_in_the_list_puts_the_curve_there() -> None:
    app, _ = broken()
    async with app.run_test(size=(100, 30)) as pilot:
        await reads(pilot, "✖ CRITICAL")
        await pilot.press("a")
        await reads(pilot, "1 firing")
        await pilot.press("enter")
        await eventually(lambda: isinstance(app.screen, RunScreen))
        assert run_screen(app).choice.focus == "loss"
        assert run_screen(app).choice.cursor == 99_999.0


async def test_the_list_works_in_the_smallest_pane() -> None:
    app, _ = broken()
    async with app.run_test(size=(30, 12)) as pilot:
        await reads(pilot, "CRITICAL")
        await pilot.press("a")
        await reads(pilot, "alerts  1 firing", "nonfinite", "began about step")
        await pilot.press("down", "s", "t", "t", "s")
        await pilot.press("escape")
        await eventually(lambda: isinstance(app.screen, RunScreen))


async def test_nothing_flashes_where_animations_are_off() -> None:
    app, _ = broken()
    app.animation_level = "none"
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "CRITICAL")
        assert run_screen(app).query_one(AlertBanner).flashes == 0


async def test_the_table_is_sorted_by_key_and_by_its_header() -> None:
    app, _ = app_of(in_chunks(LOG))
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "milestones")
        await pilot.press("t")
        await reads(pilot, "milestones  by loss ↓")
        await pilot.press("i")
        await reads(pilot, "milestones  by loss ↑")
        header = next(row for row in screen_text(app).split("\n") if " accuracy " in row and "step" in row)
        table = run_screen(app).query_one(MilestoneTable)
        row = screen_text(app).split("\n").index(header) - table.region.y
        at = header.index("accuracy") - table.region.x
        await pilot.click(MilestoneTable, offset=(at, row))
        await reads(pilot, "milestones  by accuracy ↓")
        assert run_screen(app).choice.sort == ("accuracy", True)
        await pilot.click(MilestoneTable, offset=(at, row))
        await reads(pilot, "milestones  by accuracy ↑")


async def test_the_table_is_copied_as_markdown_and_as_text() -> None:
    app, _ = app_of(in_chunks(LOG))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await reads(pilot, "milestones")
        await pilot.press("y")
        await reads(pilot, "copied as markdown")
        assert app.clipboard.startswith("| step | loss | accuracy |")
        await pilot.press("Y")
        await eventually(lambda: app.clipboard.startswith("step"))
        assert "last 50" in app.clipboard


async def test_the_differences_to_a_reference_stand_in_the_table() -> None:
    app, _ = app_of(in_chunks(LOG))
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "milestones")
        await pilot.press("d")
        await reads(pilot, "difference to a reference", "no reference")
        await pilot.press("d")
        await reads(pilot, "milestones")


async def test_the_log_alone_keeps_its_filter_and_gives_it_back() -> None:
    app, _ = app_of(in_chunks(LOG))
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "milestones")
        await pilot.press("F")
        await eventually(lambda: isinstance(app.screen, LogScreen))
        await pilot.press("f", *"33.2", "enter")
        await reads(pilot, "33.2: ", "Esc back")
        await pilot.press("F")
        await eventually(lambda: isinstance(app.screen, RunScreen))
        assert run_screen(app).query_one(LogTail).view.pattern == "33.2"


async def test_escape_in_the_log_alone_takes_back_the_filter_and_then_closes() -> None:
    app, _ = app_of(in_chunks(LOG))
    async with app.run_test(size=(44, 20)) as pilot:
        await reads(pilot, "milestones")
        await pilot.press("F")
        await eventually(lambda: isinstance(app.screen, LogScreen))
        await pilot.press("f", "9", "enter", "escape")
        assert isinstance(app.screen, LogScreen)
        await pilot.press("escape")
        await eventually(lambda: isinstance(app.screen, RunScreen))


async def test_borders_are_dragged_and_0_puts_them_back() -> None:
    app, _ = app_of(in_chunks(LOG))
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "milestones", "EMA")
        screen = run_screen(app)
        usual = screen.arrangement.boxes["table"]
        await pilot.mouse_down(offset=(usual.x - 1, 20))
        await pilot.hover(offset=(usual.x - 11, 20))
        await pilot.mouse_up(offset=(usual.x - 11, 20))
        await eventually(lambda: screen.arrangement.boxes["table"].width == usual.width + 10)
        await pilot.press("0")
        await eventually(lambda: screen.arrangement.boxes["table"] == usual)
        assert screen.choice.splits == {}


async def test_the_border_over_the_log_is_dragged_by_its_rule() -> None:
    app, _ = app_of(in_chunks(LOG))
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "milestones", '{"step"')
        screen = run_screen(app)
        usual = screen.arrangement.boxes["log"]
        await pilot.mouse_down(offset=(usual.x + 30, usual.y))
        await pilot.hover(offset=(usual.x + 30, usual.y - 5))
        await pilot.mouse_up(offset=(usual.x + 30, usual.y - 5))
        await eventually(lambda: screen.arrangement.boxes["log"].y == usual.y - 5)


async def test_borders_move_by_keys_too() -> None:
    app, _ = app_of(in_chunks(LOG))
    async with app.run_test(size=(120, 40)) as pilot:
        await reads(pilot, "milestones")
        screen = run_screen(app)
        before = dict(screen.arrangement.boxes)
        await pilot.press("ctrl+left", "ctrl+up")
        await eventually(lambda: screen.arrangement.boxes["table"].width == before["table"].width + 2)
        assert screen.arrangement.boxes["log"].y == before["log"].y - 1
