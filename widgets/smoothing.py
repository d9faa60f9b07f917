"""The smoothed curve: an exponential moving average without the usual pull towards zero at its start."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

SPANS = (0, 20, 100, 500)
"""The choices of smoothing, in entries; 0 is none."""

DEFAULT_SPAN = 100


def smooth(values: Floats, span: int) -> Floats:
    """The debiased exponential moving average of `values` (n,), at each of them (n,).

    A span of N has the mean age of a plain mean over N entries (decay 1 - 2 / (N + 1)). The weights are
    divided by their sum so far, so the first result is the first value (Kingma and Ba 2015, section 3). A
    non-finite value has no weight and gives NaN at its place. A span below 2 returns the values themselves.
    """
    if span < 2 or len(values) == 0:
        return values
    decay = 1.0 - 2.0 / (span + 1.0)
    is_finite = np.isfinite(values)
    if is_finite.all():
        weighted, weights = _decayed_sums(values, decay), _full_weights(len(values), decay)
    else:
        weighted = _decayed_sums(np.where(is_finite, values, 0.0), decay)
        weights = _decayed_sums(is_finite.astype(np.float64), decay)
    averages = np.full(len(values), np.nan)
    np.divide(weighted, weights, out=averages, where=is_finite)
    return averages


def _full_weights(count: int, decay: float) -> Floats:
    """The sums of the weights (n,) where every value has one; constant from where the oldest no longer counts."""
    rising = min(count, int(40.0 / (1.0 - decay)) + 1)
    weights = np.full(count, 1.0 / (1.0 - decay))
    weights[:rising] *= 1.0 - decay ** np.arange(1, rising + 1)
    return weights


def _decayed_sums(values: Floats, decay: float) -> Floats:
    """S with S[i] = decay * S[i-1] + values[i], in blocks short enough for decay**-length to stay finite."""
    length = max(int(-200.0 / np.log(decay)), 1) if decay > 0 else 1
    blocks = -(-len(values) // length)
    padded = np.zeros(blocks * length)
    padded[: len(values)] = values
    falling = decay ** np.arange(length)
    carry = decay ** np.arange(1, length + 1)
    with np.errstate(over="ignore", invalid="ignore"):  # values beyond 1e200 smooth to what is not finite
        sums = np.cumsum(padded.reshape(blocks, length) / falling, axis=1) * falling
        for block in range(1, blocks):
            sums[block] += carry * sums[block - 1, -1]
    return np.asarray(sums.ravel()[: len(values)])
