"""All alerts of a run over the screen: what, since when, and the evidence."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen

from widgets.alert_list import AlertList, Alerts
from widgets.drawing.alerts import Alert

CLOCK_S = 1.0
"""Seconds between two looks at the alerts."""


class AlertsScreen(ModalScreen[None]):
    """Lists the alerts, and goes on following them while it is open.

    Args:
        alerts: Gives the alerts as they are now, in the order to show them.
        name: The run's name.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,a,q", "dismiss", "close", key_display="Esc")]

    def __init__(self, alerts: Callable[[], tuple[Alert, ...]], name: str) -> None:
        super().__init__()
        self._alerts = alerts
        self._name = name

    def compose(self) -> ComposeResult:
        """One list that scrolls."""
        with VerticalScroll(classes="sheet"):
            yield AlertList(Alerts(self._alerts()))

    def on_mount(self) -> None:
        """Keep looking."""
        self.set_interval(CLOCK_S, self._refresh)

    def _refresh(self) -> None:
        self.query_one(AlertList).show(Alerts(self._alerts()))
