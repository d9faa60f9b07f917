"""The simulated run has the shape of the one that it stands for."""

import json
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.sources.demo.trainer import ENTRIES, LAST_STEP, SCENARIOS, simulate, write_line

FIELDS = [
    "step", "loss", "accuracy", "avg_streak", "top4_acc", "top8_acc", "ddtree_streak4", "ddtree_streak8",
    "grad_norm", "noise_std", "lr", "tok_per_sec", "elapsed",
]  # fmt: skip


@pytest.fixture(scope="module")
def drafter() -> dict[str, np.ndarray]:
    entries = list(simulate("drafter"))
    return {name: np.array([entry[name] for entry in entries], dtype=float) for name in FIELDS}


def near(run: dict[str, np.ndarray], name: str, step: int, reach: int = 25) -> float:
    at = int(np.searchsorted(run["step"], step))
    return float(np.median(run[name][max(0, at - reach) : at + reach]))


def test_every_entry_has_the_fields_of_the_log_in_their_order() -> None:
    assert all(list(entry) == FIELDS for entry in simulate(entries=2_000))


def test_the_drafter_logs_13190_entries_from_step_1_to_step_21784(drafter: dict[str, np.ndarray]) -> None:
    assert len(drafter["step"]) == ENTRIES == 13_190
    assert (drafter["step"][0], drafter["step"][-1]) == (1, LAST_STEP)
    assert LAST_STEP == 21_784
    assert set(np.diff(drafter["step"])) == {1, 2}


def test_the_entry_nearest_to_step_500_is_that_of_step_499(drafter: dict[str, np.ndarray]) -> None:
    assert [step for step in drafter["step"] if 498 < step < 502] == [499, 501]


def test_the_learning_rate_warms_up_to_its_peak_and_then_follows_a_cosine(
    drafter: dict[str, np.ndarray],
) -> None:
    assert drafter["lr"].max() == pytest.approx(6e-4, rel=1e-3)
    assert abs(drafter["step"][drafter["lr"].argmax()] - 2_801) <= 1
    assert drafter["lr"][-1] == pytest.approx(5.0e-4, rel=0.01)


def test_the_loss_falls_from_3_8_to_0_9_under_noise_of_0_11(drafter: dict[str, np.ndarray]) -> None:
    assert drafter["loss"][:3].mean() == pytest.approx(3.7, abs=0.2)
    assert drafter["loss"][-50:].mean() == pytest.approx(0.94, abs=0.05)
    differences = np.diff(drafter["loss"][-3_000:])
    assert 1.4826 * np.median(np.abs(differences)) / np.sqrt(2) == pytest.approx(0.11, rel=0.1)


def test_the_noise_of_the_loss_is_white(drafter: dict[str, np.ndarray]) -> None:
    tail = drafter["loss"][-5_000:]
    assert abs(np.corrcoef(tail[1:], tail[:-1])[0, 1]) < 0.1


def test_accuracy_rises_to_a_quarter_and_stands_still_from_step_16000(drafter: dict[str, np.ndarray]) -> None:
    assert near(drafter, "accuracy", 1, reach=3) == pytest.approx(0.036, abs=0.008)
    assert near(drafter, "accuracy", 16_000) == pytest.approx(0.253, abs=0.006)
    assert near(drafter, "accuracy", 16_000, 300) - 0.01 < near(drafter, "accuracy", 21_700) < 0.253


def test_more_candidates_are_right_more_often_and_longer(drafter: dict[str, np.ndarray]) -> None:
    assert (drafter["accuracy"] < drafter["top4_acc"]).all()
    assert (drafter["top4_acc"] < drafter["top8_acc"]).all()
    assert (drafter["avg_streak"] < drafter["ddtree_streak4"]).all()
    assert (drafter["ddtree_streak4"] < drafter["ddtree_streak8"]).all()
    assert near(drafter, "top4_acc", 1, 3) == pytest.approx(0.066, abs=0.015)
    assert near(drafter, "top8_acc", 1, 3) == pytest.approx(0.103, abs=0.02)


@pytest.mark.parametrize(("step", "norm"), [(1, 0.37), (150, 0.68), (1_000, 0.47), (21_784, 0.06)])
def test_the_gradient_norm_rises_then_falls_to_almost_nothing(
    drafter: dict[str, np.ndarray], step: int, norm: float
) -> None:
    assert near(drafter, "grad_norm", step, reach=4) == pytest.approx(norm, rel=0.15)


def test_elapsed_time_agrees_with_the_rate_of_tokens(drafter: dict[str, np.ndarray]) -> None:
    steps_per_s = (LAST_STEP - 1) / (drafter["elapsed"][-1] - drafter["elapsed"][0])
    assert steps_per_s == pytest.approx(0.16, rel=0.01)
    assert (np.diff(drafter["elapsed"]) > 0).all()


def test_two_runs_of_one_seed_are_the_same_and_of_two_seeds_are_not() -> None:
    assert list(simulate(entries=1_500, seed=4)) == list(simulate(entries=1_500, seed=4))
    assert list(simulate(entries=9, seed=4)) != list(simulate(entries=9, seed=5))
    assert list(simulate(entries=9, seed=-4)) != list(simulate(entries=9, seed=4))


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(sorted(SCENARIOS)), st.integers(0, 2_500), st.integers(0, 2_500))
def test_a_shorter_run_is_the_beginning_of_a_longer_one(scenario: str, one: int, other: int) -> None:
    short, long = sorted((one, other))
    assert list(simulate(scenario, entries=short)) == list(islice(simulate(scenario, entries=long), short))


@pytest.mark.parametrize("scenario", sorted(SCENARIOS))
def test_scenarios_differ_in_nothing_until_something_goes_wrong(scenario: str) -> None:
    healthy = list(simulate("healthy", entries=600))
    assert list(simulate(scenario, entries=600)) == healthy


def test_a_line_is_what_python_prints_as_json() -> None:
    entry = next(simulate("drafter"))
    line = write_line(entry)
    assert line.startswith('{"step": 1, "loss": ')
    assert line.endswith("}\n")
    assert json.loads(line) == entry
