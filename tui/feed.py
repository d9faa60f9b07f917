"""One run, from its bytes to its verdict: the only writer of everything that is shown of it."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from tui.decode.batch import Batch, Floats
from tui.decode.decoder import Decoder, TailLine
from tui.events import CaughtUp, FileReplaced, LinkChanged, LinkState, Observed, Received, SourceEvent
from tui.health.alerts import Alert, AlertChange, Trend, Verdict
from tui.health.liveness import ENOUGH_GAPS, Liveness, judge_liveness
from tui.health.watch import RunChange, RunHealth
from tui.roles import Role, find_axis
from tui.sources.base import Source
from tui.store.progress import Progress, entry_times
from tui.store.run import Run
from tui.target import Target

CADENCE_GAPS = 200
"""Over how many of the last gaps between entries the run's cadence is measured."""

Clock = Callable[[], float]


class Listener(Protocol):
    """Is told what comes in, as it comes, in the order of the log."""

    def entry_decoded(self, step: float, values: Mapping[str, float]) -> None:
        """One entry was read; its step is NaN where the log gave none that is a number."""

    def alert_changed(self, change: AlertChange) -> None:
        """An alert was raised, changed or cleared by the entry that was told last."""

    def link_changed(self, link: LinkChanged) -> None:
        """The way to the log is in another state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedOptions:
    """What a run is watched with, from the command line and the configuration.

    `metrics` are the fields to show, patterns allowed, in their order; None shows all. `milestones` likewise.
    """

    name: str
    log_format: str | None = None
    metrics: tuple[str, ...] | None = None
    milestones: tuple[float, ...] | None = None
    roles: Mapping[str, Role] = field(default_factory=dict)
    total_steps: float | None = None
    is_finished: bool = False


class Feed:
    """Follows one log and keeps what is known of it. Everything public may be read at any time between awaits.

    Args:
        target: Where the log is.
        source: Where its bytes come from.
        options: What it is watched with.
        listener: Is told of entries, alerts and link states as they come.
        clock: Monotonic seconds.

    Raises:
        UsageError: The options name a log format that there is not.
    """

    def __init__(
        self,
        target: Target,
        source: Source,
        options: FeedOptions,
        listener: Listener | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        self.target = target
        self.options = options
        self.run = Run(options.roles, options.total_steps)
        self.link = LinkChanged(LinkState.CONNECTING)
        self.observed: Observed | None = None
        self.replaced: list[FileReplaced] = []
        self.is_caught_up = False
        self.read_bytes = 0
        self.revision = 0
        self._source = source
        self._listener = listener
        self._clock = clock
        self._decoder = Decoder(options.log_format)
        self._health = RunHealth(options.roles, options.total_steps)
        self._observed_at = 0.0
        self._byte_at: float | None = None
        self._entry_at: float | None = None
        self._arrivals: deque[tuple[float, float]] = deque(maxlen=CADENCE_GAPS + 1)  # when, and the step then

    # What is known

    @property
    def name(self) -> str:
        """The run's name."""
        return self.options.name

    @property
    def format(self) -> str | None:
        """The name of the log's format, None before there is an entry."""
        return self._decoder.format_name if self.run.entries else None

    @property
    def tail(self) -> tuple[TailLine, ...]:
        """The last lines of the log, oldest first, safe to show."""
        return self._decoder.tail

    @property
    def malformed(self) -> int:
        """How many lines could not be read."""
        return self.run.malformed

    @property
    def unreadable(self) -> str | None:
        """Why nothing can be read from the file, as the end of a sentence about it; None where all is well."""
        return self._decoder.unreadable

    @property
    def log_error(self) -> str | None:
        """The error in which the log ends, in one line; None where it ends in none."""
        return self._decoder.error

    @property
    def size_bytes(self) -> int | None:
        """The size of the file when the far end last told it."""
        return self.observed.size if self.observed else None

    @property
    def alerts(self) -> tuple[Alert, ...]:
        """All alerts that were ever raised, in the order of their numbers."""
        return self._health.alerts

    @property
    def verdict(self) -> Verdict:
        """The health of the run; unknown as long as nothing could be read of it."""
        return self._health.verdict if self.run.entries else Verdict.UNKNOWN

    @property
    def trends(self) -> dict[str, Trend]:
        """How each metric that has a direction moves over its recent window."""
        return self._health.trends()

    @property
    def expected_s(self) -> float | None:
        """The usual time from one entry to the next, in seconds."""
        gaps = self._gaps()
        return float(np.median(gaps)) if len(gaps) else None

    def last_byte_age_s(self) -> float | None:
        """The age of the log's last write, by the clock of the machine that it is on."""
        now = self._clock()
        if self._byte_at is not None:
            return now - self._byte_at
        if self.observed is None:
            return None
        return max(0.0, self.observed.remote_now_s - self.observed.modified_s) + now - self._observed_at

    def last_entry_age_s(self) -> float | None:
        """The age of the last entry; that of the last write for one that was there before we came."""
        if not self.run.entries:
            return None
        return self.last_byte_age_s() if self._entry_at is None else self._clock() - self._entry_at

    def liveness(self) -> Liveness:
        """Whether the run is alive."""
        return judge_liveness(self.last_byte_age_s(), self._gaps(), is_finished=self.options.is_finished)

    def progress(self) -> Progress:
        """How far the run is; where its log tells no time, by the pace at which entries arrive."""
        return self.run.progress(self._arrival_rate())

    # What happens

    async def follow(self) -> None:
        """Follow the log until cancelled."""
        await self._read(follow=True)

    async def read(self) -> None:
        """Read what is there now, then return; `link` says how it went."""
        await self._read(follow=False)
        if self.options.is_finished:
            self._take_in(self._decoder.finish())

    def retry_now(self) -> None:
        """Cut short the wait for the next attempt to connect."""
        self._source.retry_now()

    def consume(self, event: SourceEvent) -> None:
        """Take in one event of the source."""
        match event:
            case Received(data):
                self.read_bytes += len(data)
                self._byte_at = self._clock() if self.is_caught_up else None
                self._take_in(self._decoder.feed(data))
            case Observed():
                self._observe(event)
            case LinkChanged():
                if event.state is LinkState.ENDED:
                    self._take_in(self._decoder.finish())
                self.link = event
                self.is_caught_up &= event.state in (LinkState.LIVE, LinkState.STALE, LinkState.ENDED)
                if self._listener:
                    self._listener.link_changed(event)
            case FileReplaced():
                self.replaced.append(event)
                self._take_in(self._decoder.finish())
            case CaughtUp():
                self.is_caught_up = True
        self.revision += 1

    async def _read(self, *, follow: bool) -> None:
        async with aclosing(self._source.events(follow=follow)) as events:
            async for event in events:
                self.consume(event)
                if isinstance(event, Received):
                    await asyncio.sleep(0)  # a long catch-up must not starve the screen

    def _observe(self, observed: Observed) -> None:
        now = self._clock()
        age = max(0.0, observed.remote_now_s - observed.modified_s)
        if self._byte_at is not None and now - self._byte_at > age + 2:  # touched, but not by new bytes
            self._byte_at = None
        self.observed, self._observed_at = observed, now

    def _take_in(self, batch: Batch) -> None:
        added = self.run.add(batch)
        changes = self._health.judge(added.pieces)
        if batch.entries:
            self._entry_at = self._clock() if self.is_caught_up else None
        if batch.entries and self._entry_at is not None:
            self._arrivals.append((self._entry_at, self.run.last_step or 0.0))
        if self._listener:
            _tell(self._listener, batch, added.steps, changes)

    def _gaps(self) -> Floats:
        """The last gaps between entries, in seconds: as they arrived, else by the log's own time."""
        gaps = np.diff(np.array([when for when, _ in self._arrivals]))
        main = self.run.main
        if len(gaps) < ENOUGH_GAPS and main is not None and (found := entry_times(main, CADENCE_GAPS + 1)):
            gaps = np.diff(found[1])
        return gaps[gaps > 0]

    def _arrival_rate(self) -> float | None:
        """Steps per second at which entries have been arriving, where several have."""
        if len(self._arrivals) < 3:
            return None
        (first_at, first_step), (last_at, last_step) = self._arrivals[0], self._arrivals[-1]
        rate = (last_step - first_step) / max(last_at - first_at, 1e-9)
        return rate if rate > 0 else None


def _tell(listener: Listener, batch: Batch, steps: Floats, changes: list[RunChange]) -> None:
    """Tell a batch entry by entry, each followed by what it did to the alerts."""
    rows: list[tuple[int, tuple[str, ...], Floats]] = []
    for group in batch.rows:
        rows += zip(group.at.tolist(), [group.fields] * len(group.at), group.values, strict=True)
    rows.sort(key=lambda row: row[0])
    pending = deque(changes)
    for at, fields, values in rows:
        named = dict(zip(fields, values.tolist(), strict=True))
        named.pop(find_axis(fields) or "", None)
        listener.entry_decoded(float(steps[at]), named)
        while pending and pending[0].at <= at:
            listener.alert_changed(pending.popleft().change)
