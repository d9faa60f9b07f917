"""The figures of the run that Milepost was made for, each worked out a second time with numpy alone."""

import numpy as np
import pytest

from tests.replicas import LAST, NEW, OLD, RESUMED, UNIQUE, two_regimes
from tests.store.entries import feed
from tui.store.axes import find_axes, positions
from tui.store.budget import Budget
from tui.store.hidden import Happening, find_excursion
from tui.store.joins import find_joins
from tui.store.quarters import quarter_means
from tui.store.run import Run

BATCHES, EPOCHS, ACCUMULATION = 30_250, 6, 4
BUDGET = Budget(
    last_step=RESUMED + BATCHES * EPOCHS / ACCUMULATION,
    counted_from=RESUMED,
    epochs=EPOCHS,
    steps_per_epoch=BATCHES / ACCUMULATION,
    tokens_per_step=((1, 12_000), (15_001, 260_000)),
    tokens_per_epoch=1_880_000_000,
)


def replica(budget: Budget | None = None, jump: float = 0.0) -> Run:
    run = Run(total_steps=budget.last_step if budget else None, budget=budget or Budget())
    feed(run, two_regimes(jump=jump))
    return run


def test_the_log_is_what_it_says() -> None:
    run = replica()
    assert (run.entries, run.unique_steps, run.last_step) == (OLD + NEW, UNIQUE, LAST)
    old, new = run.segments
    assert (old.entries, new.entries) == (OLD, NEW)
    assert (old.unique_steps, new.unique_steps) == (OLD, NEW)
    assert (set(old.fields) - set(new.fields), set(new.fields) - set(old.fields)) == (
        {"step_time"},
        {"tok_per_sec"},
    )
    assert (old.superseded, old.superseded_from) == (OLD + NEW - UNIQUE, RESUMED)


def test_where_the_new_script_began_is_a_restart_though_the_fields_changed_there_too() -> None:
    main = replica().main
    assert main is not None
    assert main.restarts() == (RESUMED,)


def test_progress_is_counted_from_where_the_new_script_began() -> None:
    progress = replica(BUDGET).progress()
    assert progress.total_steps == BATCHES * EPOCHS / ACCUMULATION == 45_375
    assert progress.counted_steps == LAST - RESUMED == 1_330
    assert progress.fraction == 1_330 / 45_375
    assert f"{progress.fraction:.2%}" == "2.93%"
    assert progress.goal_step == 60_375
    assert progress.epochs == 6


def test_tokens_are_one_axis_over_both_regimes() -> None:
    steps = np.array([1.0, 14_999, 15_000, 15_001, LAST, np.nan])
    cost = np.where(np.arange(1, LAST + 1) <= 15_000, 12_000, 260_000).cumsum()
    assert BUDGET.tokens_at(steps)[:-1].tolist() == [float(cost[int(step) - 1]) for step in steps[:-1]]
    assert np.isnan(BUDGET.tokens_at(steps)[-1])
    assert BUDGET.tokens_at(np.array([15_000.0]))[0] == 180e6
    assert BUDGET.epoch_at(15_000) == pytest.approx(180e6 / 1.88e9)
    assert f"{BUDGET.epoch_at(15_000):.1%}" == "9.6%"
    assert replica(BUDGET).progress().tokens == cost[-1]


def test_epochs_are_by_batches_where_nothing_is_said_of_tokens() -> None:
    budget = Budget(steps_per_epoch=BATCHES / ACCUMULATION, counted_from=RESUMED)
    assert budget.epoch_at(LAST) == pytest.approx(1_330 / 7_562.5)


def test_a_clean_join_is_told_with_its_z_as_numpy_has_it() -> None:
    run = replica()
    none, join = find_joins(run)
    assert none is None
    assert join is not None
    assert (join.step, join.is_clean) == (RESUMED, True)
    entries = two_regimes()
    before = [entry for entry in entries[:OLD] if entry["step"] < RESUMED][-50:]
    after = entries[OLD : OLD + 50]
    steps = np.array([entry["step"] for entry in before + after])
    loss = np.array([entry["loss"] for entry in before + after])
    design = np.stack([np.ones(100), steps, np.arange(100) >= 50], axis=1)
    solution = np.linalg.pinv(design) @ loss
    left = loss - design @ solution
    r = max(np.sum(left[1:] * left[:-1]) / np.sum(left**2), 0)
    covariance = np.linalg.pinv(design.T @ design) * np.sum(left**2) / 97
    assert join.jumps["loss"].difference == pytest.approx(solution[2])
    assert join.jumps["loss"].z == pytest.approx(solution[2] / np.sqrt(covariance[2, 2] * (1 + r) / (1 - r)))


