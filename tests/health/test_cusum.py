from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.health.curves import noise
from tui.health.cusum import ALLOWANCE, SUSPICION, WINSOR, Baseline, Cusum, row_gains
from tui.health.octets import Octets


@given(st.integers(0, 500))
def test_gains_are_sums_of_winsorised_distances(seed: int) -> None:
    rows = 3 * noise(80, seed).reshape(-1, 8)
    levels, sigmas = noise(10, seed + 1), np.exp(noise(10, seed + 2))
    slow = [
        sum(min(max((value - level) / sigma, -WINSOR), WINSOR) - ALLOWANCE for value in row)
        for row, level, sigma in zip(rows, levels, sigmas, strict=True)
    ]
    np.testing.assert_allclose(row_gains(rows, levels, sigmas), slow, atol=1e-9)


def test_rows_without_a_baseline_gain_nothing() -> None:
    gains = row_gains(np.ones((3, 8)), np.array([np.nan, 0, 0]), np.array([1, np.nan, 0]))
    assert np.isneginf(gains).all()


@given(st.lists(st.floats(-10, 10), max_size=60))
def test_the_sum_is_pages_until_it_is_suspect(gains: list[float]) -> None:
    cusum, slow, passed = Cusum(), 0.0, 0
    for gain in gains:
        if slow + gain > SUSPICION:
            break
        slow, passed = max(0.0, slow + gain), passed + 1
    assert cusum.cruise(gains, 0) == passed
    assert cusum.total == slow


def test_the_baseline_is_frozen_while_it_is_suspect() -> None:
    cusum = Cusum()
    first = Baseline(1.0, 0.1, 2.0)
    assert cusum.suspect(first) is first
    cusum.add(SUSPICION + 1, 0)
    assert cusum.suspect(Baseline(9.0, 9.0, 9.0)) is first
    cusum.add(-5, 1)
    assert cusum.frozen is None


def test_the_onset_is_the_first_bad_value() -> None:
    values = np.concatenate((np.zeros(40), np.full(8, 3.0)))
    octets, cusum = Octets(), Cusum()
    octets.extend(values, np.arange(48.0), np.arange(48))
    cusum.cruise([-6.0] * 4, 0)
    assert cusum.locate_onset(octets, 5, Baseline(0.0, 1.0, 1.0)) == pytest.approx(40)
