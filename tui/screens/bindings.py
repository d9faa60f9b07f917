"""The keys of a run's screen; each has a name that the configuration may give other keys to."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding, BindingType

_CURVES = Binding.Group("curves")
_WINDOW = Binding.Group("the range that curves show")
_TABLE = Binding.Group("milestones")
_RUNS = Binding.Group("runs")


def _key(
    key: str,
    action: str,
    label: str,
    doc: str = "",
    *,
    id: str,
    group: Binding.Group | None = None,
    show: bool = False,
    display: str | None = None,
) -> Binding:
    """A binding of this screen; `label` stands on the line of keys, `doc` in the help."""
    return Binding(
        key, action, label, show=show, key_display=display, tooltip=doc, id=f"run.{id}", group=group
    )


RUN_BINDINGS: Final[list[BindingType]] = [
    _key("q", "app.quit", "quit", "quit; nothing is left running over there", id="quit", show=True),
    _key("question_mark", "help", "help", "keys and signs", id="help", show=True, display="?"),
    _key(
        *("slash", "filter", "metrics", "show only metrics whose name has a text, or fits a pattern"),
        id="filter",
        group=_CURVES,
        show=True,
        display="/",
    ),
    _key(
        *("s", "cycle_smoothing", "smooth", "smooth over 20, 100, 500 entries, or not"),
        id="smooth",
        group=_CURVES,
        show=True,
    ),
    _key(
        *("l", "switch('log_y')", "log", "a logarithmic scale for the values, or a linear one"),
        id="log_y",
        group=_CURVES,
        show=True,
    ),
    _key(
        *("x", "cycle_axis", "axis", "over steps, tokens, epochs, time or the clock, as the log has them"),
        id="axis",
        group=_CURVES,
        show=True,
    ),
    _key(
        "m",
        "cycle_table",
        "table",
        "values at milestones, or their change",
        id="table",
        group=_TABLE,
        show=True,
    ),
    _key("a", "alerts", "alerts", "all alerts, and the numbers behind them", id="alerts", show=True),
    _key(
        "f", "filter_log", "log filter", "show only lines of the log that match", id="log_filter", show=True
    ),
    _key("e", "export", "export", "write the screen, a report or the data to a file", id="export", show=True),
    _key("L", "toggle_log", "log lines", "show or hide the log's last lines", id="log"),
    _key(
        "r",
        "switch('shows_reference')",
        "reference",
        "show or hide the reference",
        id="reference",
        group=_CURVES,
    ),
    _key(
        *("v", "switch('shows_superseded')", "replaced", "show or hide what a restart has replaced"),
        id="superseded",
        group=_CURVES,
    ),
    _key("X", "switch('log_x')", "log x", "a logarithmic x axis, or a linear one", id="log_x", group=_CURVES),
    _key("enter", "open", "one metric", "one metric on the whole screen", id="open", group=_CURVES),
    _key("n,pagedown", "turn(1)", "next", "the next metrics", id="next", group=_CURVES),
    _key("p,pageup", "turn(-1)", "before", "the metrics before", id="previous", group=_CURVES),
    _key("P", "pin", "pin", "put a metric first, or back into its place", id="pin", group=_CURVES),
    _key("h", "hide", "hide", "hide a metric", id="hide", group=_CURVES),
    _key("H", "show_hidden", "show all", "show what was hidden", id="show_hidden", group=_CURVES),
    _key(
        *("c", "crosshair", "read off", "read all curves at one place; then ← and → move it"),
        id="crosshair",
        group=_CURVES,
    ),
    _key("plus,equals_sign", "zoom(1)", "zoom in", id="zoom_in", group=_WINDOW, display="+"),
    _key("minus", "zoom(-1)", "zoom out", id="zoom_out", group=_WINDOW, display="-"),
    _key(*("less_than_sign,shift+left", "pan(-1)", "earlier"), id="pan_left", group=_WINDOW, display="<"),
    _key(*("greater_than_sign,shift+right", "pan(1)", "later"), id="pan_right", group=_WINDOW, display=">"),
    _key("0", "reset_window", "all of it", "the whole run again", id="reset", group=_WINDOW),
    _key("escape", "back", "back", "back, one thing at a time", id="back", display="Esc"),
    _key("up", "move(0,-1)", "up", "earlier milestones", id="up", group=_TABLE),
    _key("down", "move(0,1)", "down", "later milestones", id="down", group=_TABLE),
    _key("left", "move(-1,0)", "left", "columns, or the crosshair, to the left", id="left", group=_TABLE),
    _key("right", "move(1,0)", "right", "columns, or the crosshair, to the right", id="right", group=_TABLE),
    _key("o", "app.open_another", "open", "open another run", id="open_another", group=_RUNS, show=True),
    _key("R", "retry", "retry", "connect again at once", id="retry", group=_RUNS, show=True),
    _key(
        *("left_square_bracket", "app.switch_run(-1)", "run before", "the run before"),
        id="previous_run",
        group=_RUNS,
        display="[",
    ),
    _key(
        *("right_square_bracket", "app.switch_run(1)", "next run", "the next run"),
        id="next_run",
        group=_RUNS,
        display="]",
    ),
    _key("tab", "app.focus_next", "next panel", "the next panel", id="next_panel"),
    _key("shift+tab", "app.focus_previous", "panel before", "the panel before", id="previous_panel"),
]
