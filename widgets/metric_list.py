"""Many metrics at a glance, one line each."""

from __future__ import annotations

from dataclasses import dataclass

from widgets.cells import Line
from widgets.drawing.metrics import Metric, draw_metrics
from widgets.surface import Surface


@dataclass(frozen=True, slots=True, eq=False)
class Metrics:
    """The metrics in their order, and the title of the panel; without one there is no rule above them."""

    metrics: tuple[Metric, ...] = ()
    title: str = ""


class MetricList(Surface[Metrics]):
    """Shows name, last value, change and sparkline of each metric."""

    def draw(self, data: Metrics, width: int, height: int) -> list[Line]:
        """The metrics, side by side where there is room."""
        return draw_metrics(data.metrics, width, height, title=data.title)
