"""Alerts about now, which no replay can repeat: the log has been silent for too long, or it ends in an error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tui.config import HealthConfig
from tui.health.alerts import Alert, AlertChange, AlertState, ChangeKind, Severity
from tui.health.muting import soften
from tui.health.stall import Cadence
from tui.health.wording import duration_text

FIRST_NUMBER = 100_001
"""These alerts are numbered from here on, so that the numbers of all others are the same in every reading."""

SAME_WRITE_S = 2.0
"""Two ages that put a write so close together, in seconds, speak of the same one: stamps are coarse."""

_BY_HAND = ("KeyboardInterrupt",)  # somebody stopped it, which is no failure


@dataclass(frozen=True, slots=True)
class Moment:
    """What is known of a log at one moment.

    `written_at_s` is when it was last written to, on the clock of `now_s` (monotonic); None where that is not
    known, or where the way to the log is lost: then nothing is said of its silence. `is_over` tells that nothing
    more is due. `step` and `entry` are those of its last entry.
    """

    now_s: float
    written_at_s: float | None
    cadence: Cadence
    step: float
    entry: int
    is_over: bool = False
    error: str | None = None


class Present:
    """Raises and clears `stall` and `log_error` as time goes by.

    Args:
        settings: What the configuration says of alerts.
    """

    def __init__(self, settings: HealthConfig | None = None) -> None:
        self._settings = settings or HealthConfig()
        self._alerts: dict[int, Alert] = {}
        self._stall: tuple[int, float] | None = None  # its number, and when the log was last written to
        self._error: tuple[int, str] | None = None  # its number, and what it says

    @property
    def alerts(self) -> tuple[Alert, ...]:
        """All that were ever raised, in the order of their numbers."""
        return tuple(self._alerts.values())

    def look(self, moment: Moment) -> list[AlertChange]:
        """What is different at this moment."""
        return [*self._judge_error(moment), *self._judge_silence(moment)]

    def _judge_error(self, moment: Moment) -> Iterator[AlertChange]:
        if self._error is not None and self._error[1] != moment.error:
            number, error = self._error
            self._error = None
            yield self._clear(number, moment, f"the log went on after {error}")
        if self._error is None and moment.error is not None:
            by_hand = moment.error.startswith(_BY_HAND)
            message = f"the log ends in {moment.error}"
            severity = Severity.WARNING if by_hand else Severity.CRITICAL
            change = self._raise("log_error", severity, moment, message, {"error": moment.error})
            self._error = (change.alert.number, moment.error)
            yield change

    def _judge_silence(self, moment: Moment) -> Iterator[AlertChange]:
        written_at = moment.written_at_s
        if written_at is None:
            return
        if self._stall is not None:
            number, since = self._stall
            if written_at > since + SAME_WRITE_S:
                self._stall = None
                pause = duration_text(written_at - since)
                yield self._clear(number, moment, f"the log goes on after {pause} of silence")
            else:
                yield from self._worsen(self._alerts[number], moment, moment.now_s - since)
        age, cadence = moment.now_s - written_at, moment.cadence
        is_silent = cadence.is_known and age > cadence.limit_s
        if self._stall is None and is_silent and not moment.is_over and moment.error is None:
            severity = Severity.CRITICAL if age > cadence.critical_s else Severity.WARNING
            evidence = _measure(age, cadence)
            change = self._raise("stall", severity, moment, _describe(age, cadence), evidence)
            self._stall = (change.alert.number, written_at)
            yield change

    def _worsen(self, alert: Alert, moment: Moment, age_s: float) -> Iterator[AlertChange]:
        """A stall becomes critical; what the log said of its cadence holds, for nothing came since."""
        is_critical = Severity.CRITICAL in (alert.severity, alert.evidence.get("muted"))
        if is_critical or age_s <= moment.cadence.critical_s:
            return
        message, evidence = _describe(age_s, moment.cadence), _measure(age_s, moment.cadence)
        worse = replace(alert, severity=Severity.CRITICAL, message=message, evidence=evidence)
        yield self._note(ChangeKind.CHANGED, worse, moment)

    def _raise(
        self, kind: str, severity: Severity, moment: Moment, message: str, evidence: dict[str, float | str]
    ) -> AlertChange:
        alert = Alert(
            number=FIRST_NUMBER + len(self._alerts),
            kind=kind,
            severity=severity,
            state=AlertState.FIRING,
            metric="log",
            metrics=("log",),
            onset_step=moment.step,
            raised_step=moment.step,
            cleared_step=None,
            message=message,
            evidence=evidence,
        )
        return self._note(ChangeKind.RAISED, alert, moment)

    def _clear(self, number: int, moment: Moment, message: str) -> AlertChange:
        over = replace(
            self._alerts[number], state=AlertState.CLEARED, cleared_step=moment.step, message=message
        )
        return self._note(ChangeKind.CLEARED, over, moment)

    def _note(self, what: ChangeKind, alert: Alert, moment: Moment) -> AlertChange:
        alert = soften(alert, self._settings)
        self._alerts[alert.number] = alert
        return AlertChange(what, alert, moment.entry)


def _describe(age_s: float, cadence: Cadence) -> str:
    usual = (
        "" if cadence.expected_s is None else f"; an entry comes every {duration_text(cadence.expected_s)}"
    )
    limit = duration_text(cadence.limit_s)
    return (
        f"nothing was written for {duration_text(age_s)}, more than the {limit} that its pauses take{usual}"
    )


def _measure(age_s: float, cadence: Cadence) -> dict[str, float | str]:
    evidence: dict[str, float | str] = {"age_s": round(age_s, 1), "limit_s": round(cadence.limit_s, 1)}
    if cadence.expected_s is not None:
        evidence["expected_s"] = cadence.expected_s
    return evidence
