"""Alerts about now, which no replay can repeat: a log that is silent or ends in an error, and what is beside it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from tui.config import HealthConfig
from tui.health.alerts import Alert, AlertChange, AlertState, ChangeKind, Severity
from tui.health.muting import soften
from tui.health.stall import Cadence
from tui.health.storage import Remark, judge_rhythm, judge_room
from tui.health.wording import duration_text
from tui.store.checkpoints import Shelf
from tui.store.gpus import Hint

FIRST_NUMBER = 100_001
"""These alerts are numbered from here on, so that the numbers of all others are the same in every reading."""

SAME_WRITE_S = 2.0
"""Two ages that put a write so close together, in seconds, speak of the same one: stamps are coarse."""

_BY_HAND = ("KeyboardInterrupt",)  # somebody stopped it, which is no failure


class Moment(Struct, frozen=True):
    """What is known of a log at one moment.

    `written_at_s` is when it was last written to, on the clock of `now_s` (monotonic); None where that is not
    known, or where the way to the log is lost: then nothing is said of its silence. `is_over` tells that nothing
    more is due. `step` and `entry` are those of its last entry, `left_s` is how long the run will go on. `shelf`
    holds its checkpoints, `gpus` what its GPUs say should it be silent, `laggard` which of its ranks stopped first.
    """

    now_s: float
    written_at_s: float | None
    cadence: Cadence
    step: float
    entry: int
    is_over: bool = False
    error: str | None = None
    left_s: float | None = None
    shelf: Shelf | None = None
    gpus: Hint | None = None
    laggard: str | None = None

    @property
    def is_running(self) -> bool:
        """Whether the run is known to go on."""
        if self.written_at_s is None or self.is_over or self.error is not None:
            return False
        return self.now_s - self.written_at_s <= self.cadence.limit_s


class Present:
    """Raises and clears `stall`, `log_error`, `checkpoint_overdue` and `disk_full` as time goes by.

    Args:
        settings: What the configuration says of alerts.
    """

    def __init__(self, settings: HealthConfig | None = None) -> None:
        self._settings = settings or HealthConfig()
        self._alerts: dict[int, Alert] = {}
        self._stall: tuple[int, float] | None = None  # its number, and when the log was last written to
        self._error: tuple[int, str] | None = None  # its number, and what it says
        self._beside: dict[str, int] = {}  # the numbers of those that fire of what is beside the log, by kind

    @property
    def alerts(self) -> tuple[Alert, ...]:
        """All that were ever raised, in the order of their numbers."""
        return tuple(self._alerts.values())

    def look(self, moment: Moment) -> list[AlertChange]:
        """What is different at this moment."""
        return [*self._judge_error(moment), *self._judge_silence(moment), *self._judge_shelf(moment)]

    def _judge_shelf(self, moment: Moment) -> Iterator[AlertChange]:
        """Checkpoints are due while the run goes on; a run that stands still is told of by its silence."""
        shelf = moment.shelf
        if moment.is_over:
            yield from self._keep("checkpoint_overdue", None, moment, "the run is over; none is due any more")
        if shelf is None or not moment.is_running:
            return
        latest = shelf.latest.name if shelf.latest else "none"
        is_full = "disk_full" in self._beside
        room = judge_room(shelf, moment.left_s, is_firing=is_full)
        yield from self._keep(
            "checkpoint_overdue", judge_rhythm(shelf, moment.step), moment, f"{latest} has come"
        )
        yield from self._keep("disk_full", room, moment, f"the disk of {shelf.folder} has room again")

    def _keep(self, kind: str, remark: Remark | None, moment: Moment, over: str) -> Iterator[AlertChange]:
        """Raise, change in severity or clear what there is one of at a time."""
        number = self._beside.get(kind)
        if number is None and remark is not None:
            change = self._raise(
                kind, remark.severity, moment, remark.message, remark.evidence, "checkpoints"
            )
            self._beside[kind] = change.alert.number
            yield change
        elif number is not None and remark is None:
            del self._beside[kind]
            yield self._clear(number, moment, over)
        elif number is not None and remark is not None:
            yield from self._change(self._alerts[number], remark, moment)

    def _change(self, alert: Alert, remark: Remark, moment: Moment) -> Iterator[AlertChange]:
        if remark.severity in (alert.severity, alert.evidence.get("muted")):
            return
        changed = replace(
            alert,
            severity=remark.severity,
            message=remark.message,
            evidence=remark.evidence,
            raised_step=moment.step,
        )
        yield self._note(ChangeKind.CHANGED, changed, moment)

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
            change = self._raise("stall", severity, moment, _describe(age, moment), _measure(age, moment))
            self._stall = (change.alert.number, written_at)
            yield change

    def _worsen(self, alert: Alert, moment: Moment, age_s: float) -> Iterator[AlertChange]:
        """A stall becomes critical, or its GPUs say something else; the log's cadence holds, for nothing came since."""
        was_critical = Severity.CRITICAL in (alert.severity, alert.evidence.get("muted"))
        is_critical = was_critical or age_s > moment.cadence.critical_s
        is_news = moment.gpus is not None and alert.evidence.get("gpus") != moment.gpus.doing
        if is_critical == was_critical and not is_news:
            return
        severity = Severity.CRITICAL if is_critical else Severity.WARNING
        message, evidence = _describe(age_s, moment), _measure(age_s, moment)
        yield self._note(
            ChangeKind.CHANGED, replace(alert, severity=severity, message=message, evidence=evidence), moment
        )

    def _raise(
        self,
        kind: str,
        severity: Severity,
        moment: Moment,
        message: str,
        evidence: dict[str, float | str],
        metric: str = "log",
    ) -> AlertChange:
        alert = Alert(
            number=FIRST_NUMBER + len(self._alerts),
            kind=kind,
            severity=severity,
            state=AlertState.FIRING,
            metric=metric,
            metrics=(metric,),
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


def _describe(age_s: float, moment: Moment) -> str:
    cadence = moment.cadence
    usual = (
        "" if cadence.expected_s is None else f"; an entry comes every {duration_text(cadence.expected_s)}"
    )
    told = "" if moment.laggard is None else f"; {moment.laggard}"
    told += "" if moment.gpus is None else f"; {moment.gpus.text}"
    limit = duration_text(cadence.limit_s)
    return f"nothing was written for {duration_text(age_s)}, more than the {limit} that its pauses take{usual}{told}"


def _measure(age_s: float, moment: Moment) -> dict[str, float | str]:
    cadence = moment.cadence
    evidence: dict[str, float | str] = {"age_s": round(age_s, 1), "limit_s": round(cadence.limit_s, 1)}
    if cadence.expected_s is not None:
        evidence["expected_s"] = cadence.expected_s
    if moment.gpus is not None:
        evidence["gpus"] = str(moment.gpus.doing)
    return evidence
