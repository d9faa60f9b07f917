"""The log's panel, driven by keys."""

from textual.app import App, ComposeResult

from tests.onscreen import reads, screen_text
from tests.waiting import eventually
from themes.palettes import DEFAULT, STYLE_SHEET, built_in, to_theme
from widgets.drawing.log import Log, LogLine
from widgets.log_tail import LogTail

LINES = tuple(LogLine(f'{{"step": {index}, "loss": 1.{index}}}', number=index) for index in range(1, 60))


class Bench(App[None]):
    """Nothing but the panel."""

    CSS_PATH = STYLE_SHEET

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return to_theme(built_in()[DEFAULT]).variables

    def compose(self) -> ComposeResult:
        yield LogTail(id="log")

    def on_mount(self) -> None:
        log = self.query_one(LogTail)
        log.styles.height = "1fr"
        log.show(Log(LINES))
        log.focus()

    async def action_quit(self) -> None:
        raise AssertionError("a letter of a filter did something else")


async def test_a_filter_is_previewed_as_it_is_written_and_kept_with_enter() -> None:
    app = Bench()
    async with app.run_test(size=(60, 10)) as pilot:
        await pilot.press("f", *"step", "space", "quotation_mark", "backspace", "backspace", *".*: 5.,")
        await reads(pilot, "filter step.*: 5.,", "step.*: 5.,: 10 of 59")
        await pilot.press("enter")
        await eventually(lambda: isinstance(app.focused, LogTail))
        assert '"step": 59' in screen_text(app)
        assert '"step": 49' not in screen_text(app)


async def test_escape_takes_back_what_is_being_written_and_then_the_filter() -> None:
    app = Bench()
    async with app.run_test(size=(60, 10)) as pilot:
        await pilot.press("f", "9", "enter")
        await reads(pilot, "9: 6 of 59")
        await pilot.press("f", "9")
        await reads(pilot, "99: 0 of 59")
        await pilot.press("escape")
        await reads(pilot, "9: 6 of 59")
        await pilot.press("escape")
        await eventually(lambda: "of 59" not in screen_text(app))


async def test_a_bad_expression_is_said_while_it_is_written() -> None:
    app = Bench()
    async with app.run_test(size=(60, 10)) as pilot:
        await pilot.press("f", "left_parenthesis")
        await reads(pilot, "taken as it is, not as a regular")


async def test_a_search_goes_from_find_to_find() -> None:
    app = Bench()
    async with app.run_test(size=(60, 10)) as pilot:
        await pilot.press("slash", *"1.2", "enter")
        await reads(pilot, "1.2: 11 of 11", '"step": 29', "paused")
        await pilot.press("N")
        await reads(pilot, "1.2: 10 of 11", '"step": 28')
        await pilot.press("n", "n")
        await reads(pilot, "1.2: 1 of 11", '"step": 2,')
        await pilot.press("escape", "end")
        await reads(pilot, '"step": 59')


async def test_it_pauses_when_scrolled_up_and_counts_what_comes() -> None:
    app = Bench()
    async with app.run_test(size=(60, 10)) as pilot:
        await pilot.press("up", "up")
        app.query_one(LogTail).show(Log((*LINES, LogLine("new", number=60))))
        await reads(pilot, "▼ 1 new", '"step": 57')
        await pilot.press("end")
        await reads(pilot, "new")
        assert "▼" not in screen_text(app)
