"""Places on an axis."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgets.scale import Axis

VALUES = np.array([-5.0, 0.0, 1.0, 10.0, 100.0, 1e9, np.nan, np.inf, -np.inf])


def test_a_linear_axis_goes_from_end_to_end() -> None:
    assert Axis(0.0, 10.0).fractions(np.array([0.0, 5.0, 10.0])).tolist() == [0.0, 0.5, 1.0]


def test_a_logarithmic_axis_has_each_decade_alike_and_no_place_for_what_is_not_positive() -> None:
    found = Axis(1.0, 100.0, is_log=True).fractions(np.array([1.0, 10.0, 100.0, 0.0, -3.0]))
    assert found[:3] == pytest.approx([0.0, 0.5, 1.0])
    assert np.isnan(found[3:]).all()


@pytest.mark.parametrize("axis", [Axis(0.0, 100.0), Axis(1.0, 100.0, is_log=True), Axis(3.0, 3.0)])
def test_what_is_beyond_the_ends_or_nowhere_is_in_an_outermost_cell(axis: Axis) -> None:
    for found in (axis.cells(VALUES, 7), axis.levels(VALUES, 7)):
        assert found.min() >= 0
        assert found.max() <= 6


@given(st.floats(0.001, 0.999), st.booleans())
def test_a_place_and_its_value_belong_together(fraction: float, is_log: bool) -> None:
    axis = Axis(2.0, 5e12, is_log)
    assert axis.fraction(axis.value_at(fraction)) == pytest.approx(fraction, abs=1e-9)
    assert axis.has(axis.value_at(fraction))
