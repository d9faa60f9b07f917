"""The list of alerts, driven by keys and the mouse."""

from textual.app import App, ComposeResult

from tests.onscreen import reads
from tests.waiting import eventually
from tests.widgets.drawing.test_alerts import CLIFF, PLATEAU
from tests.widgets.drawing.test_incidents import ALERTS
from themes.palettes import DEFAULT, STYLE_SHEET, built_in, to_theme
from widgets.alert_list import AlertList, Alerts
from widgets.drawing.alerts import Alert


class Bench(App[None]):
    """Nothing but the list."""

    CSS_PATH = STYLE_SHEET

    def __init__(self) -> None:
        super().__init__()
        self.chosen: list[Alert] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return to_theme(built_in()[DEFAULT]).variables

    def compose(self) -> ComposeResult:
        yield AlertList(Alerts(ALERTS))

    def on_mount(self) -> None:
        self.query_one(AlertList).styles.height = "1fr"
        self.query_one(AlertList).focus()

    def on_alert_list_chosen(self, event: AlertList.Chosen) -> None:
        self.chosen.append(event.alert)


async def test_keys_choose_an_alert_and_enter_asks_for_its_curves() -> None:
    app = Bench()
    async with app.run_test(size=(80, 24)) as pilot:
        await reads(pilot, "▸ ✖ critical  loss cliff")
        await pilot.press("down")
        await reads(pilot, "▸ ▲ warning  plateau", "slope")
        await pilot.press("enter")
        await eventually(lambda: app.chosen == [PLATEAU])


async def test_a_click_chooses_and_a_double_click_asks_for_the_curves() -> None:
    app = Bench()
    async with app.run_test(size=(80, 24)) as pilot:
        text = await reads(pilot, "#2")
        row = next(index for index, line in enumerate(text.split("\n")) if "#2" in line)
        await pilot.click(AlertList, offset=(20, row))
        await reads(pilot, "▸ ▲ warning  plateau", "slope")
        await pilot.click(AlertList, offset=(20, 1), times=2)
        await eventually(lambda: app.chosen == [CLIFF])


async def test_filters_go_round_and_show_what_is_left() -> None:
    app = Bench()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("s")
        await reads(pilot, "only critical", "loss cliff")
        await pilot.press("s")
        await reads(pilot, "only warning", "plateau")
        await pilot.press("s", "t", "t")
        await reads(pilot, "only plateau")
        await pilot.press("t")
        await reads(pilot, "alerts  2 firing, 1 cleared")
