"""The debiased moving average."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgets.smoothing import Floats, smooth

VALUES = st.lists(st.floats(-1e6, 1e6) | st.sampled_from([np.nan, np.inf]), min_size=1, max_size=80)


def slow(values: list[float], span: int) -> list[float]:
    """The definition, value by value."""
    decay = 1 - 2 / (span + 1)
    total = weight = 0.0
    averages = []
    for value in values:
        is_finite = bool(np.isfinite(value))
        total = decay * total + (value if is_finite else 0.0)
        weight = decay * weight + is_finite
        averages.append(total / weight if is_finite else np.nan)
    return averages


@given(VALUES, st.integers(2, 500))
def test_it_is_the_moving_average_by_its_definition(values: list[float], span: int) -> None:
    np.testing.assert_allclose(smooth(np.array(values), span), slow(values, span), rtol=1e-6, atol=1e-3)


def test_it_is_the_same_over_many_blocks() -> None:
    values = np.random.default_rng(0).normal(size=30_000)
    np.testing.assert_allclose(smooth(values, 20), slow(values.tolist(), 20), rtol=1e-9, atol=1e-12)


def test_the_first_result_is_the_first_value() -> None:
    assert smooth(np.array([5.0, 1.0, 1.0]), 100)[0] == pytest.approx(5.0)


def test_a_constant_stays_constant() -> None:
    np.testing.assert_allclose(smooth(np.full(5_000, 0.3), 100), 0.3)


def test_no_span_changes_nothing() -> None:
    values: Floats = np.array([1.0, 2.0])
    assert smooth(values, 0) is values


def test_nothing_gives_nothing() -> None:
    assert len(smooth(np.zeros(0), 20)) == 0
