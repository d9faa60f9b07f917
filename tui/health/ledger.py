"""The record of all alerts: findings in order of entry become alerts, joined, linked and never removed."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field
from msgspec.structs import replace

from tui.health.alerts import Alert, AlertChange, AlertState, ChangeKind
from tui.health.findings import Finding, Incident
from tui.health.headline import is_headline
from tui.health.wording import step_text

CAUSE_REACH = 100
"""Entries before an alert's onset in which what caused it may have begun."""

LEAD_FACTOR, HEADLINE_FACTOR = 1.5, 2.5
"""How much more powerful another metric must be to take an alert over from the one that leads it, and from the one
that people look at first."""

COMPARISONS = ("spike", "cliff", "divergence", "gradient_explosion", "gradient_collapse", "slowdown")
"""Kinds that compare what is now with what was before."""

_EXCURSIONS = ("spike", "cliff", "divergence")
_CAUSES = {
    "spike": (*_EXCURSIONS, "gradient_explosion", "nonfinite"),
    "cliff": (*_EXCURSIONS, "gradient_explosion", "nonfinite"),
    "divergence": (*_EXCURSIONS, "gradient_explosion", "nonfinite"),
    "nonfinite": (*_EXCURSIONS, "gradient_explosion", "nonfinite"),
    "gradient_explosion": _EXCURSIONS,
    "gradient_collapse": ("frozen", "zero_loss", "nonfinite"),
    "plateau": ("gradient_collapse", "frozen", "cliff", "divergence"),
    "decline": ("plateau", "gradient_collapse", "cliff", "divergence"),
}
"""What an alert of a kind may follow from."""

_SLOW_KINDS = ("plateau", "decline", "gradient_collapse")  # what caused these may have begun long before


class _Record(Struct):
    """An alert, the findings it stands on (the latest of each incident), and where it began."""

    alert: Alert
    onset_entry: int
    group: str | None
    members: dict[Incident, Finding] = field(default_factory=dict)


