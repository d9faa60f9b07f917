from __future__ import annotations

from itertools import combinations
from statistics import median

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.health.curves import noise
from tui.health.theilsen import fit_slope


@given(st.integers(3, 40), st.integers(0, 1000))
def test_the_slope_is_the_median_of_all_pairs(n: int, seed: int) -> None:
    x, y = np.arange(n, dtype=float), noise(n, seed)
    slow = median((y[j] - y[i]) / (x[j] - x[i]) for i, j in combinations(range(n), 2))
    fitted = fit_slope(x, y)
    assert fitted.value == pytest.approx(slow)
    assert fitted.low <= fitted.value <= fitted.high


def test_the_interval_holds_the_true_slope_as_often_as_it_says() -> None:
    x = np.arange(30.0)
    fits = [fit_slope(x, 0.1 * x + noise(30, seed)) for seed in range(500)]
    held = sum(fit.low <= 0.1 <= fit.high for fit in fits)
    assert held >= 0.96 * 500


def test_one_wild_point_in_ten_hardly_moves_the_slope() -> None:
    x, y = np.arange(40.0), 0.1 * np.arange(40.0) + 0.01 * noise(40)
    y[::10] += 100
    assert fit_slope(x, y).value == pytest.approx(0.1, abs=0.02)


def test_correlated_residuals_widen_the_interval() -> None:
    x, white = np.arange(60.0), noise(60)
    slow = np.convolve(noise(70, 1), np.ones(11) / 11**0.5, "valid")
    plain, wide = fit_slope(x, white), fit_slope(x, slow)
    assert wide.high - wide.low > 1.5 * (plain.high - plain.low)


def test_fewer_than_three_points_have_no_slope() -> None:
    assert np.isnan(fit_slope(np.array([1.0, 2]), np.array([1.0, 2])).value)


def test_points_at_one_place_have_no_slope() -> None:
    assert np.isnan(fit_slope(np.ones(5), noise(5)).value)
