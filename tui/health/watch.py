"""The health of a whole run: one engine a stream, and one list of alerts over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tui.config import HealthConfig
from tui.health.alerts import Alert, AlertChange, Trend, Verdict, judge
from tui.health.beside import Beside, Order, TrainingLoss
from tui.health.departures import Departed, Departures
from tui.health.engine import Engine
from tui.health.findings import Explanation
from tui.health.muting import soften
from tui.roles import Role, guess_role, is_evaluation
from tui.store.pieces import Accepted, FieldsChanged, Piece, Restarted
from tui.store.run import StreamPiece


class RunChange(Struct, frozen=True):
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
        self._beyond: set[int] = set()  # the streams that went beyond it
        self._departures = Departures()
        self._training: int | None = None  # the first stream that began with a training loss
        self._training_loss = TrainingLoss()
        self._besides: dict[int, Beside] = {}
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
        due = [
            replace(piece, piece=self._cut(piece.stream, piece.piece))
            for piece in pieces
            if piece.stream not in self._beyond
        ]
        order = self._order(due)
        found = [
            (at, each.stream, change)
            for each in sorted(self._departures.insert(due), key=lambda each: each.stream != self._training)
            for at, change in self._judge(each.stream, each.piece, order)
        ]
        self._training_loss.trim()
        found.sort(key=lambda each: each[0])  # stable: what one entry brought about stays in its order
        return [RunChange(at, self._adopt(stream, change)) for at, stream, change in found]

    def _cut(self, stream: int, piece: Piece) -> Piece:
        """The piece as far as it is to be judged."""
        if self._until_step is None or isinstance(piece, Restarted):
            return piece
        beyond = np.flatnonzero(piece.span.steps > self._until_step)
        if not len(beyond):
            return piece
        self._beyond.add(stream)
        return replace(piece, span=piece.span.slice(0, int(beyond[0])))

    def _order(self, pieces: Iterable[StreamPiece]) -> Order:
        """Where the entries of the stream that trains lie in this batch; it is judged before all others."""
        accepted = [(each.stream, each.piece) for each in pieces if isinstance(each.piece, Accepted)]
        if self._training is None:
            firsts = dict(reversed(accepted))  # each stream's first piece
            began = (
                each for each, piece in firsts.items() if each not in self._judged and self._trains(piece)
            )
            self._training = min(began, default=None)
        places = [piece.at[: len(piece.span)] for stream, piece in accepted if stream == self._training]
        count = 0 if self._training is None else self._judged.get(self._training, 0)
        return Order(count, np.concatenate(places) if places else np.empty(0, np.int64))

    def _trains(self, piece: Accepted) -> bool:
        """Whether the first entry of a piece has a training loss."""
        firsts = (name for name, column in piece.span.columns.items() if len(column.at) and column.at[0] == 0)
        return any(
            (self._roles.get(name) or guess_role(name)) is Role.LOSS and not is_evaluation(name)
            for name in firsts
        )

    def _begin(self, stream: int) -> Engine:
        """The engine of a new stream, which tells of its training loss or is told of that of another."""
        training: TrainingLoss | Beside = self._training_loss
        if stream != self._training:
            training = self._besides[stream] = Beside(self._training_loss)
        return Engine(self._roles, self._total_steps, self._settings, training)

    def _align(self, stream: int, piece: Piece | Departed, order: Order) -> None:
        """Tell a stream where in the log of the stream that trains the entries of a piece of its own lie."""
        beside, judged = self._besides.get(stream), self._judged.get(stream, 0)
        if beside is None:
            return
        if self._training is not None and self._training in self._engines:
            self._engines[self._training].settle()
        match piece:
            case Accepted(_, at):
                beside.first, beside.before = judged, order.before(at)
            case FieldsChanged(span, at):
                beside.first = judged - len(span)
                beside.before = order.before(np.full(len(span), at))

    def _judge(self, stream: int, piece: Piece | Departed, order: Order) -> Iterator[tuple[int, AlertChange]]:
        """The changes that a piece brings about, each with its position in the batch."""
        engine = self._engines.get(stream)
        if engine is None:
            engine = self._engines[stream] = self._begin(stream)
        self._align(stream, piece, order)
        match piece:
            case Departed(at, why):
                yield from ((at, change) for change in engine.end(why))
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
                yield from ((at, change) for change in engine.begin_segment(span))

    def _adopt(self, stream: int, change: AlertChange) -> AlertChange:
        """The change with the run's own numbers; takes note of the alert as it now stands."""
        alert = change.alert
        number = self._numbers.setdefault((stream, alert.number), len(self._numbers) + 1)
        cause = None if alert.cause is None else self._numbers.get((stream, alert.cause))
        alert = soften(replace(alert, number=number, cause=cause), self._settings)
        self._alerts[number] = alert
        return replace(change, alert=alert)
