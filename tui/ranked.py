"""What a feed knows of a run that every rank logs in a file of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tui.config import HealthConfig
from tui.decode.batch import Batch
from tui.health.alerts import Alert, AlertChange
from tui.health.lagging import Lagging
from tui.health.present import Moment
from tui.health.straggler import Slowest, Stragglers
from tui.health.watch import RunChange
from tui.health.wording import step_text
from tui.roles import Role
from tui.store.derived import AxisOf
from tui.store.ranks import Band, Ranks, RankState, Release, find_gaps, name_ranks

PATIENCE_S = 30.0
"""Seconds for which a rank that is far behind must have written nothing to be left out: writers fill blocks first."""


class Taken(NamedTuple):
    """What the run has logged since, and what that changed of alerts on its ranks."""

    batch: Batch
    changes: list[RunChange]


class Ranked:
    """The ranks of one run: joins their logs, and watches over each of them.

    Args:
        files: The ranks' files, as far as they are known from the start.
        axis_of: Tells the field of an entry that holds its step.
        roles: Roles by field name, where the guess is wrong.
        settings: What the configuration says of alerts.
        until_step: Entries beyond are not judged.
    """

    def __init__(
        self,
        files: Iterable[str],
        axis_of: AxisOf,
        roles: Mapping[str, Role],
        settings: HealthConfig,
        until_step: float | None = None,
    ) -> None:
        self._ranks = Ranks(axis_of)
        self._ranks.expect(files)
        self._stragglers = Stragglers(roles, settings, until_step)
        self._lagging = Lagging(settings)
        self._ages: dict[str, float] = {}  # by file, at `_observed_at`
        self._observed_at = 0.0

    # What is known

    @property
    def alerts(self) -> tuple[Alert, ...]:
        """Those on single ranks, in the order of their numbers."""
        return (*self._stragglers.alerts, *self._lagging.alerts)

    @property
    def names(self) -> dict[str, str]:
        """What each rank is called, by its file, in their order."""
        return name_ranks(self._ranks.files)

    @property
    def slowest(self) -> Slowest | None:
        """The slowest rank, where the logs tell."""
        return self._stragglers.slowest

    @property
    def missing(self) -> tuple[str, ...]:
        """Numbers of ranks that have no file, though later ones do."""
        return find_gaps(self.names.values())

    def states(self) -> tuple[RankState, ...]:
        """Where each rank is, in their order."""
        return self._ranks.states()

    def behind(self) -> tuple[RankState, ...]:
        """The ranks that were left out, and those of which entries came too late."""
        return tuple(state for state in self.states() if state.is_left_out or state.missed)

    def band(self, name: str) -> Band | None:
        """How far the ranks are apart in a metric; None where they never were."""
        return self._ranks.band(name)

    def laggard(self) -> str | None:
        """Which rank stopped first, as a part of a sentence; None where they stopped together."""
        states = self.states()
        last = max(states, key=lambda state: state.waiting, default=None)
        if last is None or not last.waiting:
            return None
        if last.last_step is None:
            return f"rank {last.name} has logged nothing"
        ahead = max(state.last_step for state in states if state.last_step is not None)
        return f"rank {last.name} stopped first, at step {step_text(last.last_step)} of {step_text(ahead)}"

    # What happens

    def take(self, file: str, batch: Batch) -> Taken:
        """A rank has logged these."""
        return self._judge(self._ranks.add(file, batch))

    def settle(self) -> Taken:
        """All that was there has been read."""
        return self._judge(self._ranks.settle())

    def flush(self) -> Taken:
        """No more will come."""
        return self._judge(self._ranks.flush())

    def observe(self, ages: Iterable[tuple[str, float]], now_s: float) -> None:
        """The far end told how many seconds ago each file was written to."""
        self._ages, self._observed_at = dict(ages), now_s
        self._ranks.expect(file for file in self._ages)

    def leave_out(self, now_s: float) -> Taken:
        """Go on without ranks that are far behind and silent."""
        return self._judge(
            self._ranks.leave_out(
                [file for file, age_s in self._ages_at(now_s).items() if age_s > PATIENCE_S]
            )
        )

    def look(self, moment: Moment) -> list[AlertChange]:
        """What time alone brings about."""
        names, ages = self.names, self._ages_at(moment.now_s)
        return self._lagging.look(
            moment, {names[file]: age_s for file, age_s in ages.items() if file in names}
        )

    def _ages_at(self, now_s: float) -> dict[str, float]:
        return {file: age_s + now_s - self._observed_at for file, age_s in self._ages.items()}

    def _judge(self, release: Release) -> Taken:
        changes = self._stragglers.judge(release.spreads, release.batch.entries, self.names)
        return Taken(release.batch, changes)