class Ledger:
    """All records of one stream, in order of number."""

    def __init__(self) -> None:
        self._records: list[_Record] = []
        self._of: dict[Incident, _Record] = {}

    @property
    def alerts(self) -> tuple[Alert, ...]:
        """Every record there ever was."""
        return tuple(record.alert for record in self._records)

    def __contains__(self, incident: object) -> bool:
        """Whether an incident is part of an alert that is firing."""
        record = self._of.get(incident)  # type: ignore[call-overload]
        return record is not None and record.alert.is_firing

    def apply(self, findings: Iterable[Finding]) -> list[AlertChange]:
        """Enter findings, in order of entry; an alert changes at most once an entry."""
        changes: dict[tuple[int, int], AlertChange] = {}
        for finding in findings:
            what, record = self._enter(finding)
            if what is not None:
                key = (finding.entry, record.alert.number)
                was_raised = key in changes and changes[key].what is ChangeKind.RAISED
                changes[key] = AlertChange(
                    ChangeKind.RAISED if was_raised else what, record.alert, finding.entry
                )
        return list(changes.values())

    def clear_from(self, step: float, entry: int) -> list[AlertChange]:
        """Clear every firing alert whose onset lies at or beyond a step, for the run went back to it."""
        why = f"no longer part of the run, which went back to step {step_text(step)}"
        return self._clear(
            (record for record in self._records if record.alert.onset_step >= step), step, entry, why
        )

    def clear_comparisons(self, first_entry: int, step: float, entry: int) -> list[AlertChange]:
        """Clear what began with a segment and can only be seen against the one before, at this entry."""
        why = f"another set of fields began at step {step_text(step)}, which is judged by itself"
        began = (record for record in self._records if record.onset_entry >= first_entry)
        return self._clear((record for record in began if record.alert.kind in COMPARISONS), step, entry, why)

    def end_series(self, metric: str, entry: int, step: float, why: str) -> list[AlertChange]:
        """End what a metric shows, for it is no longer logged; an alert that others show too goes on with them."""
        ongoing = [
            member
            for record in self._records
            if record.alert.is_firing
            for member in record.members.values()
            if member.metric == metric and not member.is_over
        ]
        return self.apply(
            replace(
                member,
                entry=entry,
                step=step,
                message=f"{member.message}; {metric} is no longer logged: {why}",
                is_over=True,
            )
            for member in ongoing
        )

    def _clear(self, records: Iterable[_Record], step: float, entry: int, why: str) -> list[AlertChange]:
        changes = []
        for record in records:
            alert = record.alert
            if alert.is_firing and alert.kind != "restart":
                message = f"{alert.message}; {why}"
                record.alert = replace(alert, state=AlertState.CLEARED, cleared_step=step, message=message)
                changes.append(AlertChange(ChangeKind.CLEARED, record.alert, entry))
        return changes

    def _enter(self, finding: Finding) -> tuple[ChangeKind | None, _Record]:
        """Enter one finding; what it did to which record."""
        record = self._of.get(finding.incident)
        if record is None:
            record = self._of[finding.incident] = self._find_joint(finding) or self._begin(finding)
            if not record.members:
                record.members[finding.incident] = finding
                return ChangeKind.RAISED, record
        if not record.alert.is_firing:
            return None, record
        record.members[finding.incident] = finding
        was, record.alert = record.alert, _sum_up(record, finding)
        if _standing(record.alert) == _standing(was):
            return None, record
        return ChangeKind.CHANGED if record.alert.is_firing else ChangeKind.CLEARED, record

    def _begin(self, finding: Finding) -> _Record:
        alert = Alert(
            number=len(self._records) + 1,
            kind=finding.kind,
            severity=finding.severity,
            state=AlertState.CLEARED if finding.is_over else AlertState.FIRING,
            metric=finding.metric,
            metrics=(finding.metric,),
            onset_step=finding.onset_step,
            raised_step=finding.step,
            cleared_step=finding.step if finding.is_over else None,
            message=finding.message,
            evidence=finding.evidence,
            cause=self._find_cause(finding),
        )
        self._records.append(_Record(alert, finding.onset_entry, finding.group))
        return self._records[-1]

    def _find_joint(self, finding: Finding) -> _Record | None:
        """The latest firing record that a new incident of a group belongs to."""
        if finding.group is None:
            return None
        for record in reversed(self._records):
            is_near = abs(record.onset_entry - finding.onset_entry) <= finding.reach
            if record.group == finding.group and record.alert.is_firing and is_near:
                return record
        return None

    def _find_cause(self, finding: Finding) -> int | None:
        """The latest earlier alert that this one may follow from: near its onset, or firing since before."""
        causes = _CAUSES.get(finding.kind, ())
        for record in reversed(self._records):
            alert = record.alert
            if alert.kind not in causes or (alert.kind == finding.kind and finding.metric in alert.metrics):
                continue
            lead = finding.onset_entry - record.onset_entry
            is_near = abs(lead) <= CAUSE_REACH
            is_lasting = lead >= 0 and alert.is_firing and finding.kind in _SLOW_KINDS
            if is_near or is_lasting:
                return alert.number
        return None


def _standing(alert: Alert) -> tuple[object, ...]:
    return (alert.kind, alert.severity, alert.state, alert.metric, alert.metrics, alert.message)


def _sum_up(record: _Record, finding: Finding) -> Alert:
    """The alert by the findings behind it: the worst that is not over, then the most powerful, leads.

    The one that leads already goes on unless another is much more powerful, so that an alert keeps its name.
    """
    members = tuple(record.members.values())
    ongoing = tuple(member for member in members if not member.is_over)
    was = record.alert
    lead = max(ongoing or members, key=lambda each: (each.severity.rank, _power(each, was.metric)))
    severity = max(was.severity, lead.severity, key=lambda each: each.rank)
    return replace(
        was,
        kind=lead.kind,
        severity=severity,
        state=AlertState.FIRING if ongoing else AlertState.CLEARED,
        metric=lead.metric,
        metrics=tuple(dict.fromkeys(member.metric for member in members)),
        onset_step=min(member.onset_step for member in members),
        raised_step=was.raised_step if severity is was.severity else finding.step,
        cleared_step=None if ongoing else finding.step,
        message=lead.message,
        evidence=lead.evidence,
    )


def _power(finding: Finding, leading: str) -> float:
    lead = LEAD_FACTOR if finding.metric == leading else 1.0
    return finding.power * lead * (HEADLINE_FACTOR if is_headline(finding.metric) else 1.0)
