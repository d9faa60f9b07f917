"""All alerts of a run over the screen: what, since when, and the evidence."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Resize
from textual.screen import ModalScreen

from tui.screens.help import named
from widgets.alert_list import AlertList, Alerts
from widgets.drawing.alerts import Alert
from widgets.drawing.keys import Key, Keys
from widgets.key_line import KeyLine

CLOCK_S = 1.0
"""Seconds between two looks at the alerts."""

ROOMY_FROM = 60
"""Columns from which the list stands in a frame; a narrow screen it fills."""

_KEYS = Keys(
    (
        Key("Enter", "curves", "choose"),
        Key("A", "acknowledge", "acknowledge"),
        Key("s", "severity", "filter_level"),
        Key("t", "type", "filter_kind"),
        Key("Esc", "close", "close"),
    )
)


class AlertsScreen(ModalScreen[Alert | None]):
    """Lists the alerts, and goes on following them while it is open; gives the one whose curves are wanted.

    Args:
        alerts: Gives the alerts as they are now, in the order to show them.
        acknowledge: Acknowledges an alert, or takes that back.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,a,q", "close", "close", key_display="Esc", id="alerts.close"),
        Binding(
            "A", "acknowledge", "acknowledge", tooltip="calm this alert, or take that back", id="alerts.calm"
        ),
    ]

    def __init__(self, alerts: Callable[[], tuple[Alert, ...]], acknowledge: Callable[[Alert], None]) -> None:
        super().__init__()
        self._alerts = alerts
        self._acknowledge = acknowledge

    def compose(self) -> ComposeResult:
        """The list, and its keys under it."""
        with Vertical(classes="sheet"):
            yield AlertList(Alerts(self._alerts()))
            yield KeyLine(_KEYS)

    def on_mount(self) -> None:
        """Keep looking."""
        self.call_after_refresh(lambda: self.query_one(KeyLine).show(named(self, _KEYS)))
        self.set_interval(CLOCK_S, self._refresh)

    def on_resize(self, event: Resize) -> None:
        """As many rows as the screen has for it; no frame where that would cost too much."""
        is_roomy = event.size.width >= ROOMY_FROM and event.size.height >= ROOMY_FROM // 3
        self.set_class(not is_roomy, "-bare")
        self.query_one(AlertList).styles.max_height = max(event.size.height - (7 if is_roomy else 1), 1)

    def action_close(self) -> None:
        """Close the list."""
        self.dismiss(None)

    def action_choose(self) -> None:
        """Close the list and show the curves of the alert that is chosen."""
        self.query_one(AlertList).action_choose()

    def action_filter_level(self) -> None:
        """Show one severity only."""
        self.query_one(AlertList).action_filter_level()

    def action_filter_kind(self) -> None:
        """Show one type only."""
        self.query_one(AlertList).action_filter_kind()

    def action_acknowledge(self) -> None:
        """Acknowledge the alert that is chosen, or take that back."""
        alert = self.query_one(AlertList).selected
        if alert is not None and alert.is_firing:
            self._acknowledge(alert)
            self._refresh()

    def on_alert_list_chosen(self, event: AlertList.Chosen) -> None:
        """The curves are behind this screen."""
        self.dismiss(event.alert)

    def _refresh(self) -> None:
        self.query_one(AlertList).show(Alerts(self._alerts()))
