"""A loss or a gradient norm that is NaN or infinite: the one alarm that a single entry can raise."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from math import isfinite

import numpy as np

from tui.health.alerts import Severity
from tui.health.findings import Explanation, Finding, OpenIncidents
from tui.health.track import Track
from tui.health.wording import name_nonfinite, number, step_text
from tui.roles import Role

CLEAR_AFTER = 50
"""Finite values in a row after which it is over."""

NORM_WINDOW, NORM_COUNT = 20, 3
"""So many non-finite gradient norms among so many are a warning; fewer are what a loss scaler does."""


class Nonfinite:
    """Non-finite values of the main loss (critical at the first) or of the gradient norm (info, then warning)."""

    has_baseline = False

    def __init__(self, track: Track) -> None:
        self._track = track
        self._serial = 0
        self._open: Finding | None = None
        self._bad = 0
        self._recent_bad: deque[int] = deque(maxlen=NORM_COUNT)
        self._count = 0
        self._good = 0
        self._last: tuple[float, float] | None = None

    def restart(self, still_open: OpenIncidents, *, resumes: bool) -> None:
        """A baseline is not needed here; only what has been cleared is forgotten."""
        if self._open is not None and self._open.incident not in still_open:
            self._open = None
        self._recent_bad.clear()

    def feed(self) -> Iterator[Finding]:
        """Judge the portion as it was logged."""
        entries, steps, values = self._track.raw
        is_clean = isfinite(values[0]) if len(values) == 1 else bool(np.isfinite(values).all())
        if self._open is None and (is_clean or not self._is_watched):
            self._pass_by(steps, values)
            return
        is_bad = ~np.isfinite(values) if self._is_watched else np.zeros(len(values), bool)
        for entry, step, value, bad in zip(
            entries.tolist(), steps.tolist(), values.tolist(), is_bad.tolist(), strict=True
        ):
            self._count += 1
            if bad:
                yield from self._see_bad(entry, step, value)
            else:
                yield from self._see_good(entry, step, value)

    def is_quiet(self, before: float, value: float) -> bool:
        """Nothing is under way, and the value is finite."""
        return self._open is None and isfinite(value)

    def explain(self) -> Explanation:
        """How many non-finite values there were."""
        return Explanation("nonfinite", self._track.name, True, None, {"nonfinite": float(self._bad)})

    @property
    def _is_watched(self) -> bool:
        """A loss beside the main one may be infinite for good reasons, a perplexity above all."""
        return self._track.is_loss or self._track.role is Role.GRAD_NORM

    def _pass_by(self, steps: np.ndarray, values: np.ndarray) -> None:
        self._count += len(values)
        if len(values):
            self._last = (float(steps[-1]), float(values[-1]))

    def _see_bad(self, entry: int, step: float, value: float) -> Iterator[Finding]:
        self._bad += 1
        self._good = 0
        self._recent_bad.append(self._count)
        severity = self._weigh()
        if self._open is None:
            self._serial += 1
            self._open = Finding(
                incident=("nonfinite", self._track.name, self._serial),
                kind="nonfinite", severity=severity, entry=entry, step=step, onset_entry=entry, onset_step=step,
                message=self._describe(step, value), evidence=self._measure(value),
            )  # fmt: skip
            yield self._open
        elif severity.rank > self._open.severity.rank:
            self._open = self._renew(entry, step, severity, self._describe_many(), self._measure(value))
            yield self._open

    def _see_good(self, entry: int, step: float, value: float) -> Iterator[Finding]:
        self._last = (step, value)
        self._good += 1
        if self._open is not None and self._good >= CLEAR_AFTER:
            onset = step_text(self._open.onset_step)
            message = f"{self._track.name} is finite again, for {self._good} entries; it was not from step {onset} on"
            yield self._renew(entry, step, self._open.severity, message, self._measure(value), is_over=True)
            self._open = None

    def _weigh(self) -> Severity:
        if self._track.is_loss:
            return Severity.CRITICAL
        recent = [seen for seen in self._recent_bad if self._count - seen < NORM_WINDOW]
        return Severity.WARNING if len(recent) >= NORM_COUNT else Severity.INFO

    def _renew(
        self,
        entry: int,
        step: float,
        severity: Severity,
        message: str,
        evidence: dict[str, float | str],
        *,
        is_over: bool = False,
    ) -> Finding:
        assert self._open is not None
        was = self._open
        return Finding(
            was.incident, was.kind, severity, entry, step, was.onset_entry, was.onset_step, message, evidence, is_over
        )  # fmt: skip

    def _describe(self, step: float, value: float) -> str:
        before = ""
        if self._last is not None:
            before = (
                f"; the last finite value was {number(self._last[1])}, at step {step_text(self._last[0])}"
            )
        return f"{self._track.name} is {name_nonfinite(value)} at step {step_text(step)}{before}"

    def _describe_many(self) -> str:
        return f"{self._track.name} was not finite in {NORM_COUNT} of the last {NORM_WINDOW} entries"

    def _measure(self, value: float) -> dict[str, float | str]:
        evidence: dict[str, float | str] = {"nonfinite": float(self._bad), "threshold": 1.0}
        if not self._track.is_loss:
            evidence["threshold"] = float(NORM_COUNT)
        if self._last is not None:
            evidence |= {"last_finite": self._last[1], "last_finite_step": self._last[0]}
        return evidence | {"value": value if np.isfinite(value) else name_nonfinite(value)}
