"""All detectors over one stream of one run: entries in, changes of alerts out."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from itertools import pairwise

import numpy as np
from msgspec.structs import replace

from tui.config import HealthConfig
from tui.decode.batch import Span
from tui.decode.grid import join_spans
from tui.health.absence import Absence, not_once_in
from tui.health.alerts import Alert, AlertChange, Severity, Trend
from tui.health.beside import Beside, TrainingLoss
from tui.health.findings import Explanation, Finding
from tui.health.ledger import Ledger
from tui.health.marks import Marks
from tui.health.roster import Roster
from tui.health.schedule import Schedule
from tui.health.tempo import Tempo
from tui.health.waiting import Waiting
from tui.health.wording import step_text
from tui.roles import Role

LARGEST_STEP = 1e15
"""Steps beyond are taken for this one: whole numbers end there, and the arithmetic of a broken log with them."""

REARMED_ENTRIES = 128
"""Entries after a restart until the detectors know the run again; as long the restart is shown."""


class Engine:
    """Judges a stream as it grows.

    What it says is a function of the entries alone: fed one by one, in any chunks or all at once, it returns
    the same changes in the same order. Memory is constant per metric.

    Args:
        roles: Roles by metric name, where the guess by name is wrong.
        settings: What the configuration says of alerts.
        total_steps: The planned end, where it is known; settable later. Only the severity of a plateau near the
            end depends on it.
        training: What is to be told of this stream's training loss, for others; or another's, beside which
            evaluations are set where this one has none.
    """

    def __init__(
        self,
        roles: Mapping[str, Role] | None = None,
        total_steps: float | None = None,
        settings: HealthConfig | None = None,
        training: TrainingLoss | Beside | None = None,
    ) -> None:
        roles = dict(roles or {})
        self._schedule = Schedule(total_steps)
        self._marks = Marks(self._schedule)
        self._roster = Roster(roles, self._schedule, settings, training)
        self._absence = Absence()
        self._waiting = Waiting(self._roster, self._absence)
        self._tempo = Tempo(roles)
        self._ledger = Ledger()
        self._entries = 0
        self._last_step = 0.0
        self._restart: Finding | None = None
        self._restarts = 0

    @property
    def alerts(self) -> tuple[Alert, ...]:
        """Every record there ever was, in order of number."""
        return self._ledger.alerts

    @property
    def total_steps(self) -> float | None:
        """The planned end of the run."""
        return self._schedule.total_steps

    @total_steps.setter
    def total_steps(self, steps: float | None) -> None:
        self._schedule.total_steps = steps

    def extend(self, span: Span) -> list[AlertChange]:
        """Judge the next entries; returns what they changed, in order of entry."""
        if len(span) > 1:
            self._waiting.forget()
        elif self._restart is None and self._waiting.admits(span, self._entries):
            self._waiting.add(span)
            return []
        return self._extend(join_spans([*self._waiting.take(), span]))

    def settle(self) -> list[AlertChange]:
        """Judge what waits for more to come. That changes no alert, but what others are told of this stream."""
        waiting = self._waiting.take()
        return self._extend(join_spans(waiting)) if waiting else []

    def _extend(self, span: Span) -> list[AlertChange]:
        changes: list[AlertChange] = []
        steps = np.minimum(np.maximum(span.steps, -LARGEST_STEP), LARGEST_STEP)
        span = self._tempo.add(Span(steps, span.columns))
        for portion in self._roster.portions(span):
            first, at = self._entries, 0
            for ended in self._absence.find(first, portion, self._roster.tracks):
                stop = ended.entry + 1 - first
                changes += self._judge(portion.slice(at, stop))
                why = not_once_in(ended.entry - ended.last)
                changes += self._end_series(ended.metric, float(portion.steps[stop - 1]), why)
                at = stop
            changes += self._judge(portion.slice(at, len(portion)))
        return changes

    def _judge(self, portion: Span) -> list[AlertChange]:
        """Judge entries in which no metric ends."""
        changes: list[AlertChange] = []
        for part in self._parts(portion, self._entries) if len(portion) else ():
            findings = [*self._roster.feed(part, self._entries), *self._end_restart(part)]
            self._entries, self._last_step = self._entries + len(part), float(part.steps[-1])
            if findings:
                changes += self._ledger.apply(sorted(findings, key=self._roster.order))
        return changes

    def _end_series(self, metric: str, step: float, why: str) -> list[AlertChange]:
        """A metric is no longer logged: nothing that is said of it goes on, and it would begin afresh."""
        changes = self._ledger.end_series(metric, self._entries - 1, step, why)
        self._roster.restart(self._ledger, (metric,), resumes=True)
        return changes

    def restart(self, step: float) -> list[AlertChange]:
        """The run went back to a step: clear what lay beyond, start all baselines afresh, and say so.

        Call it before the entry that showed it. Alerts with an earlier onset go on firing until the new
        attempt shows that they are over.
        """
        changes = self.settle()
        changes += self._ledger.clear_from(step, self._entries)
        if self._restart is not None:
            over = replace(self._restart, entry=self._entries, step=step, is_over=True)
            changes += self._ledger.apply([over])
        self._begin_attempt(resumes=True)
        self._tempo.restart()
        self._restarts += 1
        message = f"the run went back to step {step_text(step)}; health is judged from there on"
        self._restart = Finding(
            ("restart", "step", self._restarts), "restart", Severity.INFO,
            self._entries, step, self._entries, step, message, {"step": step},
        )  # fmt: skip
        return changes + self._ledger.apply([self._restart])

    def begin_segment(self, span: Span) -> list[AlertChange]:
        """A set of fields ended and another began with these entries, which have been judged already.

        Baselines start afresh and take these entries in; nothing is raised for them a second time. What was
        raised by comparing them with the fields before is cleared.
        """
        if not len(span):
            return []
        changes = self.settle()
        first, span = self._entries - len(span), self._tempo.measure_again(span)
        changes += self._ledger.clear_comparisons(first, float(span.steps[0]), self._entries - 1)
        why = f"another set of fields began at step {step_text(float(span.steps[0]))}"
        for metric in self._roster.tracks:
            if metric not in span.columns and self._absence.is_missed(metric, len(span)):
                changes += self._end_series(metric, float(span.steps[-1]), why)
        self._begin_attempt(resumes=False)
        for portion in self._roster.portions(span):
            for part in self._parts(portion, first):
                deque(self._roster.feed(part, first, is_repeated=True), maxlen=0)
                first += len(part)
        return changes

    def end(self, why: str) -> list[AlertChange]:
        """None of these metrics is logged any more, though others of the run are."""
        changes = self.settle()
        for metric in self._roster.tracks:
            changes += self._end_series(metric, self._last_step, why)
        return changes

    def trends(self) -> dict[str, Trend]:
        """How each metric that has a direction moves of late, by name; those with too few values are left out."""
        self.settle()
        return self._roster.trends()

    def explain(self) -> list[Explanation]:
        """What each detector sees now, metric by metric."""
        self.settle()
        return self._roster.explain()

    def _parts(self, portion: Span, first_entry: int) -> Iterator[Span]:
        """Cut entries, the first of which has this index, into parts that belong to one baseline."""
        lr = portion.columns.get(self._roster.lr_name or "")
        self._schedule.extend(first_entry, portion.steps)
        if lr is not None:
            self._schedule.extend_lr(first_entry + lr.at, portion.steps[lr.at], lr.values)
        marks = self._marks.find(first_entry, portion.steps, lr)
        for start, stop in pairwise(sorted({0, *marks, len(portion)})):
            if start in marks:
                self._begin_baselines(resumes=True)
            yield portion.slice(start, stop)

    def _end_restart(self, part: Span) -> Iterator[Finding]:
        """The remark on a restart is over when the detectors are armed again."""
        if self._restart is None:
            return
        where = self._restart.entry + REARMED_ENTRIES - self._entries
        if where < len(part):
            finding, self._restart = self._restart, None
            yield replace(finding, entry=self._entries + where, step=float(part.steps[where]), is_over=True)

    def _begin_attempt(self, *, resumes: bool) -> None:
        self._schedule.clear()
        self._marks.clear()
        self._begin_baselines(resumes=resumes)

    def _begin_baselines(self, *, resumes: bool) -> None:
        self._roster.restart(self._ledger, resumes=resumes)
