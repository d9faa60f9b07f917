import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tui.store.series import Growing, Series


@given(st.lists(st.lists(st.floats(), max_size=300), max_size=6))
def test_a_growing_array_holds_everything_in_order(parts: list[list[float]]) -> None:
    growing = Growing(np.float64)
    for part in parts:
        growing.extend(np.array(part))
    assert np.array_equal(growing.view, np.array([value for part in parts for value in part]), equal_nan=True)


@given(st.sets(st.integers(0, 60)), st.lists(st.integers(0, 60), max_size=4))
def test_a_series_knows_its_rows_however_they_came(present: set[int], cuts: list[int]) -> None:
    rows = np.array(sorted(present), np.int64)
    series = Series()
    for part in np.split(rows, np.searchsorted(rows, sorted(cuts))):
        series.extend(part, part.astype(np.float64) * 10)
    assert series.rows.tolist() == rows.tolist()
    assert series.values.tolist() == (rows * 10.0).tolist()
    for row in range(62):
        assert series.value_at(row) == (row * 10.0 if row in present else None)
        assert series.occurs_between(row, row + 5) == bool(present & set(range(row, row + 5)))


def test_a_series_without_gaps_stores_no_rows() -> None:
    series = Series()
    series.extend(np.arange(3, 6), np.zeros(3))
    series.extend(np.arange(6, 9), np.zeros(3))
    assert series.dense_from == 3
    series.extend(np.array([10]), np.zeros(1))
    assert series.dense_from is None
