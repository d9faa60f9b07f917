"""Short series as the samples that a curve is drawn from."""

from __future__ import annotations

import numpy as np

from widgets.samples import Samples
from widgets.scale import Floats
from widgets.smoothing import smooth


def sample(x: Floats, y: Floats, span: int = 0) -> Samples:
    """The samples of a short series: every value (n,) is one of its own."""
    is_finite = np.isfinite(y)
    values = np.where(is_finite, y, np.nan)
    smoothed = smooth(values, span) if span else None
    finite = smoothed[np.isfinite(smoothed)] if smoothed is not None else np.zeros(0)
    return Samples(
        x=x,
        low=values,
        high=values,
        smoothed=smoothed,
        lost=x[~is_finite],
        last=float(y[-1]) if len(y) else None,
        last_smoothed=float(finite[-1]) if len(finite) else None,
    )
