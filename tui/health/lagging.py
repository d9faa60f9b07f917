"""A rank whose log falls silent while the others go on: an alert about now, which no replay can repeat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from tui.config import HealthConfig
from tui.health.alerts import Alert, AlertChange, AlertState, ChangeKind, Severity
from tui.health.muting import soften
from tui.health.present import Moment
from tui.health.wording import duration_text

FIRST_NUMBER = 200_001
"""These alerts are numbered from here on, after those about the log as a whole."""


class Lagging:
    """Raises and clears `stall` of single ranks as time goes by.

    Args:
        settings: What the configuration says of alerts.
    """

    def __init__(self, settings: HealthConfig | None = None) -> None:
        self._settings = settings or HealthConfig()
        self._alerts: dict[int, Alert] = {}
        self._firing: dict[str, int] = {}  # numbers by the rank's name

    @property
    def alerts(self) -> tuple[Alert, ...]:
        """All that were ever raised, in the order of their numbers."""
        return tuple(self._alerts.values())

    def look(self, moment: Moment, ages: Mapping[str, float]) -> list[AlertChange]:
        """What is different at this moment.

        While the run as a whole is silent, or over, nothing is said of its ranks.

        Args:
            moment: What is known of the run.
            ages: How many seconds ago each rank has written, by name.
        """
        if moment.is_over:
            return [
                self._clear(name, moment, f"rank {name} need not write: the run is over")
                for name in [*self._firing]
            ]
        return list(self._judge(moment, ages)) if moment.is_running and moment.cadence.is_known else []

    def _judge(self, moment: Moment, ages: Mapping[str, float]) -> Iterator[AlertChange]:
        limit_s = moment.cadence.limit_s
        for name, age_s in ages.items():
            is_silent = age_s > limit_s
            if is_silent and name not in self._firing:
                yield self._raise(name, age_s, moment)
            elif not is_silent and name in self._firing:
                yield self._clear(name, moment, f"rank {name} writes again")

    def _raise(self, name: str, age_s: float, moment: Moment) -> AlertChange:
        alert = Alert(
            number=FIRST_NUMBER + len(self._alerts),
            kind="stall",
            severity=Severity.WARNING,
            state=AlertState.FIRING,
            metric="log",
            metrics=("log",),
            onset_step=moment.step,
            raised_step=moment.step,
            cleared_step=None,
            message=f"rank {name} has not written for {duration_text(age_s)}; the others go on",
            evidence={"rank": name, "age_s": round(age_s, 1), "limit_s": round(moment.cadence.limit_s, 1)},
        )
        self._firing[name] = alert.number
        return self._note(ChangeKind.RAISED, alert, moment)

    def _clear(self, name: str, moment: Moment, message: str) -> AlertChange:
        alert = self._alerts[self._firing.pop(name)]
        over = replace(alert, state=AlertState.CLEARED, cleared_step=moment.step, message=message)
        return self._note(ChangeKind.CLEARED, over, moment)

    def _note(self, what: ChangeKind, alert: Alert, moment: Moment) -> AlertChange:
        alert = soften(alert, self._settings)
        self._alerts[alert.number] = alert
        return AlertChange(what, alert, moment.entry)
