import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store.entries import Entry, feed, make_run, steps
from tui.roles import Role
from tui.store.pieces import Accepted, FieldsChanged, Restarted
from tui.store.run import Run, StreamPiece

FIELD_SETS = (("loss",), ("loss", "acc"), ("eval_loss",), ("loss", "step_time"), ("loss", "tok_per_sec"))


@st.composite
def logs(draw: st.DrawFn) -> list[dict[str, float]]:
    """Logs as they happen: mostly forward, with jumps back, repeats, and rows of several kinds."""
    entries: list[dict[str, float]] = []
    step = 0.0
    for _ in range(draw(st.integers(1, 12))):
        move = draw(st.sampled_from(["run", "run", "run", "back", "repeat", "little"]))
        fields = draw(st.sampled_from(FIELD_SETS))
        if move == "run":
            for _ in range(draw(st.integers(1, 25))):
                step += draw(st.sampled_from([1, 1, 2]))
                entries.append({"step": step, **{name: float(len(entries) % 7) for name in fields}})
        elif move == "back":
            step = max(0.0, step - draw(st.integers(1, 60)))
        elif move == "repeat" and entries:
            entries.append(dict(entries[-1]))
        elif entries:
            entries.append({"step": step - 1, **dict.fromkeys(fields, -1.0)})
    return entries


def describe(run: Run) -> object:
    """Everything that a run tells, in a form that compares."""
    return (
        run.entries, run.superseded, run.repeated, run.unique_steps, run.first_step, run.last_step, run.segments,
        run.fields, [(run.points(name).steps.tolist(), run.points(name).values.tolist()) for name in run.fields],
        [run.metric(name) for name in run.fields], run.table(), run.progress(), run.main_index,
    )  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(logs(), st.lists(st.integers(0, 300), max_size=12))
def test_the_same_entries_give_the_same_run_however_they_were_cut(
    entries: list[Entry], cuts: list[int]
) -> None:
    assert describe(make_run(entries, cuts)) == describe(make_run(entries))


@settings(max_examples=150, deadline=None)
@given(logs(), st.lists(st.integers(0, 300), max_size=12))
def test_health_is_told_the_same_in_the_same_order_however_it_was_cut(
    entries: list[Entry], cuts: list[int]
) -> None:
    assert tell(feed(Run(), entries, cuts)) == tell(feed(Run(), entries))


def tell(pieces: list[StreamPiece]) -> dict[int, list[object]]:
    """The pieces of each stream, entry by entry."""
    told: dict[int, list[object]] = {}
    for piece in pieces:
        what = told.setdefault(piece.stream, [])
        match piece.piece:
            case Accepted(span):
                what += [(float(span.steps[row]), span.row(row)) for row in range(len(span))]
            case Restarted(step, _, is_own):
                what.append(("restart", step, is_own))
            case FieldsChanged(span):
                what.append(("fields", span.steps.tolist(), [span.row(row) for row in range(len(span))]))
    return told


@settings(max_examples=150, deadline=None)
@given(logs())
def test_every_entry_stands_is_superseded_or_repeats_another(entries: list[Entry]) -> None:
    run = make_run(entries)
    standing = sum(len(stream.standing_steps()) for stream in run.streams)
    assert standing + run.superseded + run.repeated == run.entries == len(entries)
    assert run.unique_steps <= len({entry["step"] for entry in entries})


@settings(max_examples=150, deadline=None)
@given(logs())
def test_one_stream_agrees_with_a_slow_account_entry_by_entry(entries: list[Entry]) -> None:
    alike = [entry for entry in entries if "loss" in entry]
    run = make_run(alike)
    standing, restarts = account(alike)
    if not alike:
        return
    assert run.main is not None
    assert run.main.standing_steps().tolist() == [entry["step"] for entry in standing]
    assert run.points("loss").values.tolist() == [entry["loss"] for entry in standing]
    assert sum(segment.started_by == "restart" for segment in run.segments) <= restarts


def account(entries: list[Entry]) -> tuple[list[Entry], int]:
    """The standing entries of a single stream, and the number of restarts, by the words of the design."""
    rows: list[tuple[Entry, int]] = []  # in the order of the log, with the number of the attempt
    fallen: set[int] = set()
    attempt = 0
    for entry in entries:
        standing = [number for number in range(len(rows)) if number not in fallen]
        peak = max((rows[number][0]["step"] for number in standing), default=-math.inf)
        deltas = [d for d in np.diff([row["step"] for row, _ in rows[-256:]]) if d > 0]
        if entry["step"] < peak - 2 * (float(np.median(deltas)) if deltas else 0.0):
            fallen |= {number for number in standing if rows[number][0]["step"] >= entry["step"]}
            attempt += 1
        else:
            twins = [n for n in standing if rows[n][1] == attempt and rows[n][0]["step"] == entry["step"]]
            if twins and rows[twins[-1]][0] == entry:
                continue
            fallen |= set(twins[-1:])
        rows.append((entry, attempt))
    return [row for number, (row, _) in enumerate(rows) if number not in fallen], attempt


def test_four_ranks_that_write_the_same_row_are_one_entry() -> None:
    run = make_run([entry for entry in steps(10, 20, 30) for _ in range(4)])
    assert (run.entries, run.repeated, run.superseded, run.unique_steps) == (12, 9, 0, 3)
    assert run.metric("loss").count == 3


def test_of_two_unequal_rows_of_one_step_the_later_stands() -> None:
    run = make_run([{"step": 1, "loss": 1.0}, {"step": 2, "loss": 5.0}, {"step": 2, "loss": 3.0}])
    assert run.points("loss").values.tolist() == [1.0, 3.0]
    assert run.superseded == 1


