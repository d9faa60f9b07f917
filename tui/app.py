"""The composition root of the screen: feeds become workers, each run gets its screen, palettes become themes."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.worker import Worker

from tui.config import DisplayConfig, FleetConfig, NotifyConfig
from tui.events import LinkChanged, LinkState
from tui.feed import Feed
from tui.garbage import settle
from tui.notify.channels import find_channels, usable
from tui.notify.notifier import Notifier
from tui.roster import Member, Pattern, Roster
from tui.screens.configured import ConfigChanged, ConfiguredApp, Settings
from tui.screens.connect import ConnectScreen, Opener
from tui.screens.debug import DebugScreen
from tui.screens.fleet import FleetScreen
from tui.screens.kept import Kept, follow_usual, usual_display
from tui.screens.run import DisplayChanged, RetryAsked, RunScreen
from tui.screens.search import RunsFound, SearchScreen
from widgets import canvas

KEEP_S = 2.0
"""Seconds between two writings of how runs are shown, where that has changed."""


class MilepostApp(ConfiguredApp):
    """Follows all feeds at once, and shows one run at a time or all of them, one row each.

    Args:
        runs: What is watched.
        theme: The name of a palette; None is the default, without colours where NO_COLOR is set.
        is_calm: Whether nothing may flash.
        notify: Who is told of alerts when nobody looks; None for nobody.
        settings: The configuration and the palettes; None for the defaults.
        kept: Keeps how each run was shown; None for nothing.
        opener: Opens other runs; None where there are only these.

    Raises:
        UsageError: There is no palette of that name.
    """

    TITLE = "milepost"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "ctrl+r", "reset_display", "as at first", show=False, id="app.reset_display",
            tooltip="show the run as at first, and forget how it was shown",
        ),
        Binding(
            "f12", "debug", "figures", show=False, id="app.debug",
            tooltip="what the program itself does just now, in figures",
        ),
    ]  # fmt: skip

    def __init__(
        self,
        runs: Roster | Sequence[Feed],
        theme: str | None = None,
        *,
        is_calm: bool = False,
        notify: NotifyConfig | None = None,
        settings: Settings | None = None,
        kept: Kept | None = None,
        opener: Opener | None = None,
    ) -> None:
        super().__init__(theme, settings)
        self.roster = runs if isinstance(runs, Roster) else Roster(runs)
        self._shown: Member | None = None
        self._fleet: FleetScreen | None = None
        self._columns = (settings.config.fleet if settings else FleetConfig()).columns
        self._has_base = False
        self._screens: dict[Member, RunScreen | SearchScreen] = {}
        self._followers: dict[Member, Worker[None]] = {}
        self._opener = opener
        self._opened: set[Member] = set()  # by way of the connect screen
        self._is_calm = is_calm
        self._notify = notify
        self._kept = kept
        self._usual = usual_display(settings.config.display if settings else DisplayConfig())

    def on_mount(self) -> None:
        """Follow all that is there and all that comes, and show the first; without any, ask what to open."""
        settle()
        if not self.is_headless:
            self.call_after_refresh(canvas.load)
        self.roster.tell(self._join)
        if self._notify:
            self._notify_by(self._notify)
        if self._opener:
            self.run_worker(self._opener.keep_noting(), exit_on_error=False)
        if self._kept:
            self.set_interval(KEEP_S, self._keep)
        if len(self.roster.places) > 1:
            self.action_show_fleet()
        elif self.roster.places:
            self._show(self.roster.places[0])
        elif self._opener:
            self.push_screen(ConnectScreen(self._opener, is_first=True), self._take)

    def action_switch_run(self, by: int) -> None:
        """Show the next run, or the one before."""
        places = self.roster.places
        if self._shown in places:
            self._show(places[(places.index(self._shown) + by) % len(places)])

    def action_show_fleet(self) -> None:
        """Show all runs, where there are several."""
        if len(self.roster.places) < 2:
            return
        if self._fleet is None:
            self._fleet = FleetScreen(self.roster, self._columns)
            self.install_screen(self._fleet, "fleet")
        self._fleet.chosen = self._shown or self._fleet.chosen
        self._bring(self._fleet)

    def on_fleet_screen_opened(self, event: FleetScreen.Opened) -> None:
        """Show the run that was chosen among all."""
        self._show(event.member)

    def on_run_screen_left(self, event: RunScreen.Left) -> None:
        """Back from one run to all of them."""
        self.action_show_fleet()

    def action_open_another(self) -> None:
        """Ask what to open; an address that leads nowhere stands there, to be bettered."""
        if self._opener is None:
            self._warn("there is nothing else to open here; start milepost without a target")
            return
        wrong = self._shown if self._shown and leads_nowhere(self._shown) else None
        text, trouble = (wrong.target.text, wrong.link.detail or "") if wrong else ("", "")
        self.push_screen(ConnectScreen(self._opener, text, trouble), self._take)

    def on_runs_found(self, event: RunsFound) -> None:
        """Show the run that a pattern has brought in the place of the search for it, or all of several.

        Another screen may have come above the search since it told; it tells again once it is on top.
        """
        if self._shown is event.pattern and self.screen is self._screens[event.pattern]:
            self._show(event.pattern.runs[0])
            self.action_show_fleet()
            self._forget(event.pattern)
            if event.pattern.left_out:
                self._warn(f"{event.pattern.left_out:,} more logs match {event.pattern.target.text}")

    def on_retry_asked(self, event: RetryAsked) -> None:
        """Connect all else on that host again too: a login lets all of them in."""
        for member in self.roster.members:
            if member is not event.feed and member.target.host == event.feed.target.host:
                member.retry_now()

    def on_config_changed(self, event: ConfigChanged) -> None:
        """Tell and show as the configuration says now; what needs the log to be read again is only told."""
        if self._notify and event.after.notify != event.before.notify:
            self._notify_by(event.after.notify)
        for run in self.roster.runs:
            if later := run.revise(event.revise(run.options)):
                self._warn(
                    f"{run.name}: what the configuration says of {', '.join(later)} holds when it is opened again"
                )

        usual = usual_display(event.after.display)
        for screen in self._run_screens():
            screen.choose(follow_usual(screen.choice, self._usual, usual))
        self._usual = usual

    # How runs are shown

    def on_display_changed(self, event: DisplayChanged) -> None:
        """Keep how a person wants to see a run."""
        if self._kept:
            self._kept.note(event.feed.target, event.choice, self._usual)

    def action_reset_display(self) -> None:
        """Show the run as at first, and forget how it was shown."""
        if isinstance(self.screen, RunScreen):
            self.screen.choose(self._usual)

    def action_debug(self) -> None:
        """Show what the program itself does just now."""
        self.push_screen(DebugScreen(lambda: self.roster.runs))

    def on_unmount(self) -> None:
        """Keep what was chosen last."""
        if self._kept:
            self._kept.flush()

    async def _keep(self) -> None:
        """Write what has been chosen lately, and tell of what can't be kept."""
        if self._kept and self._kept.is_waiting:
            await asyncio.to_thread(self._kept.flush)
        if self._kept:
            while self._kept.problems:
                self._warn(self._kept.problems.pop(0))

    def _run_screens(self) -> list[RunScreen]:
        return [screen for screen in self._screens.values() if isinstance(screen, RunScreen)]

    def _notify_by(self, settings: NotifyConfig) -> None:
        """Tell of alerts elsewhere too, instead of how that was done before."""
        channels = usable(find_channels(settings, os.environ, self._write))
        notifier = Notifier(settings, channels, self._warn)
        watching = notifier.keep_watch(lambda: self.roster.runs)
        self.run_worker(watching, group="notify", exclusive=True, exit_on_error=False)

    # The places

    def _join(self, member: Member) -> None:
        """Follow a run, or a search; what was counted before is one more now."""
        self._followers[member] = self.run_worker(self._follow(member), group="feeds", exit_on_error=False)
        self._number()

    def _take(self, opened: Member | None) -> None:
        """Show what was opened, in the place of a mistake that it corrects."""
        if opened is None:
            return
        before = self._shown
        self._opened.add(opened)
        self._show(opened)
        if before in self._opened and before is not self._shown and leads_nowhere(before):
            self.roster.drop(before)
            self._followers.pop(before).cancel()
            self._forget(before)

    def _show(self, place: Member) -> None:
        """Bring the screen of a place to the front; it keeps its state while others are shown."""
        if isinstance(place, Pattern) and place.runs:
            place = place.runs[0]
        if place not in self._screens:
            self._screens[place] = self._make_screen(place)
            self.install_screen(self._screens[place], f"place {id(place)}")
        self._bring(self._screens[place])
        self._shown = place
        self._number()

    def _bring(self, screen: Screen[None]) -> None:
        """Put a screen in the place of the one that is shown."""
        if self._has_base:
            self.switch_screen(screen)
        else:
            self.push_screen(screen)
        self._has_base = True

    def _forget(self, place: Member) -> None:
        """Let go of a screen that is not shown any more."""
        if place in self._screens:
            self.uninstall_screen(self._screens.pop(place))
            self._number()

    def _make_screen(self, place: Member) -> RunScreen | SearchScreen:
        if isinstance(place, Pattern):
            return SearchScreen(place)
        choice = self._kept.load(place.target, self._usual) if self._kept else self._usual
        return RunScreen(place, is_calm=self._is_calm, choice=choice)

    def _number(self) -> None:
        """Say on each screen which of how many it is."""
        places = self.roster.places
        for number, place in enumerate(places, 1):
            if place in self._screens:
                self._screens[place].position = f"{number}/{len(places)}" if len(places) > 1 else None

    def _warn(self, text: str) -> None:
        self.notify(text, severity="warning", markup=False)

    def _write(self, sequence: str) -> None:
        """Send a sequence to the terminal between two frames, by the way that frames take (as `App.bell` does)."""
        if self._driver is not None and not self.is_headless:
            self._driver.write(sequence)

    async def _follow(self, member: Member) -> None:
        try:
            await (self.roster.follow(member) if isinstance(member, Pattern) else member.follow())
        except Exception as error:  # noqa: BLE001 - a task's top level: told where it happened, the others go on
            self.log(error)
            fault = f"milepost itself failed on this log ({type(error).__name__}: {error}); please report it"
            link = LinkChanged(LinkState.REFUSED, fault)
            if isinstance(member, Pattern):
                member.link = link
            else:
                member.consume(link)


def leads_nowhere(place: Member) -> bool:
    """Whether nothing has come of a place, and something is in the way."""
    is_empty = not (place.runs if isinstance(place, Pattern) else place.run.entries)
    return is_empty and place.link.state in (LinkState.MISSING, LinkState.REFUSED, LinkState.RETRYING)
