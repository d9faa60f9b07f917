from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.health.curves import noise
from tests.health.rows import Rows, judge
from tui.decode.batch import Floats
from tui.health.alerts import Alert
from tui.health.beside import ROWS, UNKNOWN, TrainingLoss
from tui.health.schedule import Schedule
from tui.health.track import Track
from tui.roles import Role


def track(name: str = "loss") -> Track:
    return Track(name, Role.LOSS, Schedule())


def rows(loss: Floats, evaluations: Floats, every: int = 100, restart_at: int | None = None) -> Rows:
    """Rows of training, and behind every hundredth one of evaluation; once it may go back by 500 steps."""
    found: Rows = []
    for entry, value in enumerate(loss.tolist()):
        step = float(entry if restart_at is None or entry < restart_at else entry - 500)
        found.append((("step", "loss"), [step, value]))
        if entry % every == every - 1:
            found.append((("step", "eval_loss"), [step, float(evaluations[entry // every])]))
    return found


def training(evaluations: int, floor: float = 0.0) -> Floats:
    entries = np.arange(100 * evaluations)
    loss: Floats = np.maximum(2 + np.exp(-entries / 500) - 2e-4 * entries, floor)
    return loss + 0.02 * noise(len(loss), 1)


def standing_still(evaluations: int) -> Floats:
    """Evaluations that are best after about 25, and then worse by less than their noise lets one say."""
    count = np.arange(evaluations)
    values: Floats = 2 + np.exp(-count / 5) + 0.001 * count + 0.005 * noise(evaluations)
    return values


def overfits(log: Rows, cuts: list[int]) -> list[tuple[int, Alert]]:
    return [(at, change.alert) for at, change in judge(log, cuts) if change.alert.kind == "overfit"]


def test_evaluations_in_rows_of_their_own_are_set_beside_the_training_loss() -> None:
    ((_, alert),) = overfits(rows(training(60), standing_still(60)), [])
    assert alert.metric == "eval_loss"
    assert "; loss has fallen by " in alert.message
    assert float(alert.evidence["training_progress"]) > 0.01


def test_they_are_not_overfitting_where_training_stands_still_too() -> None:
    evaluations = standing_still(60) - 0.001 * np.arange(60)
    assert overfits(rows(training(60, floor=2.3), evaluations), []) == []


def test_before_a_restart_the_training_loss_was_that_of_another_baseline() -> None:
    told = TrainingLoss()
    loss = track()
    for begin in (0, 80):
        loss.extend(np.arange(begin, begin + 80), np.arange(80.0), np.full(80, 3.0 - begin / 80))
        told.extend(loss)
        told.begin(begin + 79)
        loss.restart()
    levels = [told.level(entry) for entry in (6, 7, 78, 79, 86, 87, 158)]
    assert [level.loss for level in levels if level.loss == level.loss] == [3, 3, 2, 2]
    assert [level.baseline for level in levels] == [1, 1, 1, 2, 2, 2, 2]


def test_only_what_the_next_entries_can_ask_for_is_kept() -> None:
    told, loss = TrainingLoss(), track()
    loss.extend(np.arange(8000), np.arange(8000.0), noise(8000))
    told.extend(loss)
    before = told.level(8000)
    assert before.loss == pytest.approx(np.mean(loss.octets.medians[-ROWS:]))
    told.trim()
    assert told.level(8000) == before
    assert told.level(7000) == UNKNOWN


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(1, 3000), max_size=8), st.sampled_from([None, 1500, 1501]))
@example([*range(1, 3000)], 1500)
def test_rows_apart_say_the_same_in_any_portions(cuts: list[int], restart_at: int | None) -> None:
    log = rows(training(30), standing_still(30) + 0.002 * np.arange(30), restart_at=restart_at)
    assert judge(log, cuts) == judge(log, [])


@pytest.mark.parametrize("size", [1, 10, 4000])
def test_a_stream_that_begins_with_an_evaluation_is_not_taken_for_the_one_that_trains(size: int) -> None:
    both: Rows = [(("step", "loss", "eval_loss"), [float(step), 2.0, 2.0]) for step in range(1, 200)]
    apart = [
        (fields, [step + 200, value]) for fields, (step, value) in rows(training(30), standing_still(30))
    ]
    log = [(("step", "eval_loss"), [0.0, 2.5]), *both, *apart]
    assert judge(log, range(0, len(log), size)) == judge(log, [])
