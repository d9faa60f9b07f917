"""The pure step from a feed to what the widgets show; nothing in here knows of a screen."""

from __future__ import annotations

from msgspec import Struct

from tui.feed import Feed
from tui.screens.curves import view_curves
from tui.screens.display import Display
from tui.screens.incidents import view_alerts, view_banner
from tui.screens.panels import Panels, view_log, view_metrics, view_names, view_panels
from tui.screens.status import view_empty, view_notice, view_status
from widgets.drawing.alerts import Banner
from widgets.drawing.curve import Curve
from widgets.drawing.log import Log
from widgets.drawing.metrics import Metric
from widgets.drawing.notice import Notice
from widgets.drawing.status import Status

__all__ = [
    "Panels",
    "RunView",
    "build_view",
    "view_alerts",
    "view_banner",
    "view_curves",
    "view_empty",
    "view_log",
    "view_metrics",
    "view_names",
    "view_notice",
    "view_panels",
    "view_status",
]


class RunView(Struct, frozen=True, eq=False):
    """Everything that one screen shows of a run; `empty` stands in for the panels before the first entry."""

    status: Status
    banner: Banner
    notice: Notice | None
    panels: Panels
    curves: tuple[Curve, ...]
    metrics: tuple[Metric, ...]
    log: Log
    empty: Notice | None


def build_view(
    feed: Feed, display: Display | None = None, since_link_s: float = 0.0, position: str | None = None
) -> RunView:
    """All parts of the view at once; each has a function of its own, for a screen that needs only some."""
    display = display or Display()
    panels = view_panels(feed, display)
    return RunView(
        status=view_status(feed, position),
        banner=view_banner(feed),
        notice=view_notice(feed, since_link_s),
        panels=panels,
        curves=view_curves(feed, display, panels.names).curves,
        metrics=view_metrics(feed, panels.names),
        log=view_log(feed),
        empty=view_empty(feed, since_link_s),
    )
