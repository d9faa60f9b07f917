"""The screen of many runs: one row each, the worst on top; Enter opens one, and Esc there leads back."""

from __future__ import annotations

import time
from typing import ClassVar

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen

from tui.feed import Feed
from tui.memory import give_back
from tui.roster import Member, Roster
from tui.screens.compare import MOST_COMPARED, CompareScreen
from tui.screens.help import HelpScreen, key_line
from tui.screens.overview import Overview, show_rows
from widgets.drawing.fleet import COLUMNS, Fleet, FleetRow
from widgets.drawing.keys import Keys
from widgets.fleet_list import FleetList
from widgets.key_line import KeyLine
from widgets.pattern_line import PatternLine
from widgets.pick_list import PickList

REST_S = 3.0
"""Seconds after the last key or move of the mouse during which no row changes its place."""

CLOCK_S = 1.0
"""Seconds between two looks at the runs: what moves here are ages and last values."""


class FleetScreen(Screen[None]):
    """Lists all runs, and goes on following them.

    Args:
        roster: The runs; they are read, never written.
        columns: What a row tells.
    """

    class Opened(Message):
        """A run is to be seen alone."""

        def __init__(self, member: Member) -> None:
            super().__init__()
            self.member = member

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "app.quit", "quit", id="fleet.quit", tooltip="quit; nothing is left running over there"),
        Binding("question_mark", "help", "help", id="fleet.help", key_display="?", tooltip="keys and signs"),
        Binding("enter", "open", "open", id="fleet.open", tooltip="show the chosen run"),
        Binding("slash", "filter", "filter", id="fleet.filter", key_display="/",
                tooltip="show only runs whose name, host, state or alert has a text, or fits a pattern"),
        Binding("space", "mark", "mark", id="fleet.mark", tooltip="mark the run, to be compared with others"),
        Binding("c", "compare", "compare", id="fleet.compare",
                tooltip="draw the marked runs over each other; without a mark, those that are listed"),
        Binding("R", "retry", "retry", id="fleet.retry", key_display="R", tooltip="connect again at once"),
        Binding("o", "app.open_another", "add", id="fleet.open_another", tooltip="open another run"),
        Binding("escape", "all", "all", id="fleet.all", show=False, tooltip="show all runs again"),
        Binding("up,k", "move(-1)", "up", id="fleet.up", show=False, tooltip="the run above"),
        Binding("down,j", "move(1)", "down", id="fleet.down", show=False, tooltip="the run below"),
        Binding("pageup", "move(-10)", "ten up", id="fleet.page_up", show=False),
        Binding("pagedown", "move(10)", "ten down", id="fleet.page_down", show=False),
        Binding("home", "move(-100000)", "first", id="fleet.first", show=False),
        Binding("end", "move(100000)", "last", id="fleet.last", show=False),
    ]  # fmt: skip

    def __init__(self, roster: Roster, columns: tuple[str, ...] = COLUMNS) -> None:
        super().__init__()
        self.roster = roster
        self.columns = columns
        self.chosen: Member | None = None
        self.pattern = ""
        self._members: dict[int, Member] = {}
        self._fleet = Fleet()
        self._overview = Overview()
        self._rows: list[FleetRow] = []
        self._marked: list[Member] = []
        self._moved_at = -REST_S
        self._has_read = False
        self._first: Member | None = (
            None  # chosen because it is the first, as long as nobody has chosen another
        )

    def compose(self) -> ComposeResult:
        """The list, the row for a filter while one is typed, and the keys."""
        yield FleetList(id="fleet")
        yield PatternLine("runs with ", "gpu-box, or critical", id="ask")
        yield KeyLine(Keys(), id="keys")

    def on_mount(self) -> None:
        """Start the clock."""
        self.query_one("#ask").display = False
        self.set_interval(CLOCK_S, self.tick)
        self.tick()

    def on_screen_resume(self) -> None:
        """Back from a run: what has changed meanwhile is shown at once."""
        self.call_after_refresh(self.tick)

    def tick(self) -> None:
        """Look at the runs; nothing is drawn while another screen is on top."""
        if not self.is_current:
            return
        self._look()
        self.query_one(KeyLine).show(key_line(self))
        self._tidy_up()

    def _tidy_up(self) -> None:
        """Once all logs have been read in, what that took is needed no more."""
        had_read, self._has_read = self._has_read, all(run.is_caught_up for run in self.roster.runs)
        if self._has_read and not had_read:
            give_back()

    def _look(self) -> None:
        """See how the runs are, without a row moving away from a person who is about to choose it."""
        places = self.roster.places
        self._members = {id(member): member for member in places}
        self._marked = [member for member in self._marked if id(member) in self._members]
        is_busy = time.monotonic() - self._moved_at < REST_S
        in_sight = self.query_one(FleetList).in_sight()
        self._rows = self._overview.look(places, in_sight, self._marked, keeps_order=is_busy)
        self._show()

    def _show(self) -> None:
        """Show the rows that fit the filter, one of them chosen."""
        fleet = show_rows(self._rows, self._key(), self.pattern, self.columns)
        is_listed = fleet.chosen in {row.key for row in fleet.rows}
        if fleet.rows and (not is_listed or self.chosen is self._first):
            self.chosen = self._first = self._members[fleet.rows[0].key]
            fleet = replace(fleet, chosen=fleet.rows[0].key)
        self._fleet = fleet
        self.query_one(FleetList).show(fleet)

    def _key(self) -> int | None:
        return None if self.chosen is None else id(self.chosen)

    # What keys and the mouse do

    def action_move(self, by: int) -> None:
        """Choose another run."""
        self._moved_at = time.monotonic()
        keys = [row.key for row in self._fleet.rows]
        if keys:
            at = keys.index(self._fleet.chosen) if self._fleet.chosen in keys else 0
            self.chosen = self._members[keys[min(max(at + by, 0), len(keys) - 1)]]
            self._first = None
            self._show()

    def action_open(self) -> None:
        """Show the chosen run."""
        if self.chosen is not None:
            self.post_message(self.Opened(self.chosen))

    def on_pick_list_picked(self, event: PickList.Picked) -> None:
        """A click opens, as Enter does."""
        self.chosen = self._members.get(event.key, self.chosen)
        self.action_open()

    def on_pick_list_turned(self, event: PickList.Turned) -> None:
        """The wheel chooses."""
        self.action_move(event.by)

    def on_fleet_list_pointed(self, event: FleetList.Pointed) -> None:
        """Somebody is about to click."""
        self._moved_at = time.monotonic()

    def action_mark(self) -> None:
        """Choose the run to be compared with others, or not any more, and go to the next."""
        member = self.chosen
        if isinstance(member, Feed):
            is_marked = member in self._marked
            self._marked = [each for each in self._marked if each is not member] + [member] * (not is_marked)
            self._moved_at = time.monotonic()
            self._look()
        self.action_move(1)

    def action_compare(self) -> None:
        """Show the marked runs over each other, or the first of those that are listed."""
        listed = [self._members[row.key] for row in self._fleet.rows]
        runs = [
            member for member in self._marked or listed if isinstance(member, Feed) and member.shown.entries
        ]
        if len(runs) < 2:
            self.notify("comparing takes two runs that have logged something; space marks them", timeout=4)
            return
        if len(runs) > MOST_COMPARED:
            self.notify(
                f"the first {MOST_COMPARED} of {len(runs)} are compared; space marks others", timeout=4
            )
        names = {row.key: row.name for row in self._rows}
        chosen = runs[:MOST_COMPARED]
        self.app.push_screen(CompareScreen(chosen, [names.get(id(run), run.name) for run in chosen]))

    def action_filter(self) -> None:
        """Ask for a part of what a row says."""
        self.query_one("#ask").display = True
        self.query_one(PatternLine).ask(self.pattern)

    def action_all(self) -> None:
        """Show all runs again."""
        self.pattern = ""
        self._show()

    def on_pattern_line_typed(self, event: PatternLine.Typed) -> None:
        """Show at once what is found."""
        self.pattern = event.pattern
        self._show()

    def on_pattern_line_done(self, event: PatternLine.Done) -> None:
        """Keep what was found, or show everything again."""
        self.set_focus(None)
        self.query_one("#ask").display = False
        if not event.is_kept:
            self.action_all()

    def action_help(self) -> None:
        """Show what every key does."""
        self.app.push_screen(HelpScreen(tuple(self.active_bindings.values())))

    def action_retry(self) -> None:
        """Connect again, at once, what waits to be."""
        for member in self.roster.members:
            member.retry_now()
