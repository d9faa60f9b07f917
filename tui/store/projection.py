"""Where a metric is heading: its course fitted by laws of learning, and continued only where they have held."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from tui.decode.batch import Floats
from tui.ordered import median

BLOCKS = 60
"""Into how many blocks, even in the root of the step, a course is averaged before it is fitted."""

FEWEST_BLOCKS = 16
"""Below so many blocks nothing is said."""

WARM_UP = 0.05
"""The share of the run at its start, warm-up and first fall, that no law of learning describes."""

HELD_BACK = 0.4
"""The last share of the steps, which a fit to those before must have foretold."""

FARTHEST = 2.0
"""A course is continued to at most so many times the steps that it was seen for."""

EXPONENTS = tuple(np.linspace(0.0, 1.6, 33).tolist())
"""The powers tried in a + b t^-c; 0 stands for a + b log t."""

_SPREAD = 2.6
"""Standard errors to each side: 99 % of a normal error, since a fit's own error is always told too small."""


class Projection(Struct, frozen=True):
    """What a metric will be at a step if it goes on as it did: the value, and the range it is likely to be in."""

    step: float
    value: float
    low: float
    high: float


def project(steps: Floats, values: Floats, step: float) -> Projection | None:
    """Continue a course to a later step; None where the laws do not fit it, or the step is too far off.

    The blocks' means are fitted by a + b t^-c (the form of the scaling laws: Hestness et al. 2017, Kaplan et al.
    2020) for each of `EXPONENTS`, and by a + b log t; the range is over all of these that fit about as well as the
    best one. They hold where a fit to the first 60 % of the steps foretells the rest within its own range.

    Args:
        steps: Rising steps (n,), from the start of the regime that is to be continued.
        values: Its values (n,); those that are not finite are left out.
        step: The step to foretell.
    """
    is_used = np.isfinite(values) & (steps > 0)
    steps, values = steps[is_used], values[is_used]
    if len(steps) < 2 * FEWEST_BLOCKS or step > FARTHEST * steps[-1]:
        return None
    blocks = _blocks(steps, values)
    if len(blocks.at) < FEWEST_BLOCKS or not _has_held(blocks):
        return None
    low, high, value = _foretell(blocks, np.array([max(step, float(steps[-1]))]))
    return Projection(step, float(value[0]), float(low[0]), float(high[0]))


class _Blocks(Struct, frozen=True, eq=False):
    """Means (m,) at their mean steps (m,), and the standard error (m,) of each."""

    at: Floats
    mean: Floats
    error: Floats

    def first(self, count: int) -> _Blocks:
        return _Blocks(self.at[:count], self.mean[:count], self.error[:count])


def _blocks(steps: Floats, values: Floats) -> _Blocks:
    first = steps[0] + WARM_UP * (steps[-1] - steps[0])
    is_used = steps >= first
    steps, values = steps[is_used], values[is_used]
    edges = np.linspace(np.sqrt(steps[0]), np.sqrt(steps[-1]), BLOCKS + 1)[1:-1] ** 2
    groups = [
        pair for pair in np.split(np.arange(len(steps)), np.searchsorted(steps, edges)) if len(pair) >= 4
    ]
    at = np.array([steps[group].mean() for group in groups])
    mean = np.array([values[group].mean() for group in groups])
    error = np.array([values[group].std(ddof=1) / np.sqrt(len(group)) for group in groups])
    floor = 0.25 * median(error) if len(error) else 0.0
    return _Blocks(at, mean, np.maximum(error, floor) + 1e-12 * np.abs(mean).max(initial=0.0) + 1e-300)


def _has_held(blocks: _Blocks) -> bool:
    """Whether a fit to the first blocks has foretold the rest: most of them, and their mean."""
    known = int(np.searchsorted(blocks.at, (1 - HELD_BACK) * blocks.at[-1]))
    if known < FEWEST_BLOCKS // 2:
        return False
    low, high, value = _foretell(blocks.first(known), blocks.at[known:])
    seen, error = blocks.mean[known:], blocks.error[known:]
    is_within = (seen > low - 2 * error) & (seen < high + 2 * error)
    last = slice(len(seen) // 2, None)  # where a course that has bent away is farthest off
    miss = abs(float(np.mean(seen[last] - value[last])))
    reach = float(np.mean(high[last] - low[last])) / 2 + 2 * float(error[last].mean()) / np.sqrt(
        len(seen[last])
    )
    return bool(is_within.mean() >= 0.8 and miss <= reach)


def _foretell(blocks: _Blocks, at: Floats) -> tuple[Floats, Floats, Floats]:
    """The least, the greatest and the best-fitting course (k,) at later steps."""
    fits = [_fit(blocks, exponent, at) for exponent in EXPONENTS]
    best = min(fit.misfit for fit in fits)
    freedom = max(len(blocks.at) - 3, 1)
    scale = max(
        best / freedom, 1.0
    )  # more scatter than the noise within blocks: the error is that much larger
    at_best = min(range(len(fits)), key=lambda index: fits[index].misfit)
    likely = [
        fit for index, fit in enumerate(fits) if fit.misfit - best <= 4.0 * scale or abs(index - at_best) <= 1
    ]
    spread = [_SPREAD * np.sqrt(scale) * fit.error for fit in likely]
    low = np.min([fit.course - wide for fit, wide in zip(likely, spread, strict=True)], axis=0)
    high = np.max([fit.course + wide for fit, wide in zip(likely, spread, strict=True)], axis=0)
    return low, high, min(likely, key=lambda fit: fit.misfit).course


class _Fit(Struct, frozen=True, eq=False):
    misfit: float
    course: Floats
    error: Floats


def _fit(blocks: _Blocks, exponent: float, at: Floats) -> _Fit:
    """Weighted least squares of a and b; its course at later steps, and the standard error of that."""
    scale = blocks.at[-1]

    def basis(steps: Floats) -> Floats:
        bent = np.log(steps / scale) if exponent == 0 else (steps / scale) ** -exponent
        return np.column_stack((np.ones(len(steps)), bent))

    weights = 1 / blocks.error
    design = basis(blocks.at) * weights[:, None]
    solution, *_ = np.linalg.lstsq(design, blocks.mean * weights, rcond=None)
    misfit = float(np.sum((design @ solution - blocks.mean * weights) ** 2))
    covariance = np.linalg.pinv(design.T @ design)
    later = basis(at)
    error = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", later, covariance, later), 0.0))
    return _Fit(misfit, np.asarray(later @ solution), error)
