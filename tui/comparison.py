"""How a run stands to what it is compared with: references, goals, and where its metrics are heading."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from tui.config import Goal
from tui.events import LinkChanged, LinkState
from tui.health.alerts import Alert
from tui.roles import direction
from tui.store.milestones import Row, Table
from tui.store.projection import Projection, project
from tui.store.reference import Gap, Reference, from_run
from tui.store.run import Run

BENT_KINDS = frozenset(
    {"plateau", "decline", "cliff", "divergence", "overfit", "nonfinite", "frozen", "zero_loss"}
)
"""Alerts that say that a metric has left its course; while one fires, nothing is foretold of it."""


class Companion(Protocol):
    """Another run, whose log a run is compared with."""

    run: Run
    link: LinkChanged

    async def read(self) -> None:
        """Read what is there now; `link` says how it went."""


class Other(Struct, frozen=True):
    """Another run to compare with, and the words for where it is."""

    name: str
    source: str
    companion: Companion


class Outlook(Struct, frozen=True):
    """Where a metric is heading: what it will be at a step if it goes on as it did, and what it should be there."""

    metric: str
    projection: Projection
    goal: float | None = None
    is_reached: bool | None = None
    """Whether it will be there: all of the likely range as good as the goal, none of it (False), or some (None)."""


class Comparison:
    """What one run is compared with.

    Args:
        references: Those that are known already.
        others: Runs whose logs have to be read first.
        goals: Values to reach by some step, by metric.
    """

    def __init__(
        self,
        references: Sequence[Reference] = (),
        others: Sequence[Other] = (),
        goals: Mapping[str, Goal] | None = None,
    ) -> None:
        self.references = tuple(references)
        self.goals = dict(goals or {})
        self.revision = 0
        self._others = tuple(others)
        self._troubles: dict[str, str] = {}

    async def read(self) -> None:
        """Read the other runs' logs; one that can't be read is told by `problems`, and the others stand."""
        await asyncio.gather(*(self._read(other) for other in self._others))

    def problems(self, run: Run) -> list[str]:
        """What can't be compared, in one sentence each."""
        found = [f"reference {name}: {trouble}" for name, trouble in self._troubles.items()]
        for reference in self.references if run.entries else ():
            if not set(reference.curves) & set(run.fields):
                known = ", ".join(list(reference.curves)[:3])
                found.append(f"reference {reference.name} has no metric of this run; it has {known}")
        found += [
            f"goal: the log has no metric {name}"
            for name in self.goals
            if run.entries and name not in run.fields
        ]
        return found

    def gaps(self, run: Run, names: Iterable[str]) -> list[tuple[Reference, Gap]]:
        """How the metrics that have a direction stand to each reference now."""
        chosen = [(name, sign) for name in names if (sign := direction(run.role(name)))]
        found = [
            (reference, reference.gap(run, name, sign))
            for reference in self.references
            for name, sign in chosen
        ]
        return [(reference, gap) for reference, gap in found if gap is not None]

    def add_differences(self, table: Table) -> Table:
        """The table, each row with how its values differ from those of each reference at the same step."""
        if not self.references:
            return table
        return replace(
            table, rows=tuple(replace(row, differences=self._differences(row)) for row in table.rows)
        )

    def outlooks(
        self, run: Run, names: Iterable[str], last_step: float | None, alerts: Iterable[Alert]
    ) -> list[Outlook]:
        """What the metrics will be at their goals' steps, or else at the run's end, where their course has held."""
        bent = {
            name
            for alert in alerts
            if alert.is_firing and alert.kind in BENT_KINDS
            for name in (alert.metric, *alert.metrics)
        }
        found = []
        for name in names:
            sign, goal = direction(run.role(name)), self.goals.get(name)
            step = goal.step if goal else last_step
            if not sign or name in bent or step is None or (run.last_step or 0.0) >= step:
                continue
            points = run.points(name)
            projection = project(points.steps, points.values, step)
            if projection is not None:
                found.append(_judge(name, projection, goal, sign))
        return found

    def _differences(self, row: Row) -> dict[str, dict[str, float]]:
        found: dict[str, dict[str, float]] = {}
        for reference in self.references:
            for name, value in row.values.items():
                step = row.step_of(name)
                difference = None if step is None else reference.difference(name, step, value)
                if difference is not None:
                    found.setdefault(reference.name, {})[name] = difference
        return found

    async def _read(self, other: Other) -> None:
        await other.companion.read()
        link = other.companion.link
        if link.state not in (LinkState.LIVE, LinkState.ENDED):
            self._troubles[other.name] = link.detail or "its log could not be read"
        elif not other.companion.run.entries:
            self._troubles[other.name] = "its log holds no entry"
        else:
            self.references += (from_run(other.name, other.source, other.companion.run),)
        self.revision += 1


def _judge(metric: str, projection: Projection, goal: Goal | None, sign: int) -> Outlook:
    if goal is None:
        return Outlook(metric, projection)
    worst, best = sorted((sign * projection.low, sign * projection.high))
    is_reached = True if worst >= sign * goal.value else False if best < sign * goal.value else None
    return Outlook(metric, projection, goal.value, is_reached)
