"""The smoothed curve: an exponential moving average without the usual pull towards zero at its start."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

SPANS = (0, 20, 100, 500)
"""The choices of smoothing, in entries; 0 is none."""

DEFAULT_SPAN = 100

MEMORY_SPANS = 8
"""After so many spans an entry weighs less than 10**-6 of the newest: what is older need not be looked at."""

_NOTHING = 1e-12
"""A weight below which nothing of it can be seen."""


def smooth(values: Floats, span: int, entries: Counts | None = None) -> Floats:
    """The debiased exponential moving average of `values` (n,), at each of them (n,).

    A span of N has the mean age of a plain mean over N entries (decay 1 - 2 / (N + 1)). The weights are
    divided by their sum so far, so the first result is the first value (Kingma and Ba 2015, section 3). A
    non-finite value has no weight and gives NaN at its place. A span below 2 returns the values themselves.

    Args:
        values: Single values, or means.
        span: In entries.
        entries: Of how many entries each is the mean (n,); None for one each. A mean weighs, and lets those
            before it fade, as all its entries together would.
    """
    if span < 2 or len(values) == 0:
        return values
    decay = 1.0 - 2.0 / (span + 1.0)
    is_finite = np.isfinite(values)
    fading = np.full(len(values), decay) if entries is None else np.power(decay, entries, dtype=np.float64)
    gain = np.where(is_finite, 1.0 - fading, 0.0)
    weighted = np.where(is_finite, values, 0.0)
    weighted *= gain
    averages = np.full(len(values), np.nan)
    with np.errstate(over="ignore", invalid="ignore"):  # values near the largest number add up to infinity
        weighted, weights = _fading_sums(fading, weighted, gain)
        np.divide(weighted, weights, out=averages, where=is_finite)
    return averages


def _fading_sums(fading: Floats, *columns: Floats) -> tuple[Floats, ...]:
    """For each column S with S[i] = fading[i] * S[i-1] + column[i], by doubling the reach until nothing is left."""
    reach = 1
    while reach < len(fading) and float(fading[reach:].max()) > _NOTHING:
        for column in columns:
            column[reach:] += fading[reach:] * column[:-reach]
        fading[reach:] = fading[reach:] * fading[:-reach]
        fading[:reach] = 0.0
        reach *= 2
    return columns
