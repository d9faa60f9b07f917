"""The health of a whole run: one engine a stream, and one list of alerts over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from tui.config import HealthConfig
from tui.health.alerts import Alert, AlertChange, Trend, Verdict, judge
from tui.health.engine import Engine
from tui.health.findings import Explanation
from tui.health.muting import soften
from tui.roles import Role
from tui.store.run import StreamPiece
from tui.store.stream import Accepted, FieldsChanged, Piece, Restarted


@dataclass(frozen=True, slots=True)
class RunChange:
    """A change of an alert, and the position in the batch of the entry that brought it about."""

    at: int
    change: AlertChange


class RunHealth:
    """Judges a run as its entries come in; numbers the alerts of all streams in the order they were raised.

    Args:
        roles: Roles by field name, where the guess is wrong.
        total_steps: The goal, where it is known.
        settings: What the configuration says of alerts.
        until_step: Judge each stream only up to its first entry beyond this step, as if the log ended there.
    """

    def __init__(
        self,
        roles: Mapping[str, Role],
        total_steps: float | None = None,
        settings: HealthConfig | None = None,
        until_step: float | None = None,
    ) -> None:
        self._settings = settings or HealthConfig()
        self._roles = roles
        self._total_steps = total_steps
        self._until_step = until_step
        self._ended: set[int] = set()
        self._engines: dict[int, Engine] = {}
        self._judged: dict[int, int] = {}
        self._numbers: dict[tuple[int, int], int] = {}
        self._alerts: dict[int, Alert] = {}

    @property
    def alerts(self) -> tuple[Alert, ...]:
        """All alerts that were ever raised, in the order of their numbers."""
        return tuple(self._alerts.values())

    @property
    def verdict(self) -> Verdict:
        """The verdict over the alerts that are firing."""
        return judge(self._alerts.values())

    def trends(self) -> dict[str, Trend]:
        """The trends of all streams' metrics, by name; an earlier stream's where two have the same name."""
        found: dict[str, Trend] = {}
        for _, engine in sorted(self._engines.items()):
            found = engine.trends() | found
        return found

    def explain(self) -> list[Explanation]:
        """What each detector sees after the last entry, stream by stream and metric by metric."""
        return [found for _, engine in sorted(self._engines.items()) for found in engine.explain()]

    def judge(self, pieces: Iterable[StreamPiece]) -> list[RunChange]:
        """What these pieces change, in the order of the entries that did it."""
        found = [
            (at, piece.stream, change)
            for piece in pieces
            if piece.stream not in self._ended
            for at, change in self._judge(piece.stream, self._cut(piece.stream, piece.piece))
        ]
        found.sort(key=lambda each: each[0])  # stable: what one entry brought about stays in its order
        return [RunChange(at, self._adopt(stream, change)) for at, stream, change in found]

    def _cut(self, stream: int, piece: Piece) -> Piece:
        """The piece as far as it is to be judged."""
        if self._until_step is None or isinstance(piece, Restarted):
            return piece
        beyond = np.flatnonzero(piece.span.steps > self._until_step)
        if not len(beyond):
            return piece
        self._ended.add(stream)
        return replace(piece, span=piece.span.slice(0, int(beyond[0])))

    def _judge(self, stream: int, piece: Piece) -> Iterator[tuple[int, AlertChange]]:
        """The changes that a piece brings about, each with its position in the batch."""
        engine = self._engines.get(stream)
        if engine is None:
            engine = self._engines[stream] = Engine(self._roles, self._total_steps, self._settings)
        match piece:
            case Accepted(span, at):
                before = self._judged.get(stream, 0)
                self._judged[stream] = before + len(span)
                for change in engine.extend(span):
                    yield int(at[change.entry - before]), change
            case Restarted(step, at, is_own):
                for change in engine.restart(step):
                    if is_own or change.alert.kind != "restart":  # one restart is one record
                        yield at, change
            case FieldsChanged(span, at):
                for change in engine.begin_segment(span):
                    yield at, change

    def _adopt(self, stream: int, change: AlertChange) -> AlertChange:
        """The change with the run's own numbers; takes note of the alert as it now stands."""
        alert = change.alert
        number = self._numbers.setdefault((stream, alert.number), len(self._numbers) + 1)
        cause = None if alert.cause is None else self._numbers.get((stream, alert.cause))
        alert = soften(replace(alert, number=number, cause=cause), self._settings)
        self._alerts[number] = alert
        return replace(change, alert=alert)
