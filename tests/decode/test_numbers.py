import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tui.decode.numbers import parse_number, read_number, to_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.2e-05", 1.2e-05), ("817.", 817.0), (".5", 0.5), ("+3", 3.0), (" 7 ", 7.0), ("833,525", 833_525.0),
        ("1,178,492.5", 1_178_492.5), ("50K", 50_000.0), ("1.5k", 1500.0), ("2M", 2e6), ("97.42%", 97.42),
        ("38ms", 38.0), ("173.74GiB", 173.74), ("2.1G", 2.1), ("1756Mb", 1756.0), ("0.25 BPC", 0.25),
        ("np.float64(2.0)", 2.0), ("tensor(1.25, device='cuda:0')", 1.25), ("torch.tensor([3.5])", 3.5),
        ("1e400", math.inf), ("-inf", -math.inf), ("Infinity", math.inf), ("2" * 33 + ".000", float("2" * 33)),
        ("3 days, 17:51:32", 323_492.0), ("1 day, 4:01:21", 100_881.0), ("0:00:24", 24.0), ("41:07", 2467.0),
        ("1d 03h 06m", 97_560.0), ("5m 03s", 303.0),
    ],
)  # fmt: skip
def test_numbers_are_read_as_people_print_them(text: str, value: float) -> None:
    assert parse_number(text) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize("text", ["nan", "NaN", "nanms", "-nan"])
def test_nan_is_a_value(text: str) -> None:
    value = parse_number(text)
    assert value is not None
    assert math.isnan(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "abc",
        "12 apples",
        "0x1f",
        "1_000",
        "2023-01-01",
        "1.2.3",
        "5e",
        "8e1a2f",
        "N/A",
        "--",
        "1,23",
        "1" * 500,
    ],
)
def test_what_is_no_number_is_none(text: str) -> None:
    assert parse_number(text) is None


def test_a_unit_is_kept_and_a_prefix_multiplies() -> None:
    assert read_number("97.42", "%")[:2] == (97.42, "%")
    assert read_number("2", "M")[:2] == (2e6, "")


@pytest.mark.parametrize(
    ("digits", "unit", "grain"),
    [("50", "K", 1000), ("1.5", "M", 1e5), ("1.15e+04", "", 100), ("2e+03", "", 10), ("200", "", 0)],
)
def test_a_number_printed_rounded_says_how_far(digits: str, unit: str, grain: float) -> None:
    assert read_number(digits, unit).grain == pytest.approx(grain)


@given(st.floats(allow_nan=False))
def test_what_python_prints_comes_back(value: float) -> None:
    assert parse_number(repr(value)) == value
    assert parse_number(f"{value:.17g}") == value


@given(st.text(max_size=30))
@example("0\x1f")
def test_any_text_is_a_number_or_none(text: str) -> None:
    assert isinstance(parse_number(text), float | None)


def test_booleans_and_null_are_no_numbers() -> None:
    nothing: list[object] = [True, None, [1.0], {}]
    assert [to_number(value) for value in nothing] == [None] * 4
    assert to_number(10**400) == math.inf
