"""What a run is compared with: another run's curves, or points from a paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from msgspec import Struct, field

from tui.decode.batch import Floats
from tui.store.run import RECENT_ENTRIES, Run

_COURSE_BLOCKS = 200
"""Blocks of a log's monotone course: fine enough for half a percent of its steps."""


class Standard(Struct, frozen=True, eq=False):
    """The curve of one metric to compare with: rising steps (n,), and values (n,) that are finite, n > 0.

    `is_typed`: a few points, between which it runs in straight lines; else every entry of a log, with its noise.
    """

    steps: Floats
    values: Floats
    is_typed: bool = False

    def value_at(self, step: float) -> float | None:
        """The value at a step, None beyond the ends: of points the line between two, of a log the nearest entry."""
        if not self.steps[0] <= step <= self.steps[-1]:
            return None
        if self.is_typed:
            return float(np.interp(step, self.steps, self.values))
        after = int(np.searchsorted(self.steps, step))
        before = max(after - 1, 0)
        is_before = after >= len(self.steps) or step - self.steps[before] <= self.steps[after] - step
        return float(self.values[before if is_before else after])

    def mean_over(self, first: float, last: float) -> float | None:
        """The mean from one step to another, both included; None where it says nothing of either end."""
        if first < self.steps[0] or last > self.steps[-1]:
            return None
        if self.is_typed:
            return float(np.interp(np.linspace(first, last, RECENT_ENTRIES), self.steps, self.values).mean())
        start, stop = np.searchsorted(self.steps, (first, np.nextafter(last, np.inf)))
        return float(self.values[start:stop].mean()) if stop > start else self.value_at((first + last) / 2)

    def reached(self, value: float, sign: int) -> float | None:
        """The first step at which it was as good as `value`, None where it never was.

        A log counts by its best monotone course, so that one lucky entry is no progress. `sign` is +1 where higher is
        better, else -1.
        """
        steps, course = (
            (self.steps, self.values) if self.is_typed else _monotone(self.steps, self.values, sign)
        )
        gain = sign * (course - value)
        at = int(np.argmax(gain >= 0))
        if gain[at] < 0:
            return None
        if at == 0:
            return float(steps[0])
        share = gain[at - 1] / (gain[at - 1] - gain[at])
        return float(steps[at - 1] + share * (steps[at] - steps[at - 1]))


class Gap(Struct, frozen=True):
    """How a metric stands to a reference at the run's present.

    `value` is the mean of the run's last entries and `reference` that of the reference over the same steps, None
    where it does not go so far; `difference` is the first less the second. `same_at` is the first step at which the
    reference was as good, None where it never was, and `behind` how many steps ago that is for the run: negative
    where the run is ahead.
    """

    metric: str
    step: float
    value: float
    reference: float | None
    difference: float | None
    same_at: float | None
    behind: float | None


class Reference(Struct, frozen=True, eq=False):
    """A named thing to compare with; `source` says in words where its numbers come from."""

    name: str
    source: str
    curves: Mapping[str, Standard] = field(default_factory=dict)

    def difference(self, metric: str, step: float, value: float) -> float | None:
        """A value less that of the reference at the same step; None where the reference says nothing of it."""
        curve = self.curves.get(metric)
        expected = curve.value_at(step) if curve else None
        return None if expected is None else value - expected

    def gap(self, run: Run, metric: str, sign: int) -> Gap | None:
        """How the run stands to it now; None without a finite value of the metric on either side.

        `sign` is +1 where higher is better, -1 where lower is.
        """
        curve = self.curves.get(metric)
        if curve is None or metric not in run.fields:
            return None
        points = run.points(metric)
        recent = slice(-RECENT_ENTRIES, None)
        steps, values = points.steps[recent], points.values[recent]
        is_finite = np.isfinite(values)
        if not is_finite.any():
            return None
        step, value = float(points.steps[-1]), float(values[is_finite].mean())
        expected = curve.mean_over(float(steps[0]), step)
        same_at = curve.reached(value, sign)
        return Gap(
            metric,
            step,
            value,
            expected,
            None if expected is None else value - expected,
            same_at,
            None if same_at is None else step - same_at,
        )


def make_standard(steps: Iterable[float], values: Iterable[float], *, is_typed: bool) -> Standard | None:
    """A curve from pairs in any order: what is not finite is left out, and of one step the last stands.

    None where nothing is left.
    """
    at, found = np.array(list(steps), np.float64), np.array(list(values), np.float64)
    is_finite = np.isfinite(at) & np.isfinite(found)
    at, found = at[is_finite], found[is_finite]
    if not len(at):
        return None
    order = np.argsort(at, kind="stable")
    at, found = at[order], found[order]
    is_last = np.r_[at[1:] != at[:-1], True]
    return Standard(at[is_last], found[is_last], is_typed)


def from_points(name: str, source: str, curves: Mapping[str, Sequence[tuple[float, float]]]) -> Reference:
    """A reference of typed points: pairs of step and value by metric."""
    made = {
        metric: curve
        for metric, points in curves.items()
        if (curve := make_standard(*zip(*points, strict=True), is_typed=True)) is not None
    }
    return Reference(name, source, made)


def from_run(name: str, source: str, run: Run) -> Reference:
    """A reference of all that another run has logged."""
    made = {}
    for metric in run.fields:
        points = run.points(metric)
        curve = make_standard(points.steps, points.values, is_typed=False)
        if curve is not None:
            made[metric] = curve
    return Reference(name, source, made)


def _monotone(steps: Floats, values: Floats, sign: int) -> tuple[Floats, Floats]:
    """The steps (k,) and values (k,) of the course that only ever gets better and fits a log best.

    Isotonic regression of the means of at most 200 blocks, by pooling neighbours (Ayer et al. 1955).
    """
    size = max(RECENT_ENTRIES, -(-len(values) // _COURSE_BLOCKS))
    starts = np.arange(0, len(values), size)
    counts = np.diff(np.r_[starts, len(values)])
    pools: list[
        tuple[float, float, float]
    ] = []  # the sums of values and steps, and the count, of pooled blocks
    for total, stepped, count in zip(
        np.add.reduceat(values, starts).tolist(),
        np.add.reduceat(steps, starts).tolist(),
        counts.tolist(),
        strict=True,
    ):
        pools.append((total, stepped, count))
        while len(pools) > 1 and sign * pools[-2][0] / pools[-2][2] >= sign * pools[-1][0] / pools[-1][2]:
            later, earlier = pools.pop(), pools.pop()
            pools.append((earlier[0] + later[0], earlier[1] + later[1], earlier[2] + later[2]))
    pooled = np.array(pools)
    return pooled[:, 1] / pooled[:, 2], pooled[:, 0] / pooled[:, 2]