def test_a_small_step_back_is_reordering_and_no_restart() -> None:
    run = make_run(steps(1, 2, 3, 5, 4, 6, 7))
    assert len(run.segments) == 1
    assert run.main is not None
    assert run.main.reordered == 1
    assert run.last_step == 7


def test_the_last_step_is_the_last_in_order_and_never_a_maximum() -> None:
    assert make_run(steps(1, 2, 3, 5, 4)).last_step == 4


def test_train_and_eval_rows_are_streams_of_their_own() -> None:
    entries: list[dict[str, float]] = []
    for step in range(1, 101):
        entries.append({"step": step, "loss": 2.0, "lr": 0.1})
        if step % 10 == 0:
            entries.append({"step": step, "eval_loss": 1.0, "lr": 0.1})
    run = make_run(entries)
    assert [stream.entries for stream in run.streams] == [100, 10]
    assert len(run.segments) == 1
    assert (run.entries, run.unique_steps, run.last_step) == (110, 100, 100)
    assert run.points("eval_loss").steps.tolist() == list(range(10, 101, 10))


def test_a_side_metric_in_common_does_not_make_train_and_eval_rows_one_stream() -> None:
    entries: list[dict[str, float]] = []
    for step in range(1, 11):
        entries.append({"step": step, "train_loss": 2.0, "step_avg": 48.5})
        entries.append({"step": step, "val_loss": 1.0, "step_avg": 48.5})
    run = make_run(entries)
    assert [(stream.entries, stream.superseded) for stream in run.streams] == [(10, 0), (10, 0)]


def test_a_row_without_the_loss_belongs_to_those_with_whom_it_shares_the_rest() -> None:
    entries: list[dict[str, float]] = [
        {"step": 1, "loss_scale": 8.0},
        {"step": 2, "loss_scale": 8.0, "loss": 2.5},
    ]
    assert len(make_run(entries).streams) == 1
    assert len(make_run(entries[::-1]).streams) == 1


def test_rows_of_ranks_count_in_the_segment_of_the_row_that_they_repeat() -> None:
    run = make_run([entry for entry in steps(10, 20, 30, 5, 15) for _ in range(4)], cuts=[6, 13])
    assert [segment.entries for segment in run.segments] == [12, 8]
    assert run.segments[0].superseded == 3
    assert run.segments[0].superseded_from == 10


def test_a_restart_of_the_main_stream_takes_the_others_rows_with_it() -> None:
    first = [*steps(*range(1, 61)), {"step": 60, "eval_loss": 9.0}]
    second = [*steps(*range(41, 61)), {"step": 60, "eval_loss": 9.0}]
    run = make_run(first + second)
    assert run.points("eval_loss").values.tolist() == [9.0]
    assert run.superseded == 21


def test_eval_rows_that_count_epochs_never_disturb_the_main_stream() -> None:
    entries: list[dict[str, float]] = []
    for epoch in range(1, 6):
        entries += [{"step": epoch * 100 + batch, "loss": 1.0} for batch in range(30)]
        entries.append({"step": epoch, "accuracy": 0.5})
    run = make_run(entries)
    assert (run.superseded, len(run.segments)) == (0, 1)


def test_epochs_are_the_axis_where_there_is_no_step_and_may_stay_the_same() -> None:
    run = make_run([{"epoch": 0.01 * (number // 5), "loss": float(number)} for number in range(50)])
    assert (run.superseded, run.repeated) == (0, 0)
    assert run.metric("loss").count == 50
    assert run.last_step == pytest.approx(0.09)


def test_entries_are_numbered_from_one_where_nothing_else_counts_them() -> None:
    run = make_run([{"loss": 3.0}, {"loss": 2.0}], cuts=[1])
    assert run.points("loss").steps.tolist() == [1, 2]


def test_an_entry_whose_step_is_no_number_counts_as_malformed() -> None:
    run = make_run([{"step": 1, "loss": 1.0}, {"step": math.nan, "loss": 2.0}, {"step": 2, "loss": 3.0}])
    assert run.malformed == 1
    assert run.points("loss").values.tolist() == [1.0, 3.0]


def test_a_metric_is_summed_up_without_what_is_not_finite() -> None:
    run = make_run([{"step": 1, "loss": 3.0}, {"step": 2, "loss": 1.0}, {"step": 3, "loss": math.nan}])
    metric = run.metric("loss")
    assert (metric.count, metric.nonfinite, metric.best, metric.best_step) == (2, 1, 1.0, 2.0)
    assert metric.recent_mean == 2.0
    assert metric.last is not None
    assert math.isnan(metric.last)


def test_the_recent_mean_is_over_the_last_fifty_entries_that_stand() -> None:
    run = make_run([{"step": step, "loss": float(step)} for step in [*range(1, 201), *range(101, 151)]])
    assert run.metric("loss").recent_mean == np.mean(np.arange(101, 151))


def test_the_best_follows_the_role_and_is_none_without_a_direction() -> None:
    entries = [{"step": step, "accuracy": value, "lr": value} for step, value in enumerate([0.1, 0.3, 0.2])]
    run = make_run(entries)
    assert (run.metric("accuracy").best, run.metric("lr").best) == (0.3, None)
    turned = make_run(entries, run=Run(roles={"accuracy": Role.LOSS}))
    assert turned.metric("accuracy").best == 0.1


def test_another_field_can_be_given_as_the_axis() -> None:
    entries = [{"step": 0, "seen": 100.0 * number, "loss": 2.0} for number in range(1, 6)]
    run = make_run(entries, run=Run(roles={"seen": Role.AXIS}))
    assert run.points("loss").steps.tolist() == [100, 200, 300, 400, 500]
    assert run.fields == ("step", "loss")
