"""The alert that matters most, over the whole width, impossible to miss."""

from __future__ import annotations

from textual.timer import Timer

from widgets import levels
from widgets.cells import Line
from widgets.drawing.alerts import Banner, draw_banner
from widgets.surface import Surface

FLASHES = 3
"""How often the banner flashes when an alert is raised."""

PHASE_S = 0.3
"""Seconds that one reversed or steady phase lasts: three flashes take 1.8 s, well under three a second."""


class AlertBanner(Surface[Banner]):
    """Shows the first of the firing alerts; flashes when one is raised or becomes worse, then stays steady."""

    def __init__(self, *, id: str | None = None, is_calm: bool = False) -> None:
        super().__init__(Banner(), id=id)
        self.is_calm = is_calm
        self.flashes = 0
        self.is_flashing = False
        self._phases = 0
        self._timer: Timer | None = None

    def draw(self, data: Banner, width: int, height: int) -> list[Line]:
        """The banner, reversed while it flashes."""
        return draw_banner(data, width, height, is_flashing=self.is_flashing)

    def show(self, data: Banner) -> None:
        """Show other alerts, and flash where one of them is new or worse than it was."""
        seen = (*self.data.firing, *self.data.acknowledged)
        before = {alert.number: levels.RANKS[alert.level] for alert in seen}
        is_raised = any(levels.RANKS[alert.level] > before.get(alert.number, 0) for alert in data.firing)
        super().show(data)
        if is_raised:
            self._flash()

    def _flash(self) -> None:
        """Begin a series of flashes; one that is under way already goes on as it is."""
        if self.is_calm or self.app.animation_level == "none" or self._timer is not None:
            return
        self.flashes, self._phases = 0, 2 * FLASHES
        self._timer = self.set_interval(PHASE_S, self._next_phase)
        self._next_phase()

    def _next_phase(self) -> None:
        self._phases -= 1
        self.is_flashing = self._phases % 2 == 1
        self.flashes += self.is_flashing
        if self._phases <= 0 and self._timer is not None:
            self._timer.stop()
            self._timer = None
        self.redraw()
