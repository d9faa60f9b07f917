"""Numbers for people."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgets.numbers import (
    NumberFormat,
    format_age,
    format_bytes,
    format_change,
    format_compact,
    format_step,
    format_tick,
    format_value,
    pick_format,
)

ANY = st.floats(allow_nan=True, allow_infinity=True) | st.none()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.9312, "0.931"),
        (3.76, "3.76"),
        (37.14, "37.1"),
        (371.4, "371"),
        (21784.0, "21,784"),
        (26011.02, "26,011"),
        (1.88e9, "1.88G"),
        (0.05796821, "0.0580"),
        (5e-4, "5.0e-4"),
        (-0.0041, "−0.0041"),
        (-5e-4, "−5.0e-4"),
        (0.99996, "1.00"),
        (9.9996, "10.0"),
        (999.96, "1,000"),
        (0.0, "0"),
        (-0.0, "0"),
        (math.nan, "NaN"),
        (math.inf, "inf"),
        (-math.inf, "−inf"),
        (None, "—"),
    ],
)
def test_a_value_is_rounded_to_what_matters(value: float | None, text: str) -> None:
    assert format_value(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (26011.0, "26.0k"),
        (999.6, "1,000"),
        (9999.0, "10.0k"),
        (1.87, "1.87"),
        (0.16412, "0.164"),
        (2.5e13, "25.0T"),
    ],
)
def test_a_rate_is_compact(value: float, text: str) -> None:
    assert format_compact(value) == text


@pytest.mark.parametrize(
    ("step", "text"),
    [(21784.0, "21,784"), (0.0, "0"), (1.875, "1.88"), (16234.5, "16,234"), (9.4e12, "9.40T"), (None, "—")],
)
def test_a_step_has_its_thousands_separated(step: float | None, text: str) -> None:
    assert format_step(step) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.3, "0 s"),
        (4.2, "4 s"),
        (59.9, "59 s"),
        (200.0, "3 min"),
        (3600.0, "1 h"),
        (18720.0, "5 h 12 min"),
        (187200.0, "2 d 4 h"),
        (-3.0, "0 s"),
        (None, "—"),
        (math.nan, "—"),
    ],
)
def test_an_age_is_in_its_largest_units(seconds: float | None, text: str) -> None:
    assert format_age(seconds) == text


@pytest.mark.parametrize(
    ("change", "text"), [(0.0123, "+0.0123"), (-5.75, "−5.75"), (0.0, "±0"), (None, "—"), (math.nan, "NaN")]
)
def test_a_change_always_has_its_sign(change: float | None, text: str) -> None:
    assert format_change(change) == text


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 bytes"), (1, "1 byte"), (812, "812 bytes"), (4_812_000, "4.81 MB")]
)
def test_bytes_have_a_unit(count: int, text: str) -> None:
    assert format_bytes(count) == text


@pytest.mark.parametrize(
    ("step", "text"), [(0.0, "0"), (500.0, "500"), (5000.0, "5k"), (12500.0, "12.5k"), (1e13, "10T")]
)
def test_a_tick_takes_few_cells(step: float, text: str) -> None:
    assert format_tick(step) == text


def test_a_column_has_its_decimal_points_under_each_other() -> None:
    form = pick_format([3.76, 1.464, 0.931])
    assert [form(value) for value in (3.76, 1.464, 0.931)] == ["3.760", "1.464", "0.931"]


def test_a_column_of_learning_rates_has_exponents() -> None:
    form = pick_format([2.2e-5, 6e-4, 5e-4])
    assert [form(value) for value in (2.2e-5, 6e-4)] == ["2.2e-5", "6.0e-4"]


def test_a_column_of_token_rates_is_compact() -> None:
    assert pick_format([26011.0, 25902.0])(26011.0) == "26.0k"


def test_a_small_number_among_large_ones_never_shows_as_zero() -> None:
    assert NumberFormat("plain", 3)(1e-5) == "1.0e-5"
    assert NumberFormat("plain", 3)(0.0) == "0.000"


@given(ANY)
def test_no_number_breaks_a_format(value: float | None) -> None:
    for form in (format_value, format_compact, format_step, format_age, format_change, format_bytes):
        assert form(value)


@given(st.lists(st.floats(), max_size=20), st.floats())
def test_no_column_breaks_the_choice_of_a_format(values: list[float], value: float) -> None:
    form = pick_format(values)
    assert form(value)
    assert form.change(value)


@given(st.floats(min_value=-1e12, max_value=1e12).filter(lambda value: value != 0))
def test_what_is_not_zero_is_never_written_as_zero(value: float) -> None:
    assert any(digit in format_value(value) for digit in "123456789")
