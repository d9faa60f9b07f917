"""Where a run stands, from line to line of its text: what a line says of it, and what it leaves to those before."""

from __future__ import annotations

import math
from typing import NamedTuple

from tui.decode.lines import Line
from tui.decode.names import LOG_FIELD_LIMIT
from tui.decode.position import Odometer, Refiner


class Place(NamedTuple):
    """The step of the run, the epoch, and the goal in steps; None where they are not known."""

    step: float | None = None
    epoch: float | None = None
    total: float | None = None


NOWHERE = Place()
"""The place of an entry that has none."""


class Standing:
    """Follows a run through its lines."""

    def __init__(self) -> None:
        self._odometer = Odometer()
        self._refiner = Refiner()
        self._epoch: float | None = None
        self._now = NOWHERE
        self._seen: dict[str, float] = {}
        self._inherited: set[tuple[str, ...]] = set()
        self._may_inherit = True

    def announce(self, epoch: float) -> None:
        """A heading says that an epoch begins; the counts below it are within it."""
        self._epoch = epoch

    def refine(self, step: float, grain: float) -> float:
        """A step that was printed alone, with the precision that print took from it given back."""
        return self._refiner.refine(step, grain)

    def place(self, line: Line) -> Place:
        """Where a line stands; one that does not say it stands where the one before did."""
        epoch = line.epoch.value if line.epoch else None
        if epoch is not None and not line.is_evaluation:
            self._epoch = epoch
        if line.step is None or (line.is_evaluation and line.total is not None):
            if epoch is None:
                return self._inherit(tuple(line.metrics))
            if not line.is_evaluation and self._now.step is None:
                self._stand(Place(None, epoch))
            return Place(None, epoch)
        if epoch is None and line.total is not None:
            epoch = self._epoch
        place = Place(self._count(line, line.step.value, epoch), epoch, self._total(line))
        if math.isfinite(line.step.value):
            self._stand(place)
        return place

    def without_artefacts(self, line: Line) -> dict[str, float]:
        """The metrics without the NaN of a mean that was reset just before an epoch's summary printed it.

        A metric that the steps of the epoch had finite did not become NaN at its end.
        """
        if line.epoch is None:
            return line.metrics
        if line.step is not None:
            if len(self._seen) < LOG_FIELD_LIMIT:
                self._seen.update(line.metrics)
            return line.metrics
        return {
            name: value
            for name, value in line.metrics.items()
            if not (math.isnan(value) and math.isfinite(self._seen.get(name, math.nan)))
        }

    def _count(self, line: Line, step: float, epoch: float | None) -> float:
        """The step of the run, by the odometer where it may be counted within the epoch."""
        grain = line.step.grain if line.step else 0.0
        if not math.isfinite(step):
            return step  # the store counts what has no place
        is_exact = not grain and not (line.epoch and line.epoch.grain)
        if is_exact and epoch is not None and epoch.is_integer() and not line.is_whole:
            return self._odometer.place(epoch, step, line.total)
        return self._refiner.refine(step, grain)

    def _total(self, line: Line) -> float | None:
        """The goal in steps, as far as the line says it."""
        if self._odometer.is_within and not line.is_whole:
            return line.total * line.epochs if line.epochs and line.total else None
        return line.total

    def _stand(self, place: Place) -> None:
        if place[:2] != self._now[:2]:
            self._inherited.clear()
        self._now = place

    def _inherit(self, names: tuple[str, ...]) -> Place:
        """The place of the line before, for an evaluation's or a sum of an epoch.

        Once such lines come twice at one step the log counts otherwise, and they are left without.
        """
        if names in self._inherited:
            self._may_inherit = False
        self._inherited.add(names)
        return Place(*self._now[:2]) if self._may_inherit else NOWHERE
