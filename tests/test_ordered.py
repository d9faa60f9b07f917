import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from tui.ordered import distinct, median, medians, quantile

numbers = st.floats(width=32)


@given(st.lists(numbers, min_size=1, max_size=40))
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_it_is_that_of_numpy_to_the_last_bit(values: list[float]) -> None:
    expected = float(np.median(values))
    for given_as in (values, np.array(values)):
        assert median(given_as) == expected or (math.isnan(expected) and math.isnan(median(given_as)))


@given(arrays.arrays(np.float64, st.tuples(st.integers(0, 6), st.integers(1, 9)), elements=numbers))
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_of_rows_it_is_that_of_each(rows: np.ndarray) -> None:
    np.testing.assert_array_equal(medians(rows), [median(row) for row in rows])


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=40), st.floats(0, 1))
def test_a_quantile_is_that_of_numpy(values: list[float], share: float) -> None:
    assert quantile(values, share) == float(np.quantile(values, share))


@given(st.lists(st.floats(allow_nan=False, width=16) | st.integers(-9, 9), max_size=40))
def test_distinct_values_are_those_of_numpy(values: list[float]) -> None:
    np.testing.assert_array_equal(distinct(values), np.unique(np.array(values, float)))


def test_nothing_has_no_median() -> None:
    assert math.isnan(median([]))


def test_a_table_is_one_heap_of_values() -> None:
    assert median([[1, 8, 2], [9, 3, 7]]) == 5


def test_it_does_without_masked_arrays() -> None:
    code = (
        "import sys; from tui.ordered import distinct, median;"
        "sys.exit(median([3, 1, 2]) != 2 or len(distinct([3, 3])) != 1 or 'numpy.ma' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
