"""Where in the run a line of text stands: steps counted through epochs, and steps that were printed rounded."""

from __future__ import annotations

from msgspec import Struct, field


class Odometer(Struct):
    """Counts steps through epochs, where a log counts its batches anew in each of them.

    Whether it does is seen when the epoch changes: a count that goes on is the run's own. The length of an epoch is
    what the log says (`n/N`), else what was seen of the one before.
    """

    _first_epoch: float | None = None
    _epoch: float = 0.0
    _count: float = 0.0
    _cadence: float = 1.0
    _offset: float = 0.0
    _is_whole: bool = False
    _has_begun_anew: bool = False
    _offsets: dict[float, float] = field(default_factory=dict)

    @property
    def is_within(self) -> bool:
        """Whether counts begin anew in each epoch."""
        return self._first_epoch is not None and not self._is_whole

    def place(self, epoch: float, count: float, length: float | None) -> float:
        """The step of the run at a count within an epoch of `length` (None: unknown)."""
        if self._first_epoch is None:
            self._first_epoch = 0.0 if epoch == 0 else 1.0
            self._epoch = epoch
            self._offset = (epoch - self._first_epoch) * (length or 0.0)
        elif epoch != self._epoch:
            self._turn(epoch, count, length)
        elif count > self._count:
            self._cadence = count - self._count
        self._epoch, self._count = epoch, count
        return count if self._is_whole else self._offset + count

    def _turn(self, epoch: float, count: float, length: float | None) -> None:
        if epoch > self._epoch:
            self._has_begun_anew |= count <= self._count
            self._is_whole = not self._has_begun_anew
        if len(self._offsets) < 100_000:
            self._offsets[self._epoch] = self._offset
        if length is not None:
            self._offset = (epoch - (self._first_epoch or 0.0)) * length
        elif epoch > self._epoch:
            self._offset += (self._count + self._cadence) * (epoch - self._epoch)
        else:
            self._offset = self._offsets.get(epoch, 0.0)


class Refiner(Struct):
    """Gives steps back what print took from them: of `49K, 50K, 50K` the cadence tells 49,600, 49,800 and 50,000.

    It does so only as long as what it finds prints as what was printed.
    """

    _step: float | None = None
    _cadence: float | None = None

    def refine(self, step: float, grain: float) -> float:
        """The step, where neighbours that are `grain` apart print alike (0: it was printed in full)."""
        if self._step is not None and self._cadence is not None and grain:
            likely = self._step + self._cadence
            if abs(likely - step) <= grain / 2:
                step = likely
        if self._step is not None and step - self._step >= max(4 * grain, 1.0):
            self._cadence = step - self._step
        self._step = step
        return step
