"""The help, made from the bindings."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Static

from tests.onscreen import reads, screen_text
from tui.screens.configured import ConfiguredApp
from tui.screens.help import HelpScreen, doings, key_line, printed_key


class Panel(Static, can_focus=True):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("up", "up", "earlier lines", show=False)]


class Screened(Screen[None]):
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "smooth", "smooth", id="run.smooth", tooltip="smooth the curves", group=Binding.Group("curves")),
        Binding("l,f5", "log", "log", tooltip="the log's last lines"),
        Binding("x", "off", "off"),
    ]  # fmt: skip

    def compose(self) -> ComposeResult:
        yield Panel()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return None if action == "off" else True


class Sample(ConfiguredApp):
    def on_mount(self) -> None:
        self.push_screen(Screened())


def test_a_key_is_printed_as_a_keyboard_has_it() -> None:
    keys = [
        "question_mark",
        "left_square_bracket",
        "slash",
        "up",
        "escape",
        "ctrl+s",
        "shift+tab",
        "f5",
        "R",
        "pagedown",
    ]
    printed = [printed_key(Binding(key, "")) for key in keys]
    assert printed == ["?", "[", "/", "↑", "Esc", "Ctrl+S", "Shift+Tab", "F5", "R", "PgDn"]


async def test_what_can_be_done_comes_with_its_keys_and_where_it_belongs() -> None:
    app = Sample()
    async with app.run_test() as pilot:
        await pilot.press("tab")
        found = [(each.keys, each.doc, each.group) for each in doings(app.screen.active_bindings.values())]
        assert (("s",), "smooth the curves", "curves") in found
        assert (("l", "F5"), "the log's last lines", "screened") in found
        assert (("↑",), "earlier lines", "panel") in found
        assert ({"Ctrl+Q", "Ctrl+C"}, "quit", "everywhere") in [(set(keys), *rest) for keys, *rest in found]
        assert not any(doc == "off" for _, doc, _ in found)


async def test_a_remapped_key_is_in_the_help_and_in_the_bottom_row() -> None:
    app = Sample()
    async with app.run_test() as pilot:
        app.set_keymap({"run.smooth": "S,f2"})
        await pilot.pause()
        assert [(key.key, key.label) for key in key_line(app.screen).keys] == [
            ("S", "smooth"),
            ("l", "log"),
            ("x", "off"),
        ]
        app.push_screen(HelpScreen(app.screen.active_bindings.values()))
        text = await reads(pilot, "curves", "S F2", "smooth the curves", "signs")
        assert " s  smooth" not in text


async def test_it_scrolls_where_it_is_higher_than_the_screen() -> None:
    app = Sample()
    async with app.run_test(size=(40, 20)) as pilot:
        app.push_screen(HelpScreen(app.screen.active_bindings.values()))
        text = await reads(pilot, "smooth the curves")
        assert "the entry has no such field" not in text
        await pilot.press("end")
        await reads(pilot, "such field")
        await pilot.press("escape")
        await pilot.pause()
        assert "such field" not in screen_text(app)
