"""What a detector hands on: one incident of one metric, as it stands at one entry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from msgspec import Struct, field

from tui.health.alerts import Severity

Incident = tuple[str, str, int]
"""Which incident is meant: the detector's name, the metric, and a serial number among these."""


class Finding(Struct, frozen=True):
    """An incident begins, changes or is over, seen at the entry with index `entry` of the stream, at `step`.

    `onset_entry` and `onset_step` estimate where it began. `power` (statistic over threshold) says which of
    several metrics shows an incident best. Incidents of one `group` are joined in one record where they begin
    within `reach` entries of each other; without a group an incident has a record of its own.
    """

    incident: Incident
    kind: str
    severity: Severity
    entry: int
    step: float
    onset_entry: int
    onset_step: float
    message: str
    evidence: Mapping[str, float | str] = field(default_factory=dict)
    is_over: bool = False
    power: float = 0.0
    group: str | None = None
    reach: float = 0.0

    @property
    def metric(self) -> str:
        """The metric that shows it."""
        return self.incident[1]


class Explanation(Struct, frozen=True):
    """What one detector sees now: whether it is armed, and if not why; its numbers, threshold included."""

    detector: str
    metric: str
    is_armed: bool
    reason: str | None
    numbers: Mapping[str, float]


class OpenIncidents(Protocol):
    """Tells which incidents are still firing."""

    def __contains__(self, incident: object, /) -> bool: ...


class Detector(Protocol):
    """One rule over one metric; fed the same values in any portions, it yields the same findings.

    Attributes:
        has_baseline: Whether it learns what is normal, and so starts afresh with a segment.
    """

    has_baseline: bool

    def feed(self) -> Iterable[Finding]:
        """What is new since the last call, in any order of entries; every entry is judged once."""
        ...

    def restart(self, still_open: OpenIncidents, *, resumes: bool) -> None:
        """Start the baseline afresh; incidents in `still_open` go on until they are seen to be over.

        `resumes` says that what follows is the same training as before, and not another set of fields.
        """
        ...

    def explain(self) -> Explanation:
        """The state after the last entry."""
        ...


class Entrywise(Detector, Protocol):
    """A detector that judges every value as it is logged, and not by rows of them."""

    def is_quiet(self, before: float, value: float) -> bool:
        """Whether a value behind this one changes nothing but the memory."""
        ...
