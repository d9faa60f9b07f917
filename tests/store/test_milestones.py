import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.entries import make_run, steps


def test_the_nearest_entry_is_shown_with_its_real_step_and_ties_go_to_the_earlier() -> None:
    run = make_run(steps(1, 497, 499, 501, 900, 1000))
    (row,) = run.table([500]).rows
    assert (row.milestone, row.step, row.values) == (500, 499, {"loss": 499.0})


@given(st.lists(st.integers(0, 500), min_size=1, max_size=40, unique=True), st.integers(0, 500))
def test_it_is_the_nearest_by_any_slow_account(numbers: list[int], milestone: int) -> None:
    numbers.sort()
    (row,) = make_run(steps(*numbers)).table([milestone]).rows
    nearest = min(numbers, key=lambda number: (abs(number - milestone), number))
    assert row.step in (nearest, None)
    if milestone <= numbers[-1]:
        assert row.step == nearest


def test_a_field_that_the_entry_lacks_is_not_there_and_a_logged_nan_is() -> None:
    run = make_run(
        [
            {"step": 1, "loss": 1.0, "acc": 0.5},
            {"step": 2, "loss": math.nan},
            {"step": 3, "loss": 1.0, "acc": 0.5},
        ]
    )
    (row,) = run.table([2]).rows
    assert list(row.values) == ["loss"]
    assert math.isnan(row.values["loss"])


def test_the_change_is_per_thousand_real_steps_since_the_row_above() -> None:
    run = make_run([{"step": 99, "loss": 4.0}, {"step": 499, "loss": 2.0}, {"step": 600, "loss": 2.0}])
    first, second = run.table([100, 500]).rows
    assert first.per_1000_steps == {}
    assert second.per_1000_steps["loss"] == pytest.approx(-2.0 / 400 * 1000)


def test_a_milestone_not_reached_has_no_step_and_no_values() -> None:
    rows = make_run(steps(*range(1, 101))).table([50, 101, 1000]).rows
    assert [row.step for row in rows] == [50, None, None]
    assert rows[-1].values == {}


def test_a_milestone_that_the_last_entry_will_stay_nearest_to_is_reached() -> None:
    (row,) = make_run(steps(*range(0, 500, 25))).table([480]).rows
    assert row.step == 475


def test_an_entry_nearer_to_a_neighbouring_milestone_is_dim() -> None:
    rows = make_run(steps(*range(50, 1001, 50))).table([10, 20, 50, 100]).rows
    assert [(row.step, row.is_dim) for row in rows] == [(50, True), (50, True), (50, False), (100, False)]
    assert rows[1].per_1000_steps == {}


def test_automatic_milestones_are_dense_early_and_end_with_the_next_one() -> None:
    run = make_run(steps(*range(1, 700)))
    assert [row.milestone for row in run.table().rows] == [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]


def test_automatic_milestones_begin_where_the_log_does() -> None:
    assert [row.milestone for row in make_run(steps(*range(100, 400, 50))).table().rows] == [100, 200, 500]


def test_another_streams_column_names_its_own_step_where_it_differs() -> None:
    entries: list[dict[str, float]] = []
    for step in range(1, 31):
        entries.append({"step": step, "loss": 1.0})
        if step % 8 == 0:
            entries.append({"step": step, "eval_loss": 0.5})
    near, same = make_run(entries).table([10, 24]).rows
    assert (near.values["eval_loss"], near.steps, same.steps) == (0.5, {"eval_loss": 8.0}, {})


def test_superseded_entries_are_not_in_the_table() -> None:
    old = [{"step": step, "loss": 9.0} for step in range(1, 101)]
    new = [{"step": step, "loss": 1.0} for step in range(50, 90)]
    rows = make_run(old + new).table([40, 60, 95]).rows
    assert [row.values.get("loss") for row in rows] == [9.0, 1.0, None]


def test_columns_come_in_the_order_asked_for_and_else_in_the_logs() -> None:
    run = make_run([{"step": 1, "b": 1.0, "a": 2.0}])
    assert run.table().columns == ("b", "a")
    assert run.table(metrics=["a"]).columns == ("a",)


def test_the_recent_means_are_of_the_last_fifty_entries() -> None:
    values = np.linspace(3, 1, 200)
    run = make_run([{"step": step, "loss": value} for step, value in enumerate(values)])
    recent = run.table().recent
    assert recent.entries == 50
    assert recent.values["loss"] == pytest.approx(values[-50:].mean(), rel=1e-15)
