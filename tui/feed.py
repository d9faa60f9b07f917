"""One run, from its bytes to its verdict: the only writer of everything that is shown of it."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace

import numpy as np

from tui.config import HealthConfig
from tui.decode.batch import Batch
from tui.decode.decoder import Decoder, TailLine
from tui.events import (
    CaughtUp,
    FileReplaced,
    Glimpsed,
    LinkChanged,
    LinkState,
    Observed,
    Received,
    Skipped,
    SourceEvent,
)
from tui.health.alerts import Alert, Trend, Verdict, judge
from tui.health.ending import has_reached, says_end
from tui.health.findings import Explanation
from tui.health.liveness import Liveness, judge_liveness
from tui.health.present import Moment, Present
from tui.health.stall import MEMORY_GAPS, Cadence, measure_cadence
from tui.health.watch import RunHealth
from tui.listener import Listener, Replacement, tell_batch
from tui.preview import Past, Preview, find_header, make_preview
from tui.roles import Role
from tui.sources.base import LONG_BYTES, Source
from tui.sources.gather import gather
from tui.store.progress import Progress, entry_times
from tui.store.run import Run
from tui.target import Target

CADENCE_GAPS = 200
"""Over how many of the last gaps between entries the run's cadence is measured."""

LOOK_S = 1.0
"""Seconds between two looks at how long the log has been silent."""

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedOptions:
    """What a run is watched with, from the command line and the configuration.

    `metrics` are the fields to show, patterns allowed, in their order; None shows all. `milestones` likewise.
    Health is judged up to `until_step` where that is given.
    """

    name: str
    log_format: str | None = None
    metrics: tuple[str, ...] | None = None
    milestones: tuple[float, ...] | None = None
    roles: Mapping[str, Role] = field(default_factory=dict)
    total_steps: float | None = None
    is_finished: bool = False
    last_bytes: int | None = None
    until_step: float | None = None
    health: HealthConfig = field(default_factory=HealthConfig)


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
        self.replaced: list[Replacement] = []
        self.preview: Preview | None = None
        self.is_caught_up = False
        self.read_bytes = 0
        self.skipped_bytes = 0
        self.revision = 0
        self._source = source
        self._listener = listener
        self._clock = clock
        self._decoder = Decoder(options.log_format)
        self._health = RunHealth(options.roles, options.total_steps, options.health, options.until_step)
        self._glimpsed: Glimpsed | None = None
        self._read_to = 0
        self._reading_from: tuple[int, float] | None = None  # the byte and the time at which it began
        self._observed_at = 0.0
        self._byte_at: float | None = None
        self._entry_at: float | None = None
        self._arrivals: deque[tuple[float, float]] = deque(maxlen=CADENCE_GAPS + 1)  # when, and the step then
        self._arrival_gaps: deque[float] = deque(maxlen=MEMORY_GAPS)
        self._present = Present(options.health)
        self._ending = (-1, False)  # the run's revision, and whether its log said then that it is over

    # What is known

    @property
    def name(self) -> str:
        """The run's name."""
        return self.options.name

    @property
    def shown(self) -> Run:
        """What is to be shown as the run's present: the end of a long log until all before it has been read."""
        return self.preview.run if self.preview else self.run

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
        return self.run.malformed + self._decoder.doubted.malformed

    @property
    def dropped_values(self) -> int:
        """How many values were left out because the log has more different fields than anybody could look at."""
        return self._decoder.dropped_values

    @property
    def noise(self) -> int:
        """How many lines have nothing to do with the run."""
        return self.run.noise + self._decoder.doubted.noise

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
        return (*self._health.alerts, *self._present.alerts)

    @property
    def verdict(self) -> Verdict:
        """The health of the run; unknown as long as nothing could be read of it."""
        return judge(self.alerts) if self.run.entries else Verdict.UNKNOWN

    @property
    def trends(self) -> dict[str, Trend]:
        """How each metric that has a direction moves over its recent window."""
        return self._health.trends()

    def explain(self) -> list[Explanation]:
        """What each detector of each metric sees after the last entry."""
        return self._health.explain()

    @property
    def expected_s(self) -> float | None:
        """The usual time from one entry to the next, in seconds."""
        return self._cadence().expected_s

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
        is_finished = self.options.is_finished or self._is_over()
        return judge_liveness(self.last_byte_age_s(), self._cadence(), is_finished=is_finished)

    def progress(self) -> Progress:
        """How far the run is; where its log tells no time, by the pace at which entries arrive."""
        return self.run.progress(self._arrival_rate())

    def past(self) -> Past | None:
        """How far a long log has been read in; None once it has, or while nothing comes."""
        if self.is_caught_up or self.link.state is not LinkState.LIVE or self._reading_from is None:
            return None
        size = self.size_bytes or 0
        if size <= LONG_BYTES:
            return None
        began, began_at = self._reading_from
        read, taken_s = self._read_to - began, self._clock() - began_at
        left_s = (size - self._read_to) * taken_s / read if taken_s > 0.2 else None
        return Past(self._read_to - self.skipped_bytes, size - self.skipped_bytes, left_s)

    # What happens

    async def follow(self) -> None:
        """Follow the log until cancelled, and watch over its silence."""
        watching = asyncio.create_task(self._keep_looking())
        try:
            await self._read(follow=True)
            self.look()
        finally:
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching

    async def read(self) -> None:
        """Read what is there now, then return; `link` says how it went."""
        await self._read(follow=False)
        if self.options.is_finished:
            self._take_in(self._decoder.finish())
        self.look()

    def retry_now(self) -> None:
        """Cut short the wait for the next attempt to connect."""
        self._source.retry_now()

    def look(self) -> None:
        """Judge what time alone brings about, and how the log ends, as of now; nothing while it is still read in."""
        if not self.run.entries or not (self.is_caught_up or self.options.is_finished):
            return
        changes = self._present.look(self._observe_moment())
        self.revision += bool(changes)
        for change in changes if self._listener else ():
            self._listener.alert_changed(change)  # type: ignore[union-attr]

    def consume(self, event: SourceEvent) -> None:
        """Take in one event of the source."""
        match event:
            case Received():
                self._receive(event)
            case Skipped(head, size):
                self._skip(head, size)
            case Glimpsed():
                self._glimpsed, self._reading_from = event, None
            case Observed():
                self._observe(event)
            case LinkChanged():
                self._change_link(event)
            case FileReplaced():
                self._change_file(event)
            case CaughtUp():
                self.is_caught_up = True
                self._end_preview()
        self.revision += 1

    def _receive(self, received: Received) -> None:
        self.read_bytes += len(received.data)
        self._read_to = received.offset + len(received.data)
        if self._reading_from is None and not self.is_caught_up:
            self._reading_from = (received.offset, self._clock())
        self._byte_at = self._clock() if self.is_caught_up else None
        self._take_in(self._decoder.feed(received.data))
        self._look_ahead()

    def _change_link(self, link: LinkChanged) -> None:
        if link.state is LinkState.ENDED:
            self._take_in(self._decoder.finish())
        self.link = link
        if link.state not in (LinkState.LIVE, LinkState.STALE, LinkState.ENDED):
            self.is_caught_up, self._reading_from = False, None
        if self._listener:
            self._listener.link_changed(link)

    def _change_file(self, replaced: FileReplaced) -> None:
        self._take_in(self._decoder.finish())
        self.skipped_bytes = 0
        self.replaced.append(Replacement(replaced.reason, replaced.gap))
        self._end_preview()
        if self._listener:
            self._listener.file_replaced(replaced)

    def _skip(self, head: bytes, size: int) -> None:
        """Begin in the midst of the log; what names its columns is read before."""
        self.skipped_bytes = size
        header = find_header(head, self.options.log_format)
        if header is None:
            why = f"{self.target.path} is in a format that has to be read from its start; leave out --last"
            self.consume(LinkChanged(LinkState.REFUSED, why))
        else:
            self._take_in(self._decoder.feed(header))

    def _look_ahead(self) -> None:
        """Show the end of the log, as soon as its beginning has told the format."""
        if self._glimpsed and self.run.entries:
            run = Run(self.options.roles, self.options.total_steps)
            self.preview = make_preview(self._glimpsed, self._decoder.format_name, run)
            self._glimpsed = None

    def _end_preview(self) -> None:
        self.preview = self._glimpsed = self._reading_from = None

    async def _read(self, *, follow: bool) -> None:
        async with aclosing(self._source.events(follow=follow)) as events:
            async for event in events if follow else gather(events):
                self.consume(event)
                if isinstance(event, Skipped) and self.link.state is LinkState.REFUSED:
                    return
                if isinstance(event, Received):
                    await asyncio.sleep(0)  # a long catch-up must not starve the screen

    async def _keep_looking(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            self.look()

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
            self._note_arrival()
            self._note_step(float(added.steps[0]))
        if self._listener:
            tell_batch(self._listener, self.run, batch, added.steps, changes)

    def _note_step(self, step: float) -> None:
        """An entry came: the changes of file just before it are known by its step from now on."""
        for place in range(len(self.replaced) - 1, -1, -1):
            if self.replaced[place].step is not None:
                return
            self.replaced[place] = replace(self.replaced[place], step=step)

    def _note_arrival(self) -> None:
        """Entries came: when, and how long after the others; what came while the log was read in tells nothing."""
        before, self._entry_at = self._entry_at, self._clock() if self.is_caught_up else None
        if self._entry_at is not None:
            self._arrivals.append((self._entry_at, self.run.last_step or 0.0))
            if before is not None:
                self._arrival_gaps.append(self._entry_at - before)

    def _cadence(self) -> Cadence:
        """How the log is written, as its entries arrived and by its own time."""
        main = self.run.main
        logged = main and (entry_times(main, MEMORY_GAPS) or entry_times(main, CADENCE_GAPS))
        gaps = np.diff(logged[1]) if logged else np.empty(0)
        return measure_cadence(np.array(self._arrival_gaps), gaps, self.options.health.pause_s or 0.0)

    def _observe_moment(self) -> Moment:
        now, age, cadence = self._clock(), self.last_byte_age_s(), self._cadence()
        can_tell = age is not None and self.link.state is LinkState.LIVE and not self.options.is_finished
        return Moment(
            now_s=now,
            written_at_s=now - age if can_tell and age is not None else None,
            cadence=cadence,
            step=self.run.last_step or 0.0,
            entry=self.run.entries - 1,
            is_over=age is not None and age > cadence.limit_s and self._is_over(is_silent=True),
            error=self.log_error,
        )

    def _is_over(self, *, is_silent: bool = False) -> bool:
        """Whether the run is at its end; of a silent one also where no entry is due before its goal."""
        run = self.run
        if self._ending[0] != run.revision:
            self._ending = (run.revision, says_end([line.text for line in self._decoder.tail]))
        steps = run.main.steps[-CADENCE_GAPS:] if run.main and is_silent else np.empty(0)
        cadence = float(np.median(np.diff(steps))) if len(steps) > 1 else 0.0
        return self._ending[1] or has_reached(run.last_step, self.progress().total_steps, cadence)

    def _arrival_rate(self) -> float | None:
        """Steps per second at which entries have been arriving, where several have."""
        if len(self._arrivals) < 3:
            return None
        (first_at, first_step), (last_at, last_step) = self._arrivals[0], self._arrivals[-1]
        rate = (last_step - first_step) / max(last_at - first_at, 1e-9)
        return rate if rate > 0 else None
