"""One run, from its bytes to its verdict: the only writer of everything that is shown of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import aclosing, nullcontext
from math import inf
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct, field
from msgspec.structs import fields, replace

from tui.beside import Beside
from tui.comparison import Comparison
from tui.config import DerivedConfig, Goal, HealthConfig, ReferenceConfig
from tui.decode.batch import Batch, count_values, join_batches
from tui.decode.decoder import Decoder
from tui.decode.tail import TailLine
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
    Switched,
)
from tui.health.alerts import Alert, Severity, Trend, Verdict, judge
from tui.health.ending import LAST_LINES, has_reached, says_end
from tui.health.findings import Explanation
from tui.health.liveness import Liveness, LivenessState, is_lost, judge_liveness
from tui.health.present import Moment, Present
from tui.health.stall import FLOOR_S, UNMEASURED, Cadence
from tui.health.watch import RunChange, RunHealth
from tui.listener import Listener, Replacement, tell_batch
from tui.memo import Memo
from tui.ordered import median
from tui.preview import Past, Preview, find_header, make_preview
from tui.pulse import CADENCE_GAPS, Clock, Pulse
from tui.roles import Role, direction
from tui.sources.base import LONG_BYTES, Source
from tui.store.budget import Budget
from tui.store.checkpoints import Best, Shelf, choose_metric, find_best, mark_rows
from tui.store.derived import Derivation
from tui.store.gpus import Gpus
from tui.store.hidden import Happening
from tui.store.milestones import Table
from tui.store.progress import Progress
from tui.store.run import Run
from tui.target import Target

if TYPE_CHECKING:
    from tui.ranked import Ranked

HELD_VALUES = 1 << 15
"""Values of the past that are stored and judged at once, in some 10 ms; smaller pieces take longer in all."""

LOOK_S = 1.0
"""Seconds between two looks at how long the log has been silent."""


class FeedOptions(Struct, frozen=True, kw_only=True):
    """What a run is watched with, from the command line and the configuration.

    `metrics` are the fields to show, patterns allowed, in their order; None shows all. `milestones` likewise.
    Health is judged up to `until_step` where that is given. `checkpoints` is the folder of the run's checkpoints, and
    `best` the metric by which one of them is the best. `has_ranks` says that each of its files is that of one rank.
    """

    name: str
    log_format: str | None = None
    metrics: tuple[str, ...] | None = None
    milestones: tuple[float, ...] | None = None
    roles: Mapping[str, Role] = field(default_factory=dict)
    total_steps: float | None = None
    budget: Budget = field(default_factory=Budget)
    rename: Mapping[str, str] = field(default_factory=dict)
    derived: Mapping[str, DerivedConfig] = field(default_factory=dict)
    reference: Mapping[str, ReferenceConfig] = field(default_factory=dict)
    goals: Mapping[str, Goal] = field(default_factory=dict)
    is_finished: bool = False
    last_bytes: int | None = None
    until_step: float | None = None
    health: HealthConfig = field(default_factory=HealthConfig)
    checkpoints: str | None = None
    best: str | None = None
    has_gpus: bool = True
    has_ranks: bool = False


class Feed:
    """Follows one log and keeps what is known of it. Everything public may be read at any time between awaits.

    Args:
        target: Where the log is.
        source: Where its bytes come from.
        options: What it is watched with.
        listener: Is told of entries, alerts and link states as they come.
        clock: Monotonic seconds.
        comparison: What the run is compared with.
        beside: Looks at what lies beside the log; None leaves that out.

    Raises:
        UsageError: The options name a log format that there is not.
        ConfigError: A derived metric can't be worked out.
    """

    def __init__(
        self,
        target: Target,
        source: Source,
        options: FeedOptions,
        listener: Listener | None = None,
        clock: Clock = time.monotonic,
        comparison: Comparison | None = None,
        beside: Beside | None = None,
    ) -> None:
        self.target = target
        self.options = options
        self.run = Run(options.roles, options.total_steps, options.budget)
        self._derivation = Derivation(options.rename, options.derived, self.run.axis_of)
        self.comparison = comparison or Comparison()
        self.gpus = Gpus()
        self._beside = beside
        self._beside_revision = 0
        self._is_running = False  # as of the last look
        self.link = LinkChanged(LinkState.CONNECTING)
        self.replaced: list[Replacement] = []
        self.preview: Preview | None = None
        self.is_caught_up = False
        self.past_alerts: Mapping[int, Severity] | None = (
            None  # those of what was there when the log was opened
        )
        self.read_bytes = 0
        self.skipped_bytes = 0
        self.revision = 0
        self.watchers: list[Callable[[], None]] = []  # are called when something has come
        self._source = source
        self._listener = listener
        self._clock = clock
        self._decoder = Decoder(options.log_format)
        self._held: list[
            Batch
        ] = []  # decoded pieces of the past that wait, up to a look, for those after them
        self._decoders: dict[str, Decoder] = {}  # by file, where the run is logged in several
        self._file = target.text  # whose bytes come
        self.ranks = self._make_ranks() if options.has_ranks else None
        self._health = RunHealth(options.roles, options.total_steps, options.health, options.until_step)
        self._glimpsed: Glimpsed | None = None
        self._read_to = 0
        self._reading_from: tuple[int, float] | None = None  # the byte and the time at which it began
        self._whole_at = -inf  # when all of the log was known, and then the way to it broke
        self._pulse = Pulse(clock)
        self._present = Present(options.health)
        self._paced: Memo[Cadence] = Memo()
        self._progressed: Memo[Progress] = Memo()
        self._ending: Memo[bool] = Memo()

    def _make_ranks(self) -> Ranked:
        from tui.ranked import Ranked  # few runs log their ranks apart

        options = self.options
        files = [part.text for part in self.target.parts if not part.has_pattern]
        return Ranked(files, self.run.axis_of, options.roles, options.health, options.until_step)

    # What is known

    @property
    def name(self) -> str:
        """The run's name."""
        return self.options.name

    def rename(self, name: str) -> None:
        """Call the run otherwise: a neighbour has come that looks like it."""
        self.options = replace(self.options, name=name)
        self.revision += 1

    def revise(self, options: FeedOptions) -> tuple[str, ...]:
        """Show the run as other options say; the names of those that would need its log to be read again."""
        self.options = replace(self.options, metrics=options.metrics, milestones=options.milestones)
        self.revision += 1
        mine = replace(options, name=self.options.name)
        return tuple(
            each.name for each in fields(mine) if getattr(mine, each.name) != getattr(self.options, each.name)
        )

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
        return self.run.malformed + sum(each.doubted.malformed for each in self._all_decoders())

    @property
    def dropped_values(self) -> int:
        """How many values were left out because the log has more different fields than anybody could look at."""
        return sum(each.dropped_values for each in self._all_decoders())

    @property
    def noise(self) -> int:
        """How many lines have nothing to do with the run."""
        return self.run.noise + sum(each.doubted.noise for each in self._all_decoders())

    @property
    def unreadable(self) -> str | None:
        """Why nothing can be read from the file, as the end of a sentence about it; None where all is well."""
        return self._decoder.unreadable

    def table(self, metrics: Sequence[str] | None = None, milestones: Sequence[float] | None = None) -> Table:
        """The milestone table, with what its rows hide; `milestones` stand in for those that it is watched with."""
        begun = [Happening(each.onset_step, each.kind, each.metrics) for each in self.alerts]
        table = self.run.table(milestones or self.options.milestones, metrics, begun)
        return self.annotate(table)

    def annotate(self, table: Table) -> Table:
        """The table with what it is compared with, and a mark where there is a checkpoint."""
        marked = mark_rows(table, self.shelf, self.run.main.cadence if self.run.main else None)
        return self.comparison.add_differences(marked)

    @property
    def shelf(self) -> Shelf | None:
        """The run's checkpoints, None where none are known of."""
        return self._beside.shelf if self._beside else None

    def best_checkpoint(self) -> Best | None:
        """The checkpoint at which a metric was best: the configured one, else a quality, else a loss."""
        roles = {name: self.run.role(name) for name in self.run.fields}
        metric = self.options.best or choose_metric(roles)
        if self.shelf is None or metric not in roles or not direction(roles[metric]):
            return None
        points = self.run.points(metric)
        return find_best(self.shelf, metric, points.steps, points.values, direction(roles[metric]))

    @property
    def problems(self) -> list[str]:
        """What the configuration asks of the log that it does not have: one sentence each, with file and key."""
        return [*self.mistakes, *self._derivation.remarks()]

    @property
    def mistakes(self) -> list[str]:
        """Those of them that somebody can put right: names and logs that are not there."""
        found = [*self._derivation.mistakes(), *self.comparison.problems(self.run)]
        if self.options.best and self.run.entries and self.options.best not in self.run.fields:
            found.append(f"best: the log has no metric {self.options.best}")
        return [*found, self._beside.trouble] if self._beside and self._beside.trouble else found

    @property
    def log_error(self) -> str | None:
        """The error in which the log ends, in one line; None where it ends in none."""
        return self._decoder.error

    @property
    def size_bytes(self) -> int | None:
        """The size of the file when the far end last told it."""
        observed = self._pulse.observed
        return observed.size if observed else None

    @property
    def alerts(self) -> tuple[Alert, ...]:
        """All alerts that were ever raised, in the order of their numbers."""
        return (*self._health.alerts, *self._present.alerts, *(self.ranks.alerts if self.ranks else ()))

    @property
    def verdict(self) -> Verdict:
        """The health of the run; unknown as long as nothing could be read of it, and where nobody can tell it.

        That is so while its log is out of reach, and while only the end of a long log is known. A silence changes
        nothing here: where the log's cadence is known, a stall is an alert, and else `liveness` says it.
        """
        return self.last_verdict if self._can_tell() else Verdict.UNKNOWN

    @property
    def last_verdict(self) -> Verdict:
        """The health of the run by what was read of it, however long ago."""
        return judge(self.alerts) if self.run.entries else Verdict.UNKNOWN

    def _can_tell(self) -> bool:
        """Whether what was read tells how the run is now."""
        return not (self.preview or is_lost(self.link.state, self._clock() - self._whole_at))

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
        return self._pulse.byte_age_s

    def last_entry_age_s(self) -> float | None:
        """The age of the last entry; that of the last write for one that was there before we came."""
        return self._pulse.entry_age_s if self.run.entries else None

    def liveness(self) -> Liveness:
        """Whether the run is alive."""
        return self._judge_liveness(self._cadence())

    def liveness_state(self) -> LivenessState:
        """The same in a word, for which nothing has to be measured where the log was written to just now."""
        return self._judge_liveness(self._cadence_at(self.last_byte_age_s())).state

    def _judge_liveness(self, cadence: Cadence) -> Liveness:
        age = self.last_byte_age_s()
        is_silent = age is not None and age > cadence.limit_s
        is_finished = self.options.is_finished or self._is_over(is_silent=is_silent)
        return judge_liveness(age, cadence, is_finished=is_finished)

    @property
    def is_going_on(self) -> bool:
        """Whether more is to be expected of it: it is not over, ends in no error, and is not silent for too long."""
        if self.link.state is LinkState.ENDED or self.log_error is not None:
            return False
        state = self.liveness_state()
        return state is LivenessState.LIVE or (
            state is LivenessState.UNKNOWN and self.last_byte_age_s() is None
        )

    def progress(self) -> Progress:
        """How far the run is; where its log tells no time, by the pace at which entries arrive."""
        seen = (self.revision, self.run.total_steps)
        return self._progressed.get(seen, lambda: self.run.progress(self._pulse.steps_per_s))

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
        beside = [asyncio.create_task(each) for each in (self._keep_looking(), self._compare())]
        if self._beside:
            beside.append(asyncio.create_task(self._beside.follow(self._take_gpu_line)))
        try:
            await self._read(follow=True)
            self.look()
        finally:
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)

    async def read(self) -> None:
        """Read what is there now, then return; `link` says how it went."""
        async with self._beside.reading(self._take_gpu_line) if self._beside else nullcontext():
            await asyncio.gather(self._read(follow=False), self._compare())
        if self.options.is_finished:
            self._finish()
        self.look()

    def retry_now(self) -> None:
        """Cut short the wait for the next attempt to connect."""
        self._source.retry_now()

    def look(self) -> None:
        """Judge what time alone brings about, and how the log ends, as of now; nothing while it is still read in."""
        self._release()
        for decoder in self._all_decoders():
            decoder.pack()
        if self._beside and self._beside.revision != self._beside_revision:
            self._beside_revision = self._beside.revision
            self.revision += 1
        if self.ranks and self.is_caught_up:
            self._enter(*self.ranks.leave_out(self._clock()))
        if not self.run.entries or not (self.is_caught_up or self.options.is_finished):
            return
        moment = self._observe_moment()
        self._is_running = moment.is_running
        changes = [*self._present.look(moment), *(self.ranks.look(moment) if self.ranks else ())]
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
            case Switched(file):
                self._switch(file)
            case CaughtUp():
                self._catch_up()
        self.revision += 1
        for watcher in self.watchers:
            watcher()

    def _catch_up(self) -> None:
        self._release()
        while self._decoder.pack():
            pass
        if self.ranks:
            self._enter(*self.ranks.settle())
        self.is_caught_up = True
        if self.past_alerts is None:
            self.past_alerts = {alert.number: alert.severity for alert in self.alerts}
        self._end_preview()

    def _receive(self, received: Received) -> None:
        self.read_bytes += len(received.data)
        self._read_to = received.offset + len(received.data)
        if self._reading_from is None and not self.is_caught_up:
            self._reading_from = (received.offset, self._clock())
        self._pulse.note_bytes(is_live=self.is_caught_up)
        decoded = self._decoder.feed(received.data)
        if self._is_behind() and count_values([*self._held, decoded]) < HELD_VALUES:
            self._held.append(decoded)
        else:
            self._take_in(decoded)
            self._look_ahead()

    def _is_behind(self) -> bool:
        """Whether more of the past is there already, so that a piece of it can wait for the next; the first can't."""
        return self.run.entries > 0 and not self.is_caught_up and (self.size_bytes or 0) > self._read_to

    def _switch(self, file: str) -> None:
        """Go on with another of the files that the run is logged in; each is decoded on its own."""
        self._release()
        if not self._decoders:
            self._decoders[file] = self._decoder
        self._file = file
        self._decoder = self._decoders.setdefault(file, Decoder(self.options.log_format))

    def _finish(self) -> None:
        for file, decoder in tuple(self._decoders.items()) or ((self._file, self._decoder),):
            self._file = file
            self._take_in(decoder.finish())
        if self.ranks:
            self._enter(*self.ranks.flush())

    def _all_decoders(self) -> Iterable[Decoder]:
        return self._decoders.values() or (self._decoder,)

    def _change_link(self, link: LinkChanged) -> None:
        self._release()
        if link.state is LinkState.ENDED:
            self._finish()
        was_whole = self.is_caught_up and self.link.state is LinkState.LIVE
        if was_whole and link.state is not LinkState.STALE:  # which has been silent already
            self._whole_at = self._clock()
        self.link = link
        if self._beside:
            self._beside.reach(is_open=link.state in (LinkState.LIVE, LinkState.ENDED))
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
            run = Run(self.options.roles, self.options.total_steps, self.options.budget)
            derivation = Derivation(self.options.rename, self.options.derived, run.axis_of)
            self.preview = make_preview(self._glimpsed, self._decoder.format_name, run, derivation)
            self._glimpsed = None

    def _end_preview(self) -> None:
        self.preview = self._glimpsed = self._reading_from = None

    async def _read(self, *, follow: bool) -> None:
        async with aclosing(self._source.events(follow=follow)) as events:
            async for event in events:
                self.consume(event)
                if isinstance(event, Skipped) and self.link.state is LinkState.REFUSED:
                    return
                if isinstance(event, Received):
                    await asyncio.sleep(0)  # a long catch-up must not starve the screen

    async def _compare(self) -> None:
        await self.comparison.read()
        self.revision += 1

    def _take_gpu_line(self, line: str | None) -> None:
        self.gpus.take_line(line, is_run_live=self._is_running)

    async def _keep_looking(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            self.look()

    def _observe(self, observed: Observed) -> None:
        self._pulse.observe(observed)
        if self.ranks:
            self.ranks.observe(observed.ages, self._clock())

    def _release(self) -> None:
        """Take in what waits."""
        if self._held:
            self._take_in(Batch())

    def _take_in(self, decoded: Batch) -> None:
        """Take in what was decoded, after that which has waited for it."""
        if self._held:
            decoded = join_batches([*self._held, decoded])
            self._held.clear()
        if self.ranks:
            self._enter(*self.ranks.take(self._file, decoded))
        else:
            self._enter(decoded)

    def _enter(self, logged: Batch, of_ranks: Sequence[RunChange] = ()) -> None:
        """Take in what the run has logged, and what that changed of alerts on its ranks."""
        batch = self._derivation.apply(logged)
        added = self.run.add(batch)
        changes = sorted([*self._health.judge(added.pieces), *of_ranks], key=lambda each: each.at)
        self.revision += bool(batch.entries)
        if batch.entries:
            self._pulse.note_entries(self.run.last_step or 0.0, is_live=self.is_caught_up)
            self._note_step(float(added.steps[0]))
        if self._listener:
            tell_batch(self._listener, self.run, batch, added.steps, changes)

    def _note_step(self, step: float) -> None:
        """An entry came: the changes of file just before it are known by its step from now on."""
        for place in range(len(self.replaced) - 1, -1, -1):
            if self.replaced[place].step is not None:
                return
            self.replaced[place] = replace(self.replaced[place], step=step)

    def _cadence(self) -> Cadence:
        """How the log is written."""
        return self._paced.get(self.revision, self._measure_cadence)

    def _cadence_at(self, age_s: float | None) -> Cadence:
        """The same, measured only where the log has been silent long enough for it to matter."""
        return UNMEASURED if age_s is None or age_s <= FLOOR_S else self._cadence()

    def _measure_cadence(self) -> Cadence:
        is_in_blocks = self._decoder.pending_bytes > 0  # the log ends in the middle of a line
        line_bytes = self.read_bytes / max(self.run.entries, 1)
        pause_s = self.options.health.pause_s or 0.0
        return self._pulse.measure_cadence(self.run.main, pause_s, line_bytes if is_in_blocks else None)

    def _observe_moment(self) -> Moment:
        now, age = self._clock(), self.last_byte_age_s()
        cadence = self._cadence_at(age)
        can_tell = age is not None and self.link.state is LinkState.LIVE and not self.options.is_finished
        return Moment(
            now_s=now,
            written_at_s=now - age if can_tell and age is not None else None,
            cadence=cadence,
            step=self.run.last_step or 0.0,
            entry=self.run.entries - 1,
            is_over=age is not None and age > cadence.limit_s and self._is_over(is_silent=True),
            error=self.log_error,
            left_s=self.progress().eta_s if self.shelf else None,
            shelf=self.shelf,
            gpus=self.gpus.hint(),
            laggard=self.ranks.laggard() if self.ranks else None,
        )

    def _is_over(self, *, is_silent: bool = False) -> bool:
        """Whether the run is at its end; of a silent one also where no entry is due before its goal."""
        seen = (self.revision, self.run.total_steps, is_silent)
        return self._ending.get(seen, lambda: self._find_end(is_silent=is_silent))

    def _find_end(self, *, is_silent: bool) -> bool:
        run = self.run
        if says_end(self._decoder.last_texts(LAST_LINES)):
            return True
        steps = run.main.steps[-CADENCE_GAPS:] if run.main and is_silent else np.empty(0)
        cadence = median(np.diff(steps)) if len(steps) > 1 else 0.0
        return has_reached(run.last_step, self.progress().goal_step, cadence)
