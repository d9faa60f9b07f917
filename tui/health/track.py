"""One metric as its detectors see it: finite values, turned so that lower is better, in rows of eight."""

from __future__ import annotations

from functools import reduce
from math import isfinite
from operator import add

import numpy as np
import numpy.typing as npt

from tui.config import HealthConfig
from tui.decode.batch import Floats, Indices
from tui.health.beside import Beside
from tui.health.blocks import Blocks
from tui.health.contrast import NO_SHIFTS
from tui.health.headline import is_contest
from tui.health.octets import Octets
from tui.health.rises import Rises
from tui.health.scale import Scale, recent_sigma
from tui.health.schedule import Schedule
from tui.health.shift import Shift
from tui.roles import Role, direction

LEVEL_ROWS = 6
"""Rows (48 values) that the level is taken over."""

RELATIVE_GATE = 0.005
"""Share of its level that a metric must move by to matter: a healthy log moved by 0.02 % at 4 sigma."""

NORM_RISE, RATE_DROP = 2.0, 0.12
"""The same for a norm, which must double, and a rate, which must drop by 12 %."""

_FEW_SIGNS, _SIGN_SHARE = 2, 0.02  # rows, and share of them, of the rarer sign that a loss may have

_NONE = np.empty(0)

LARGEST = 1e100
"""Finite values beyond are counted as this, so that no sum of squares overflows."""

SMALLEST = 1e-100
"""Values that are smaller count as 0, so that no ratio to their scale overflows."""


