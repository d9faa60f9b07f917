"""Many metrics at a glance, one line each."""

from __future__ import annotations

from msgspec import Struct
from textual.events import Click
from textual.message import Message

from widgets.cells import Line
from widgets.drawing.metrics import Metric, draw_metrics, metric_at
from widgets.surface import Surface


class Metrics(Struct, frozen=True, eq=False):
    """The metrics in their order, and the title of the panel; without one there is no rule above them.

    `more` counts those that come after them and have no room.
    """

    metrics: tuple[Metric, ...] = ()
    title: str = ""
    more: int = 0


class MetricList(Surface[Metrics]):
    """Shows name, last value, change and sparkline of each metric; a click opens one."""

    class Opened(Message):
        """A metric is to be seen alone."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def draw(self, data: Metrics, width: int, height: int) -> list[Line]:
        """The metrics, side by side where there is room."""
        return draw_metrics(data.metrics, width, height, title=data.title, more=data.more)

    def on_click(self, event: Click) -> None:
        """A click on a metric opens it."""
        metrics, (width, height) = self.data.metrics, self.size
        index = metric_at(len(metrics), width, height, event.x, event.y, title=self.data.title)
        if index is not None:
            self.post_message(self.Opened(metrics[index].name))
