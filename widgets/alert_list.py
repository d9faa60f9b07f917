"""All alerts of a run, with the numbers behind the one that is chosen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace
from textual.binding import Binding, BindingType
from textual.events import Click, MouseScrollDown, MouseScrollUp
from textual.geometry import Size
from textual.message import Message

from widgets import levels
from widgets.cells import Line
from widgets.drawing.alerts import Alert
from widgets.drawing.incidents import (
    ANY,
    ListView,
    alert_at,
    choose_alerts,
    draw_alerts,
    in_sight,
    lay_out_alerts,
    scrolled_to,
    selected,
)
from widgets.surface import Surface

_MANY = 10**6
"""A height that no list reaches."""


class Alerts(Struct, frozen=True):
    """The alerts in the order to show them."""

    alerts: tuple[Alert, ...] = ()


class AlertList(Surface[Alerts], can_focus=True):
    """Shows every alert in a line or two, and one of them whole."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "alert before", show=False, id="alerts.up", key_display="↑"),
        Binding("down,j", "move(1)", "next alert", show=False, id="alerts.down", key_display="↓"),
        Binding("pageup", "move(-5)", "five alerts up", show=False, id="alerts.page_up"),
        Binding("pagedown", "move(5)", "five alerts down", show=False, id="alerts.page_down"),
        Binding("home", "move(-100000)", "the first alert", show=False, id="alerts.first"),
        Binding("end", "move(100000)", "the last alert", show=False, id="alerts.last"),
        Binding("enter", "choose", "show its curves", show=False, id="alerts.curves"),
        Binding(
            "s",
            "filter_level",
            "severity",
            show=False,
            id="alerts.severity",
            tooltip="show alerts of one severity only",
        ),
        Binding(
            "t", "filter_kind", "type", show=False, id="alerts.type", tooltip="show alerts of one type only"
        ),
    ]

    class Chosen(Message):
        """A person wants to see the curves of an alert where it began."""

        def __init__(self, alert: Alert) -> None:
            super().__init__()
            self.alert = alert

    def __init__(self, data: Alerts, *, id: str | None = None) -> None:
        super().__init__(data, id=id)
        self.view = ListView()

    @property
    def selected(self) -> Alert | None:
        """The alert that is shown whole."""
        return selected(self.data.alerts, self.view)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as all alerts take at this width."""
        return 1 + max(len(lay_out_alerts(self.data.alerts, self.view, width, _MANY)[0]), 1)

    def draw(self, data: Alerts, width: int, height: int) -> list[Line]:
        """The part of the list that it is scrolled to."""
        return draw_alerts(data.alerts, width, height, self.view)

    def show(self, data: Alerts) -> None:
        """Show other alerts, which may take more or fewer rows."""
        if data != self.data:
            super().show(data)
            self.refresh(layout=True)

    def action_move(self, down: int) -> None:
        """Choose the next alert, or the one before."""
        self._look(scrolled_to(self.data.alerts, self.view, *self.size, down))

    def action_choose(self) -> None:
        """Ask for the curves of the alert that is chosen."""
        if self.selected is not None:
            self.post_message(self.Chosen(self.selected))

    def action_filter_level(self) -> None:
        """Show the alerts of the next severity only; after the last, those of all."""
        found = sorted({alert.level for alert in self.data.alerts}, key=lambda level: -levels.RANKS[level])
        self._filter(replace(self.view, level=_following(found, self.view.level)))

    def action_filter_kind(self) -> None:
        """Show the alerts of the next kind only; after the last, those of all."""
        found = dict.fromkeys(alert.kind for alert in self.data.alerts)
        self._filter(replace(self.view, kind=_following(found, self.view.kind)))

    def _filter(self, view: ListView) -> None:
        """Look at other alerts; a severity and a kind that nothing has together don't stay chosen together."""
        if not choose_alerts(self.data.alerts, view):
            is_level = view.level != self.view.level
            view = replace(view, kind=ANY) if is_level else replace(view, level=ANY)
        self._look(in_sight(self.data.alerts, replace(view, top=0), *self.size))

    def _look(self, view: ListView) -> None:
        self.view = view
        self.redraw()
        self.refresh(layout=True)

    def on_click(self, event: Click) -> None:
        """A click chooses an alert; a second one asks for its curves."""
        alert = alert_at(self.data.alerts, self.view, *self.size, event.y)
        if alert is None:
            return
        if event.chain > 1:
            self.action_choose()
        else:
            view = replace(self.view, number=alert.number)
            self._look(in_sight(self.data.alerts, view, *self.size))

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        """The wheel moves the rows."""
        event.stop()
        self._scroll(3)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        """The wheel moves the rows."""
        event.stop()
        self._scroll(-3)

    def _scroll(self, down: int) -> None:
        width, height = self.size
        rows = len(lay_out_alerts(self.data.alerts, self.view, width, height)[0])
        top = min(max(self.view.top + down, 0), max(rows - height + 1, 0))
        self._look(replace(self.view, top=top))


def _following(names: Iterable[str], name: str) -> str:
    """The one after `name`; after the last comes `ANY`, and after that the first."""
    ring = [ANY, *names]
    return ring[(ring.index(name) + 1) % len(ring)] if name in ring else ANY