class Track:
    """The values of one metric since its baseline began.

    Inside, a value is `y`, lower is better: the value itself for a loss, its negative for a quality, its
    logarithm for a gradient norm, the negative of that for a rate. `shown` leads back.

    Attributes:
        name: The metric's.
        role: What it is to the run.
        is_loss: Whether this is the run's main loss.
        training: The stream's main loss, where it is one of training.
        beside: The training loss of another stream, for where this one has none.
        has_direction: Whether up is worse at all: not so for one side of a game, nor for a loss beside a reward.
        raw: The latest portion as it was logged, NaN and infinities too: entries, steps, values.
        octets: The rows of y.
        levels: (fresh,) the level before each fresh row: NaN while there are fewer than 6 rows, and where the
            metric has no direction.
        sigmas: (fresh,) the sigma before each fresh row, NaN before row 12.
        floored: (fresh,) the same, but no less than a tenth of what the metric must move by to matter.
        shifts: How far the values up to each fresh row lie above those before, over the unit of such differences.
        blocks: The whole history at a low resolution, for metrics with a direction; `Plateau` fills them.
        last_sigma: The sigma as of the last row.
        schedule: The run's warm-up and learning rate.
        settings: What the configuration says of alerts.
        rises: When the norms of the stream have risen.
    """

    def __init__(
        self, name: str, role: Role, schedule: Schedule, settings: HealthConfig | None = None
    ) -> None:
        self.name = name
        self.role = role
        self.schedule = schedule
        self.settings = settings or HealthConfig()
        self.is_loss = False
        self.training: Track | None = None
        self.beside: Beside | None = None
        self.rises = Rises()
        self.has_direction = not (role is Role.LOSS and is_contest(name))
        self.is_log = role in (Role.GRAD_NORM, Role.THROUGHPUT)
        self.sign = -1.0 if direction(role) > 0 or role is Role.THROUGHPUT else 1.0
        self.raw: tuple[Indices, Floats, Floats] = (np.empty(0, np.int64), np.empty(0), np.empty(0))
        self.octets = Octets()
        self.scale = Scale()
        self.shift = Shift()
        self.relative_gate = self.settings.shift or RELATIVE_GATE
        self.log_gate = self._find_log_gate()
        self.blocks = Blocks()
        self.last_sigma = 0.0
        self._below = 0
        self.levels = np.empty(0)
        self.sigmas = np.empty(0)
        self.floored = np.empty(0)
        self.shifts = NO_SHIFTS

    def extend(self, entries: Indices, steps: Floats, values: Floats) -> None:
        """Add a portion: (n,) indices of entries in the stream, their steps, and what was logged."""
        self.raw = (entries, steps, values)
        if len(values) == 1:
            self._push(int(entries[0]), float(steps[0]), float(values[0]))
            return
        usable = np.isfinite(values) & (values > 0) if self.is_log else np.isfinite(values)
        if np.count_nonzero(usable) < len(usable):
            entries, steps, values = entries[usable], steps[usable], values[usable]
        values = np.minimum(np.maximum(values, -LARGEST), LARGEST)
        y = np.log(values) if self.is_log else np.where(np.abs(values) < SMALLEST, 0.0, values)
        self.octets.extend(self.sign * y, steps, entries)
        self._measure()

    def _push(self, entry: int, step: float, value: float) -> None:
        """Add one value, for a live log brings them singly, and numpy costs as much for one as for a hundred."""
        if not isfinite(value) or (self.is_log and value <= 0):
            self.octets.fresh = 0
        else:
            value = min(max(value, -LARGEST), LARGEST)
            y = float(np.log(value)) if self.is_log else value if abs(value) >= SMALLEST else 0.0
            self.octets.push(self.sign * y, step, entry)
        if self.octets.fresh:
            self._measure()
        else:
            self.levels = self.sigmas = _NONE

    def restart(self) -> None:
        """Start the baseline afresh."""
        self.octets.clear()
        self.scale.clear()
        self.shift.clear()
        self._below = 0
        self.blocks = Blocks()
        self.last_sigma = 0.0

    def shown(self, y: float) -> float:
        """The metric's own value for a y."""
        value = self.sign * y
        return float(np.exp(value)) if self.is_log else value

    def gate(self, level: Floats | float) -> Floats | float:
        """How far a metric at a level must move to matter, in y."""
        return self.relative_gate * np.abs(level) if self.log_gate is None else self.log_gate

    def _find_log_gate(self) -> float | None:
        """How far the logarithm of a norm or a rate must move; None for a metric that is judged by its level."""
        if self.role is Role.GRAD_NORM:
            return float(np.log(NORM_RISE))
        if self.role is Role.THROUGHPUT:
            return float(-np.log(1 - (self.settings.drop or RATE_DROP)))
        return None

    def mean_error(self, row: int, count: int) -> float:
        """The standard error of a mean of so many values, by the noise and its memory as of one of the fresh rows.

        `row` is its position in the octets.
        """
        sigma = recent_sigma(self.octets.values[: row + 1])
        inflation = float(self.shifts.inflations[row - len(self.octets.values)])
        return sigma * float(np.sqrt(inflation / count)) if sigma else 0.0

    def _is_directed(self) -> npt.NDArray[np.bool_]:
        """Whether up is worse as of each fresh row: a loss that takes both signs has no direction."""
        fresh = self.octets.fresh
        if self.role is not Role.LOSS or not self.has_direction:
            return np.full(fresh, self.has_direction)
        below = self._below + np.cumsum(self.octets.medians[-fresh:] < 0)
        rows = np.arange(self.octets.count - fresh, self.octets.count) + 1
        self._below = int(below[-1])
        directed: npt.NDArray[np.bool_] = np.minimum(below, rows - below) <= np.maximum(
            _FEW_SIGNS, _SIGN_SHARE * rows
        )
        return directed

    def _measure(self) -> None:
        octets = self.octets
        if not octets.fresh:
            self.levels = self.sigmas = _NONE
            return
        self.levels = levels_before(octets, octets.fresh)
        if self.role is Role.LOSS or not self.has_direction:
            self.levels = np.where(self._is_directed(), self.levels, np.nan)
        self.sigmas = self.scale.extend(octets)
        self.last_sigma = float(self.sigmas[-1])
        self.floored = np.maximum(self.sigmas, self.gate(self.levels) / 10)
        self.shifts = self.shift.extend(octets, self.floored)


def levels_before(octets: Octets, count: int) -> Floats:
    """The level as of each of the last `count` rows, from the 6 rows before it: NaN where there are fewer.

    It is the mean of the middle four of the six row medians: a remedian (Rousseeuw & Bassett 1990) with a
    trimmed mean at its top, about as efficient as the median of the 48 values, at a tenth of its cost.
    """
    medians = octets.medians[-(count + LEVEL_ROWS) : -1]
    have = len(medians) - LEVEL_ROWS + 1
    if count == have == 1:
        return np.array([reduce(add, sorted(medians.tolist())[1:-1]) / 4])
    levels = np.full(count, np.nan)
    if have > 0:
        ordered = np.array([medians[shift : shift + have] for shift in range(LEVEL_ROWS)])
        ordered.sort(axis=0)
        levels[-have:] = (ordered[1] + ordered[2] + ordered[3] + ordered[4]) / 4
    return levels
