from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.health.curves import noise
from tui.decode.batch import Floats
from tui.health.octets import WIDTH, Octets
from tui.health.scale import ARMED_ROWS, LAG, REFRESH, WINDOW, Scale, recent_sigma


def slow_sigma(values: Floats) -> float:
    """The interquartile range of the last lag-24 differences, by sorting them in plain Python."""
    differences = sorted(values[i] - values[i - LAG] for i in range(LAG, len(values)))[-10_000:]
    latest = sorted([values[i] - values[i - LAG] for i in range(LAG, len(values))][-WINDOW:])
    n = len(latest)
    assert len(differences) >= n
    return float((latest[n - 1 - n // 4] - latest[n // 4]) / (1.3489795 * 2**0.5))


def fill(values: Floats, size: int) -> tuple[Octets, Floats]:
    octets, scale, sigmas = Octets(), Scale(), []
    for start in range(0, len(values), size):
        part = np.arange(start, min(start + size, len(values)))
        octets.extend(values[part], part.astype(float), part)
        sigmas.append(scale.extend(octets))
    return octets, np.concatenate(sigmas)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 300), st.integers(8, 900))
def test_sigma_is_that_of_the_slow_way_at_each_refresh(size: int, n: int) -> None:
    values = noise(n, n)
    _, sigmas = fill(values, size)
    for row, sigma in enumerate(sigmas):
        at = ARMED_ROWS if row < REFRESH else row // REFRESH * REFRESH
        if row < ARMED_ROWS:
            assert np.isnan(sigma)
        else:
            assert sigma == pytest.approx(slow_sigma(values[: at * WIDTH]))


def test_neither_trend_nor_step_moves_sigma() -> None:
    values = noise(2000)
    plain = fill(values, 2000)[1][-1]
    assert fill(values + 0.05 * np.arange(2000), 2000)[1][-1] == pytest.approx(plain, rel=1e-6)
    stepped = values + np.where(np.arange(2000) > 1900, 50, 0)
    assert fill(stepped, 2000)[1][-1] == pytest.approx(plain, rel=0.3)


def test_sigma_is_about_one_for_unit_noise() -> None:
    assert np.nanmean(fill(noise(50_000), 4096)[1]) == pytest.approx(1, abs=0.03)


def test_the_recent_sigma_is_that_of_the_last_rows() -> None:
    octets, sigmas = fill(noise(2048 + WIDTH), 512)
    assert recent_sigma(octets.values[:-1]) == sigmas[-1]
    assert recent_sigma(octets.values[:5]) == 0
