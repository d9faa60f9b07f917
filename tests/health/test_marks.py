from __future__ import annotations

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.health.curves import alerts_of, learning, make_span
from tui.decode.batch import Column, Floats
from tui.health.marks import RUN, Marks
from tui.health.schedule import Schedule


def find(steps: Floats, lr: Floats | None = None, size: int = 5000) -> list[int]:
    schedule = Schedule()
    marks, found = Marks(schedule), []
    for start in range(0, len(steps), size):
        part = slice(start, start + size)
        at = np.arange(len(steps[part]))
        rates = None if lr is None else Column(at, lr[part])
        schedule.extend(start, steps[part])
        if rates is not None:
            schedule.extend_lr(start + at, steps[part], rates.values)
        found += [start + position for position in marks.find(start, steps[part], rates)]
    return found


def cadenced(*parts: tuple[int, float]) -> Floats:
    return np.cumsum(np.concatenate([np.full(n, cadence) for n, cadence in parts]))


def test_a_cadence_ten_times_as_long_is_a_mark_after_eight_steps() -> None:
    assert find(cadenced((500, 1.0), (500, 10.0))) == [500 + RUN]


def test_so_is_one_ten_times_as_short_and_each_further_one() -> None:
    assert find(cadenced((500, 10.0), (500, 1.0), (500, 10.0))) == [500 + RUN, 1000 + RUN]


def test_lost_entries_and_doubled_ones_are_none() -> None:
    steps = cadenced((300, 1.0), (1, 400.0), (300, 1.0), (1, 0.0), (300, 1.0))
    assert find(steps) == []


def test_a_learning_rate_that_jumps_up_is_a_mark_at_its_entry() -> None:
    lr = np.concatenate((np.linspace(1e-3, 5e-4, 500), np.full(100, 1e-3)))
    assert find(np.arange(600.0), lr) == [500]


def test_a_warm_up_is_none() -> None:
    assert find(np.arange(600.0), 1e-6 * 1.6 ** np.minimum(np.arange(600), 15)) == []


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 700), st.lists(st.sampled_from([1.0, 2.0, 10.0, 40.0]), min_size=1, max_size=6))
@example(1, [1.0, 10.0])
@example(1400, [10.0, 1.0, 40.0])
def test_marks_are_the_same_in_any_portions(size: int, cadences: list[float]) -> None:
    steps = cadenced(*((180, cadence) for cadence in cadences))
    lr = np.where(np.arange(len(steps)) < 700, 1e-4, 3e-4)
    assert find(steps, lr, size) == find(steps, lr) == find(steps, lr, 1)


def test_a_clean_join_of_two_regimes_raises_nothing() -> None:
    first, second = learning(3000), 1.06 * learning(8000, seed=1)[3000:]
    steps = cadenced((3000, 1.0), (5000, 10.0))
    assert alerts_of(make_span(steps, loss=np.concatenate((first, second)))) == ()
