"""From addresses to runs on the roster of a program that is running: at its start, and whenever another is opened."""

from __future__ import annotations

import argparse
import asyncio
import copy
import time
from collections.abc import AsyncGenerator, Sequence

from tui.commands.options import Plan, plan_runs, read_configuration
from tui.errors import UsageError
from tui.feed import Feed
from tui.find.around import FoundPlace, look_into
from tui.find.places import parse_place
from tui.recent import Recent
from tui.roster import Member, Pattern, Roster
from tui.screens.offers import Offers, make_offers
from tui.sources.search import Search
from tui.sources.ssh import Connections
from tui.sources.sshhosts import list_hosts
from tui.target import Target

NOTE_S = 2.0
"""Seconds between two looks at which addresses have turned out to be right, and are kept for the next time."""


class Opening:
    """Opens addresses with the options of one command line; implements `Opener`.

    Args:
        args: The command line.
        roster: Takes the runs.
        connections: The SSH connections that they share.
        recent: Keeps the addresses that were opened.
    """

    def __init__(
        self,
        args: argparse.Namespace,
        roster: Roster,
        connections: Connections,
        recent: Recent | None = None,
    ) -> None:
        self._args = args
        self._roster = roster
        self._connections = connections
        self._recent = recent or Recent()
        self._unsure: list[Member] = []  # what was opened, and has not shown yet that it is there

    def start(self, plans: Sequence[Plan], stdin: int = 0) -> None:
        """Let all runs of the command line join; `stdin` is the descriptor that `-` stands for."""
        for plan in plans:
            self._join(plan, stdin)

    def offer(self) -> Offers:
        """Recent addresses, runs and groups of the configuration, hosts of ssh_config."""
        config = read_configuration(self._args)
        named = {name: run.target for name, run in config.runs.items()} | dict(config.groups)
        return make_offers(self._recent.read(), named, list_hosts(), time.time())

    def open(self, text: str) -> Member:
        """Let the runs of an address or a name join; one that is there already is only found.

        Raises:
            MilepostError: It is no address, or the configuration has a mistake.
        """
        args = copy.copy(self._args)
        args.targets = [text]
        plans = plan_runs(args)
        if any(plan.target.is_stdin for plan in plans):
            raise UsageError("standard input can be read only where milepost is started: … | milepost -")
        members = [self._roster.find(plan.target.text) or self._join(plan) for plan in plans]
        return members[0]

    def find(self, text: str) -> AsyncGenerator[FoundPlace, None]:
        """Look for logs on a machine, over the connections that the runs share.

        Raises:
            TargetError: It is no place.
        """
        return look_into(parse_place(text), self._connections)

    async def keep_noting(self) -> None:
        """Keep the addresses under which something was found, until cancelled."""
        while True:
            found = [member for member in self._unsure if _is_found(member)]
            self._unsure = [member for member in self._unsure if member not in found]
            for member in found:
                await asyncio.to_thread(self._recent.note, member.target)
            await asyncio.sleep(NOTE_S)

    def _join(self, plan: Plan, stdin: int = 0) -> Member:
        member: Member
        if plan.target.has_pattern:
            member = self._seek(plan)
        else:
            member = plan.make_feed(self._connections, stdin=stdin, has_glimpses=True)
            self._roster.add(member, is_named=plan.is_named)
        self._unsure.append(member)
        return member

    def _seek(self, plan: Plan) -> Pattern:
        def open_run(target: Target) -> Feed:
            return plan.at(target).make_feed(self._connections, has_glimpses=True)

        search = Search(plan.target, self._connections)
        pattern = Pattern(search, open_run, is_named=plan.is_named)
        self._roster.seek(pattern)
        return pattern


def _is_found(member: Member) -> bool:
    return bool(member.runs if isinstance(member, Pattern) else member.run.entries)
