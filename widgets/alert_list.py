"""All alerts of a run, with the numbers behind them."""

from __future__ import annotations

from dataclasses import dataclass

from textual.geometry import Size

from widgets.cells import Line
from widgets.drawing.alerts import Alert, draw_alerts
from widgets.surface import Surface


@dataclass(frozen=True, slots=True)
class Alerts:
    """The alerts in the order to show them."""

    alerts: tuple[Alert, ...] = ()


class AlertList(Surface[Alerts]):
    """Shows every alert whole; what is around it scrolls."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the alerts take at this width."""
        return len(draw_alerts(self.data.alerts, width))

    def draw(self, data: Alerts, width: int, height: int) -> list[Line]:
        """Message, steps and evidence of each alert."""
        return draw_alerts(data.alerts, width)

    def show(self, data: Alerts) -> None:
        """Show other alerts, which may take more or fewer rows."""
        is_other = data != self.data
        super().show(data)
        if is_other:
            self.refresh(layout=True)
