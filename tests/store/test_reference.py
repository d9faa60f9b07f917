import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.entries import make_run
from tui.store.reference import Standard, from_points, from_run, make_standard


def typed(*points: tuple[float, float]) -> Standard:
    made = make_standard(*zip(*points, strict=True), is_typed=True)
    assert made is not None
    return made


def test_between_typed_points_it_runs_in_straight_lines() -> None:
    curve = typed((1000, 0.11), (20000, 0.31))
    assert curve.value_at(1000) == 0.11
    assert curve.value_at(10500) == pytest.approx(0.21)
    assert curve.value_at(999) is None
    assert curve.value_at(20001) is None


def test_of_a_log_the_nearest_entry_counts_and_the_earlier_of_two() -> None:
    curve = Standard(np.array([10.0, 20.0, 40.0]), np.array([1.0, 2.0, 3.0]))
    assert [curve.value_at(step) for step in (10, 14, 15, 16, 30, 31, 40)] == [1, 1, 1, 2, 2, 3, 3]


def test_it_reached_a_value_between_two_points() -> None:
    curve = typed((0, 0.1), (100, 0.3))
    assert curve.reached(0.2, 1) == pytest.approx(50.0)
    assert curve.reached(0.05, 1) == 0.0
    assert curve.reached(0.4, 1) is None


def test_one_lucky_entry_of_a_log_is_no_progress() -> None:
    values = np.linspace(4.0, 2.0, 1001)
    values[100] = 0.5
    curve = Standard(np.arange(1001.0), values)
    step = curve.reached(3.0, -1)
    assert step is not None
    assert step == pytest.approx(500, abs=25)


def test_a_run_is_hardly_behind_one_that_is_its_like() -> None:
    noise = np.random.default_rng(0).normal(0.0, 0.03, (2, 8000))
    course = 0.05 * np.log(np.arange(1.0, 8001.0))
    other = from_run(
        "b", "", make_run([{"step": n + 1, "acc": course[n] + noise[0, n]} for n in range(8000)])
    )
    run = make_run([{"step": n + 1, "acc": course[n] + noise[1, n]} for n in range(6000)])
    gap = other.gap(run, "acc", 1)
    assert gap is not None
    assert gap.behind == pytest.approx(0, abs=900)  # the noise of 50 entries, 0.004, is worth 500 steps here


def test_the_gap_says_how_far_behind_the_run_is() -> None:
    run = make_run([{"step": step, "accuracy": step / 10_000} for step in range(1, 2001)])
    gap = from_points("paper", "table 2", {"accuracy": [(0, 0.0), (2500, 0.5)]}).gap(run, "accuracy", 1)
    assert gap is not None
    assert gap.value == pytest.approx(np.mean(np.arange(1951, 2001) / 10_000))
    assert gap.reference == pytest.approx(gap.value * 2, rel=1e-3)
    assert gap.difference == pytest.approx(-gap.value, rel=2e-3)
    assert gap.behind == pytest.approx(2000 - gap.value * 5000)


def test_a_run_better_than_all_of_the_reference_is_behind_nothing() -> None:
    run = make_run([{"step": step, "loss": 1.0} for step in range(1, 101)])
    gap = from_points("goal", "", {"loss": [(0, 4.0), (1000, 2.0)]}).gap(run, "loss", -1)
    assert gap is not None
    assert gap.difference is not None
    assert gap.difference < 0
    assert gap.same_at is gap.behind is None


def test_a_metric_that_the_reference_lacks_has_no_gap() -> None:
    run = make_run([{"step": step, "loss": 1.0} for step in range(1, 10)])
    reference = from_points("paper", "", {"accuracy": [(0, 0.1)]})
    assert reference.gap(run, "loss", -1) is None
    assert reference.gap(run, "accuracy", 1) is None
    assert reference.difference("loss", 3, 1.0) is None


def test_a_log_as_reference_has_the_standing_entries_in_order() -> None:
    rows = [{"step": float(step), "loss": 9.0} for step in range(1, 101)]
    rows += [{"step": float(step), "loss": 1.0} for step in range(51, 151)]
    curve = from_run("other", "b.jsonl", make_run(rows)).curves["loss"]
    assert curve.steps.tolist() == list(range(1, 151))
    assert curve.values.tolist() == [9.0] * 50 + [1.0] * 100


@given(st.lists(st.tuples(st.integers(0, 50), st.floats(allow_nan=True)), max_size=30))
def test_points_in_any_order_make_rising_steps_of_finite_values(points: list[tuple[int, float]]) -> None:
    made = make_standard([step for step, _ in points], [value for _, value in points], is_typed=True)
    finite = {step: value for step, value in points if np.isfinite(value)}
    if made is None:
        assert not finite
    else:
        assert dict(zip(made.steps.tolist(), made.values.tolist(), strict=True)) == finite
        assert (np.diff(made.steps) > 0).all()
