"""All detectors over one stream of one run: entries in, changes of alerts out."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np

from tui.config import HealthConfig
from tui.decode.batch import Span
from tui.health.alerts import Alert, AlertChange, Severity, Trend
from tui.health.findings import Detector, Explanation, Finding
from tui.health.headline import choose_main_loss, is_reward
from tui.health.ledger import Ledger
from tui.health.marks import Marks
from tui.health.plateau import Plateau
from tui.health.registry import make_detectors
from tui.health.schedule import Schedule
from tui.health.track import Track
from tui.health.wording import step_text
from tui.roles import Role, guess_role

PORTION = 4096
"""The most entries that are judged at once: enough for numpy, little enough for the processor's cache."""

LARGEST_STEP = 1e15
"""Steps beyond are taken for this one: whole numbers end there, and the arithmetic of a broken log with them."""

REARMED_ENTRIES = 128
"""Entries after a restart until the detectors know the run again; as long the restart is shown."""

_ROLE_ORDER = tuple(Role)


class Engine:
    """Judges a stream as it grows.

    What it says is a function of the entries alone: fed one by one, in any chunks or all at once, it returns
    the same changes in the same order. Memory is constant per metric.

    Args:
        roles: Roles by metric name, where the guess by name is wrong.
        settings: What the configuration says of alerts.
        total_steps: The planned end, where it is known; settable later. Only the severity of a plateau near
        the
            end depends on it.
    """

    def __init__(
        self,
        roles: Mapping[str, Role] | None = None,
        total_steps: float | None = None,
        settings: HealthConfig | None = None,
    ) -> None:
        self._settings = settings
        self._roles = dict(roles or {})
        self._schedule = Schedule(total_steps)
        self._marks = Marks(self._schedule)
        self._ledger = Ledger()
        self._tracks: dict[str, Track] = {}
        self._detectors: dict[str, list[Detector]] = {}
        self._ignored: set[str] = set()
        self._lr_name: str | None = None
        self._entries = 0
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
        changes: list[AlertChange] = []
        span = Span(np.clip(span.steps, -LARGEST_STEP, LARGEST_STEP), span.columns)
        for part in self._parts(span, self._entries):
            findings = [*self._feed(part, self._entries), *self._end_restart(part)]
            self._entries += len(part)
            changes += self._ledger.apply(sorted(findings, key=self._order))
        return changes

    def restart(self, step: float) -> list[AlertChange]:
        """The run went back to a step: clear what lay beyond, start all baselines afresh, and say so.

        Call it before the entry that showed it. Alerts with an earlier onset go on firing until the new
        attempt shows that they are over.
        """
        changes = self._ledger.clear_from(step, self._entries)
        if self._restart is not None:
            over = replace(self._restart, entry=self._entries, step=step, is_over=True)
            changes += self._ledger.apply([over])
        self._begin_attempt(resumes=True)
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
        first = self._entries - len(span)
        changes = self._ledger.clear_comparisons(first, float(span.steps[0]), self._entries - 1)
        self._begin_attempt(resumes=False)
        for part in self._parts(span, first):
            deque(self._feed(part, first, is_repeated=True), maxlen=0)
            first += len(part)
        return changes

    def trends(self) -> dict[str, Trend]:
        """How each metric that has a direction moves of late, by name; those with too few values are left out."""
        found = {
            name: detector.trend()
            for name, detectors in self._detectors.items()
            for detector in detectors
            if isinstance(detector, Plateau)
        }
        return {name: trend for name, trend in found.items() if trend is not None}

    def explain(self) -> list[Explanation]:
        """What each detector sees now, metric by metric."""
        return [detector.explain() for detectors in self._detectors.values() for detector in detectors]

    def _parts(self, span: Span, first_entry: int) -> Iterator[Span]:
        """Cut entries, the first of which has this index, into parts that belong to one baseline."""
        for portion in self._portions(span):
            lr = portion.columns.get(self._lr_name or "")
            self._schedule.extend(first_entry, portion.steps)
            if lr is not None:
                self._schedule.extend_lr(first_entry + lr.at, portion.steps[lr.at], lr.values)
            marks = self._marks.find(first_entry, portion.steps, lr)
            for start, stop in pairwise(sorted({0, *marks, len(portion)})):
                if start in marks:
                    self._begin_baselines(resumes=True)
                yield portion.slice(start, stop) if marks else portion
            first_entry += len(portion)

    def _portions(self, span: Span) -> Iterator[Span]:
        """Cut where a metric appears for the first time, for that may change which loss is the main one."""
        news = {
            int(column.at[0])
            for name, column in span.columns.items()
            if not self._knows(name) and len(column.at)
        }
        cuts = sorted(news | set(range(0, len(span), PORTION)) | {0, len(span)})
        for start, stop in pairwise(cuts):
            portion = span.slice(start, stop) if len(cuts) > 2 else span
            self._admit(portion)
            yield portion

    def _knows(self, name: str) -> bool:
        return name in self._tracks or name in self._ignored or name == self._lr_name

    def _admit(self, portion: Span) -> None:
        news = sorted(name for name in portion.columns if not self._knows(name))
        for name in news:
            role = self._roles.get(name) or guess_role(name)
            track = Track(name, role, self._schedule, self._settings)
            detectors = make_detectors(track)
            if role is Role.LR and self._lr_name is None:
                self._lr_name = name
            elif detectors:
                self._tracks[name], self._detectors[name] = track, detectors
            else:
                self._ignored.add(name)
        if news:
            losses = [name for name, track in self._tracks.items() if track.role is Role.LOSS]
            main = choose_main_loss(losses)
            has_reward = any(is_reward(name) for name in self._tracks)
            for name, track in self._tracks.items():
                track.is_loss = name == main
                track.has_direction &= not (has_reward and track.role is Role.LOSS)

    def _feed(self, part: Span, first_entry: int, *, is_repeated: bool = False) -> Iterator[Finding]:
        """Feed a part whose first entry has this index to every detector; their findings, metric by metric."""
        for name, column in part.columns.items():
            if name not in self._tracks or not len(column.at):
                continue
            self._tracks[name].extend(first_entry + column.at, part.steps[column.at], column.values)
            for detector in self._detectors[name]:
                if detector.has_baseline or not is_repeated:
                    yield from detector.feed()

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
        for name, track in self._tracks.items():
            for detector in self._detectors[name]:
                detector.restart(self._ledger, resumes=resumes)
            track.restart()

    def _order(self, finding: Finding) -> tuple[int, bool, int, str]:
        """By entry; at one entry the main loss first, then by role and name."""
        track = self._tracks.get(finding.metric)
        if track is None:
            return (finding.entry, False, -1, "")
        return (finding.entry, not track.is_loss, _ROLE_ORDER.index(track.role), finding.metric)
