from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.health.curves import learning, noise
from tests.health.rows import Rows, judge


def training_with_evaluations(entries: int, evaluations: int) -> Rows:
    """Rows of training, and after every twentieth a row of evaluation, which gets worse after the fifteenth."""
    loss = learning(entries)
    rows: Rows = []
    val = 2 - 0.02 * np.arange(evaluations) + 0.001 * noise(evaluations, 3)
    val[15:] += 0.1 * np.arange(evaluations - 15)
    for step in range(entries):
        rows.append((("step", "loss"), [float(step), float(loss[step])]))
        if step % 20 == 19 and step // 20 < evaluations:
            rows.append((("step", "eval_loss"), [float(step), float(val[step // 20])]))
    return rows


def test_what_was_said_of_evaluations_is_cleared_when_none_are_made_any_more() -> None:
    rows = training_with_evaluations(3000, 30)
    found = [(at, change.alert) for at, change in judge(rows, []) if change.alert.kind == "overfit"]
    assert [alert.is_firing for _, alert in found] == [True, False]
    at, cleared = found[-1]
    assert cleared.message.endswith("; eval_loss is no longer logged: not once in the last 500 entries")
    last = max(place for place, (fields, _) in enumerate(rows) if "eval_loss" in fields)
    assert at == last + 500


def test_training_does_not_end_in_a_long_evaluation() -> None:
    rows = training_with_evaluations(3000, 30)
    rows += [(("step", "eval_loss"), [3000.0 + row, 1.5]) for row in range(2000)]
    told = [change.alert.message for _, change in judge(rows, [])]
    assert not any(" loss is no longer logged" in message for message in told)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(1, 3029), max_size=20))
def test_departures_are_the_same_however_the_log_was_cut(cuts: list[int]) -> None:
    rows = training_with_evaluations(3000, 30)
    rows += [(("step", "eval_loss"), [3000.0, 0.5])]
    assert judge(rows, cuts) == judge(rows, [])
