"""The rows of the report on incidents: which runs each is about, how soon they must be seen, and the target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.bench.incidents import OVERFIT_ENTRIES
from tests.bench.score import Outcome

WORSE = 0.01
"""A gap that grows more slowly than the loss falls makes no evaluation worse; these are reported apart."""

Chosen = Callable[[Outcome], bool]


@dataclass(frozen=True, slots=True)
class Row:
    """One row: of the runs with an incident those that `chosen` takes, seen within `entries` or a share of the onset.

    `target` is the share of them that must be; None where there is no target.
    """

    title: str
    incident: str
    target: float | None
    entries: int = 0
    share: float = 0.0
    chosen: Chosen = lambda outcome: True

    def is_seen(self, outcome: Outcome) -> bool:
        """Whether a run's incident was warned of in time."""
        delay, truth = outcome.delay, outcome.truth
        if delay is None or truth is None:
            return False
        return delay <= (self.share * truth.first if self.share else self.entries)

    @property
    def within(self) -> str:
        """The time that it has, in words."""
        if self.share:
            return f"{self.share:g} × onset"
        return f"{self.entries} entries" if self.entries else "at the entry"


def _raw(least: float) -> Chosen:
    return lambda outcome: outcome.family != "smoothed" and _size(outcome) >= least


def _smoothed(outcome: Outcome) -> bool:
    return outcome.family == "smoothed"


def _gets_worse(outcome: Outcome) -> bool:
    return _size(outcome) >= WORSE


def _size(outcome: Outcome) -> float:
    return outcome.truth.size if outcome.truth else 0.0


ROWS = (
    Row("plateau", "plateau", 0.75, share=1.0),
    Row("plateau, early", "early_plateau", 0.75, share=1.0),
    Row("slow decline", "decline", 0.85, share=1.0),
    Row("gradient collapse, slow", "slow_collapse", 0.95, share=2.0),
    Row("gradient collapse, sudden", "sudden_collapse", 1.0, entries=50),
    Row("gradient explosion", "explosion", 1.0, entries=50),
    Row("cliff of 2 σ and more", "cliff", 0.95, entries=80, chosen=_raw(2)),
    Row("cliff of 4 σ and more", "cliff", 0.95, entries=30, chosen=_raw(4)),
    Row("cliff, smoothed logs", "cliff", None, entries=80, chosen=_smoothed),
    Row("accuracy cliff of 2 σ and more", "accuracy_cliff", 0.95, entries=80, chosen=_raw(2)),
    Row("accuracy cliff of 4 σ and more", "accuracy_cliff", 0.95, entries=30, chosen=_raw(4)),
    Row("accuracy cliff, smoothed logs", "accuracy_cliff", None, entries=80, chosen=_smoothed),
    Row("spike", "spike", 0.95, entries=100),
    Row("divergence", "divergence", 1.0, entries=300),
    Row("NaN", "nan", 1.0),
    Row("slowdown of 15 % and more", "slowdown", 1.0, entries=20),
    Row("restart", "restart", 1.0),
    Row("join that does not fit", "discontinuity", None, entries=100),
    Row("overfitting", "overfit", 0.70, entries=OVERFIT_ENTRIES),
    Row("overfitting, 1 % worse", "overfit", None, entries=OVERFIT_ENTRIES, chosen=_gets_worse),
)
"""In the order of the report."""

OVERFIT_APART = Row("overfitting, rows of its own", "overfit", 0.70, entries=OVERFIT_ENTRIES)
"""The same runs, with every evaluation in a row of its own."""
