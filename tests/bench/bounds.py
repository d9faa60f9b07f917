"""Confidence bounds for shares and for counts: what a figure from so few runs can and can't say."""

from __future__ import annotations

from math import exp, sqrt

_Z = 1.959964  # of a normal law, two-sided 95 %


def wilson(hits: int, n: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927); 0 to 1 where there is nothing to go by."""
    if not n:
        return 0.0, 1.0
    share, square = hits / n, _Z * _Z
    middle = (share + square / (2 * n)) / (1 + square / n)
    half = _Z * sqrt(share * (1 - share) / n + square / (4 * n * n)) / (1 + square / n)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def poisson(events: int) -> tuple[float, float]:
    """The exact 95 % interval of the mean of a count (Garwood 1936): 0 gives 0 to 3.69."""
    low = _solve(lambda_high=events + 1.0, events=events - 1, share=0.975) if events else 0.0
    return low, _solve(lambda_high=2.0 * events + 10, events=events, share=0.025)


def _solve(lambda_high: float, events: int, share: float) -> float:
    """The mean at which so many events or fewer have this probability, by halving."""
    low, high = 0.0, lambda_high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(events, middle) > share else (low, middle)
    return (low + high) / 2


def _at_most(events: int, mean: float) -> float:
    term = total = exp(-mean)
    for count in range(1, events + 1):
        term *= mean / count
        total += term
    return total
