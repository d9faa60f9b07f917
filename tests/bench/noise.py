"""Noise as training logs have it, of unit scale."""

from __future__ import annotations

import numpy as np

from tui.decode.batch import Floats


def skewed(rng: np.random.Generator, n: int, outliers_per_10k: float) -> Floats:
    """White noise (n,), skewed to the right, with so many values beyond 6 sigma in 10,000, up to 25."""
    body = (rng.gamma(12.0, size=n) - 12) / np.sqrt(12)
    is_far = rng.random(n) < outliers_per_10k / 1e4
    noise: Floats = body + np.where(is_far, 6 + np.minimum(rng.exponential(4.0, n), 19), 0.0)
    return noise


def autoregressive(rng: np.random.Generator, n: int, memory: float, shocks: Floats | None = None) -> Floats:
    """AR(1) noise (n,) with this lag-1 correlation, of unit variance, from its own shocks or given ones."""
    shocks = rng.standard_normal(n) if shocks is None else shocks
    noise = np.empty(n)
    value, gain = 0.0, float(np.sqrt(1 - memory * memory))
    for at, shock in enumerate(shocks.tolist()):
        value = memory * value + gain * shock
        noise[at] = value
    return noise


def drift(rng: np.random.Generator, n: int, tau: float) -> Floats:
    """A slow random walk that is pulled back within `tau` entries, of unit variance (n,)."""
    return autoregressive(rng, n, float(np.exp(-1 / tau)))


def spikes(rng: np.random.Generator, n: int, per_10k: float) -> Floats:
    """Lone upward spikes (n,) for a logarithm: so many in 10,000, of about 1, at times 3."""
    is_one = rng.random(n) < per_10k / 1e4
    height: Floats = np.where(is_one, 0.5 + rng.exponential(0.7, n), 0.0)
    return height
