"""What curves can be drawn over."""

import numpy as np

from tests.store.entries import make_run
from tui.store.axes import find_axes, place_steps, positions
from tui.store.run import Run

STAMP = 1.7e9


def x_of(run: Run, name: str, axis: str) -> list[float]:
    stream = run.stream_of(name)
    standing = stream.standing(name)
    rows = standing.rows_at(np.arange(len(standing)))
    return list(positions(run, stream, axis)(rows).tolist())


def test_an_axis_is_offered_only_where_the_log_has_it() -> None:
    assert find_axes(Run()) == ("step",)
    assert find_axes(make_run({"step": n, "loss": 1.0} for n in range(9))) == ("step",)
    full = {"tokens": 1e9, "epoch": 0.1, "time": 2.0}
    run = make_run(
        {"step": n, "loss": 1.0, **{name: n * each for name, each in full.items()}, "timestamp": STAMP + n}
        for n in range(9)
    )
    assert find_axes(run) == ("step", "tokens", "epoch", "relative", "wall")


def test_a_rate_of_tokens_and_a_time_an_iteration_are_no_axes() -> None:
    run = make_run(
        {"step": n, "loss": 1.0, "tok_per_sec": 26e3 + n, "time": 0.1, "epoch": 1} for n in range(9)
    )
    assert find_axes(run) == ("step",)


def test_tokens_are_as_the_log_has_them() -> None:
    run = make_run({"step": n, "loss": 1.0, "tokens": n * 4e12} for n in range(4))
    assert x_of(run, "loss", "tokens") == [0.0, 4e12, 8e12, 12e12]


def test_relative_time_begins_at_the_first_stamp() -> None:
    run = make_run({"step": n, "loss": 1.0, "timestamp": STAMP + 60 * n} for n in range(3))
    assert x_of(run, "loss", "relative") == [0.0, 60.0, 120.0]
    assert x_of(run, "loss", "wall") == [STAMP, STAMP + 60, STAMP + 120]


def test_an_entry_without_the_field_stands_where_the_one_before_does() -> None:
    entries = [{"step": n, "loss": 1.0, **({"tokens": n * 10.0} if n % 2 == 0 else {})} for n in range(5)]
    assert x_of(make_run(entries), "loss", "tokens") == [0.0, 0.0, 20.0, 20.0, 40.0]


def test_rows_of_another_stream_stand_by_their_steps() -> None:
    train = [{"step": n, "loss": 1.0, "lr": 1.0, "tokens": n * 10.0} for n in range(1, 7)]
    run = make_run([*train[:3], {"step": 3, "eval_loss": 2.0}, *train[3:], {"step": 6, "eval_loss": 1.5}])
    assert len(run.streams) == 2
    assert x_of(run, "eval_loss", "tokens") == [30.0, 60.0]


def test_an_axis_that_the_log_lacks_is_its_steps() -> None:
    run = make_run({"step": n, "loss": 1.0} for n in (5, 6))
    assert x_of(run, "loss", "tokens") == [5.0, 6.0]
    assert place_steps(run, "tokens", np.array([5.5])).tolist() == [5.5]


def test_a_step_is_placed_at_the_last_entry_before_it() -> None:
    run = make_run({"step": n, "loss": 1.0, "tokens": n * 7.0} for n in (10, 20, 30))
    assert place_steps(run, "tokens", np.array([5.0, 20.0, 29.0, 99.0])).tolist() == [
        70.0,
        140.0,
        140.0,
        210.0,
    ]
