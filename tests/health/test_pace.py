from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.health.curves import noise
from tui.decode.batch import Floats
from tui.health.pace import History, guess_improvement, measure_improvement, measure_pace
from tui.health.trends import measure_trend

TIMES = np.arange(50.0, 10_001.0, 100.0)


def history(values: Floats) -> History:
    return History.of(TIMES.tolist(), values.tolist())


@given(st.floats(0.2, 0.8), st.floats(0.3, 0.5))
def test_a_power_law_keeps_the_pace_that_is_expected_of_it(exponent: float, window: float) -> None:
    known = history((1 + TIMES / 10) ** -exponent)
    start = (1 - window) * TIMES[-1]
    pace = measure_pace(known, start, TIMES[-1])
    assert pace is not None
    found = measure_improvement(known, start, TIMES[-1], pace)
    assert 0.7 < found.seen / found.expected < 1.3


def test_a_sudden_step_for_the_better_is_no_pace() -> None:
    values = 2 + 0.001 * noise(len(TIMES)) - np.where(TIMES > 5000, 1.0, 0)
    pace = measure_pace(history(values), 8000.0, 10_000.0)
    assert pace == pytest.approx(0, abs=0.01)


def test_a_history_that_is_too_short_has_no_pace() -> None:
    assert measure_pace(History.of([900.0, 950, 1000], [1.0, 0.9, 0.8]), 960.0, 1000.0) is None


def test_the_first_guess_is_near_the_slope() -> None:
    values = 3 - 0.0001 * TIMES
    guess = guess_improvement(history(values), 5000.0, 10_000.0)
    assert guess == pytest.approx(0.5, rel=0.05)
    assert measure_improvement(history(values), 5000.0, 10_000.0, 0.1).seen == pytest.approx(0.5)


def test_given_noise_bounds_the_error_from_below() -> None:
    known = history(1 + 0.001 * noise(len(TIMES)))
    plain = measure_improvement(known, 5000.0, 10_000.0, 0.1)
    noisy = measure_improvement(known, 5000.0, 10_000.0, 0.1, noise=0.1)
    assert noisy.error > 10 * plain.error
    assert noisy.high - noisy.low > 10 * (plain.high - plain.low)


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        (3 * (1 + TIMES / 10) ** -0.4, "improving"),
        (3 * (1 + np.minimum(TIMES, 6000) / 10) ** -0.4, "flat"),
        (3 * (1 + np.minimum(TIMES, 6000) / 10) ** -0.4 + np.maximum(TIMES - 6000, 0) * 1e-4, "declining"),
        (np.full(len(TIMES), 2.0) + 5 * noise(len(TIMES)), "unclear"),
    ],
)
def test_a_trend_has_a_verdict(values: Floats, verdict: str) -> None:
    trend = measure_trend(history(values + 1e-4 * noise(len(TIMES))), origin=1.0, sign=1.0)
    assert trend is not None
    assert trend.verdict == verdict


def test_a_trend_is_in_the_metrics_own_sign() -> None:
    rising, falling = (measure_trend(history(-0.001 * TIMES), 1.0, sign) for sign in (-1.0, 1.0))
    assert rising is not None
    assert falling is not None
    assert rising.per_1000_steps == pytest.approx(1.0)
    assert falling.per_1000_steps == pytest.approx(-1.0)


def test_two_blocks_have_no_trend() -> None:
    assert measure_trend(History.of([1.0, 2.0], [1.0, 2.0]), 0.0, 1.0) is None
