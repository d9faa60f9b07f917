"""The old check of a trend: the mean of the first quarter of a window beside that of the last."""

from __future__ import annotations

import numpy as np

from tui.decode.batch import Floats


def quarter_means(steps: Floats, values: Floats, low: float, high: float) -> tuple[float, float] | None:
    """The means of the first and of the last quarter of the finite values (n,) with steps from `low` to `high`.

    None where there are fewer than four.
    """
    inside = values[(steps >= low) & (steps <= high) & np.isfinite(values)]
    quarter = len(inside) // 4
    return (float(inside[:quarter].mean()), float(inside[-quarter:].mean())) if quarter else None
