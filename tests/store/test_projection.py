import numpy as np
import pytest

from tui.decode.batch import Floats
from tui.store.projection import project

STEPS = np.arange(1.0, 20_001.0)
SEEN = 8000
LATER = 16_000.0


def noisy(course: Floats, seed: int, sigma: float = 0.05) -> Floats:
    return course + np.random.default_rng(seed).normal(0.0, sigma, len(course))


@pytest.mark.parametrize("exponent", [0.2, 0.5, 1.0])
def test_a_power_law_goes_on_within_its_range(exponent: float) -> None:
    course = 1.0 + 3.0 * (STEPS / 100) ** -exponent
    told = [project(STEPS[:SEEN], noisy(course, seed)[:SEEN], LATER) for seed in range(20)]
    assert all(told)
    within = [each.low <= course[15_999] <= each.high for each in told if each]
    assert sum(within) >= 18


def test_a_logarithmic_rise_goes_on_within_its_range() -> None:
    course = 0.05 * np.log(STEPS)
    told = project(STEPS[:SEEN], noisy(course, 1, 0.02)[:SEEN], LATER)
    assert told
    assert told.low <= course[15_999] <= told.high
    assert told.high - told.low < 0.02
    assert told.value == pytest.approx(course[15_999], abs=0.005)


@pytest.mark.parametrize(
    "course",
    [
        np.where(STEPS < 6400, 0.0, 0.3) + 1 + 3 * (STEPS / 100) ** -0.4,
        1.0 + 2.0 * np.exp(-STEPS / 4000.0),
        np.sin(STEPS / 900.0),
    ],
    ids=["cliff", "exponential", "wave"],
)
def test_a_course_that_no_law_describes_is_not_continued(course: Floats) -> None:
    assert [project(STEPS[:SEEN], noisy(course, seed)[:SEEN], LATER) for seed in range(10)] == [None] * 10


def test_nothing_is_told_of_the_far_future_or_from_a_few_entries() -> None:
    course = noisy(1.0 + 3.0 * (STEPS / 100) ** -0.5, 0)
    assert project(STEPS[:SEEN], course[:SEEN], 16_001.0) is None
    assert project(STEPS[:20], course[:20], 30.0) is None
    assert project(STEPS[:0], course[:0], 30.0) is None


def test_values_that_are_not_finite_are_left_out() -> None:
    course = noisy(0.05 * np.log(STEPS), 3, 0.02)[:SEEN]
    course[::7] = np.nan
    assert project(STEPS[:SEEN], course, LATER) is not None
    assert project(STEPS[:SEEN], np.full(SEEN, np.nan), LATER) is None


def test_scale_and_sign_change_nothing() -> None:
    course = noisy(0.05 * np.log(STEPS), 5, 0.02)[:SEEN]
    plain = project(STEPS[:SEEN], course, LATER)
    scaled = project(STEPS[:SEEN], -1e6 * course, LATER)
    assert plain
    assert scaled
    assert (scaled.value, scaled.low, scaled.high) == pytest.approx(
        (-1e6 * plain.value, -1e6 * plain.high, -1e6 * plain.low), rel=1e-6
    )
