"""The extremes of every column."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from widgets.envelope import envelope, envelope_of
from widgets.scale import Axis

FINITE = st.floats(-1e9, 1e9)
POINTS = st.lists(
    st.tuples(st.floats(0, 100), FINITE | st.sampled_from([np.nan, np.inf, -np.inf])), max_size=60
)


@given(POINTS, st.integers(1, 40))
def test_every_column_has_the_extremes_of_its_values(points: list[tuple[float, float]], columns: int) -> None:
    x, y = np.array([x for x, _ in points]), np.array([y for _, y in points])
    shape = envelope_of(x, y, Axis(0.0, 100.0), columns)
    by_column: dict[int, list[float]] = {}
    for place, value in points:
        if np.isfinite(value):
            by_column.setdefault(min(int(place / 100.0 * columns), columns - 1), []).append(value)
    assert shape.columns.tolist() == sorted(by_column)
    assert shape.low.tolist() == [min(by_column[column]) for column in sorted(by_column)]
    assert shape.high.tolist() == [max(by_column[column]) for column in sorted(by_column)]
    assert ((shape.low <= shape.mean) & (shape.mean <= shape.high)).all()


def test_no_spike_is_hidden() -> None:
    y = np.ones(1_000_000)
    y[123_456] = 50.0
    shape = envelope_of(np.arange(1e6), y, Axis(0.0, 1e6), 60)
    assert shape.high.max() == 50.0
    assert len(shape.columns) == 60


def test_columns_with_a_value_that_is_not_finite_are_named() -> None:
    shape = envelope_of(np.array([0.0, 5, 9]), np.array([1.0, np.nan, 2]), Axis(0.0, 10.0), 10)
    assert shape.holes.tolist() == [5]


def test_token_counts_do_not_lose_their_place() -> None:
    x = 9.4e12 + np.arange(100.0)
    assert envelope_of(x, x, Axis(float(x[0]), float(x[-1])), 10).columns.tolist() == list(range(10))


def test_no_values_give_no_columns() -> None:
    shape = envelope_of(np.zeros(0), np.zeros(0), Axis(0.0, 1.0), 10)
    assert len(shape.columns) == 0


def test_buckets_give_their_own_extremes_and_means() -> None:
    place = np.array([0, 0, 1])
    low, high, mean = np.array([1.0, 0, 5]), np.array([9.0, 2, 6]), np.array([3.0, 1, 5.5])
    shape = envelope(place, low, high, mean)
    assert (shape.low.tolist(), shape.high.tolist(), shape.mean.tolist()) == ([0, 5], [9, 6], [2.0, 5.5])


def test_a_line_is_broken_only_before_a_column_with_nothing_finite() -> None:
    shape = envelope(np.array([0, 2, 3, 4]), np.array([1.0, 1, np.nan, 1]), np.array([1.0, 1, np.nan, 1]))
    assert shape.gaps() == [2]