def test_a_jump_at_the_join_is_told() -> None:
    join = find_joins(replica(jump=0.1))[1]
    assert join is not None
    assert not join.is_clean
    assert join.jumps["loss"].difference == pytest.approx(0.1, abs=0.03)
    assert abs(join.jumps["accuracy"].z) < 4


def test_the_change_between_two_milestones_is_in_all_and_per_thousand() -> None:
    row = replica().table((10_000, 16_000), ["loss"]).rows[1]
    entries = {entry["step"]: entry["loss"] for entry in two_regimes()}
    first = min(entries, key=lambda step: abs(step - 10_000))
    last = min(entries, key=lambda step: abs(step - 16_000))
    assert row.change == {"loss": entries[last] - entries[first]}
    assert row.per_1000_steps["loss"] == pytest.approx(
        (entries[last] - entries[first]) / (last - first) * 1000
    )


def test_quarters_are_means_of_the_first_and_last_quarter() -> None:
    steps = np.arange(100.0)
    values = np.where(steps == 10, np.nan, steps)
    inside = values[(steps >= 5) & (steps <= 90) & ~np.isnan(values)]
    assert quarter_means(steps, values, 5, 90) == (inside[:21].mean(), inside[-21:].mean())
    assert quarter_means(steps, values, 5, 7) is None


NOISE = np.random.default_rng(3)


def test_a_spike_between_two_milestones_is_marked_and_a_smooth_descent_is_not() -> None:
    steps = np.arange(1.0, 3001)
    loss = 1 + 6 * steps**-0.35 + 0.02 * NOISE.normal(size=3000)
    run = Run()
    feed(run, [{"step": s, "loss": v} for s, v in zip(steps, loss, strict=True)])
    assert [row.hidden for row in run.table(happenings=()).rows] == [()] * len(run.table().rows)
    loss[1499] = 5.0
    run = Run()
    feed(run, [{"step": s, "loss": v} for s, v in zip(steps, loss, strict=True)])
    marked = {row.milestone: row.hidden for row in run.table(happenings=()).rows if row.hidden}
    ((hidden,),) = marked.values()
    assert list(marked) == [2000]
    assert (hidden.metric, hidden.step, hidden.value, hidden.kind) == ("loss", 1500, 5.0, "high")


def test_a_lasting_hump_that_no_single_value_shows_is_found() -> None:
    values = NOISE.normal(size=2000)
    values[800:1200] += 4.0
    assert find_excursion(NOISE.normal(size=2000)) is None
    found = find_excursion(values)
    assert found is not None
    assert found[1] == "high"
    assert 800 <= found[0] < 1200


def test_an_alert_that_began_between_two_milestones_marks_their_interval() -> None:
    table = replica().table(
        (10_000, 12_000, 14_000), ["loss"], [Happening(13_000, "plateau", ("loss", "accuracy"))]
    )
    assert [[each.kind for each in row.hidden] for row in table.rows] == [[], [], ["plateau"]]


def test_curves_may_be_drawn_over_true_tokens_and_epochs() -> None:
    run = replica(BUDGET)
    assert run.main is not None
    assert {"tokens", "epoch"} <= set(find_axes(run))
    rows = np.array([0, run.main.rows - 1])
    steps = run.main.steps[rows]
    assert positions(run, run.main, "tokens")(rows).tolist() == BUDGET.tokens_at(steps).tolist()
    assert positions(run, run.main, "epoch")(rows) == pytest.approx(BUDGET.tokens_at(steps) / 1.88e9)
    assert "tokens" not in find_axes(replica())


def test_a_value_that_is_not_finite_is_hidden_only_where_both_milestones_are() -> None:
    values = NOISE.normal(size=100)
    values[40] = np.nan
    assert find_excursion(values) == (40, "nonfinite")
    values[-1] = np.nan
    assert find_excursion(values) is None
