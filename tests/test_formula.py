"""The grammar of derived metrics: what it reads, and how it refuses the rest."""

import math
import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.formula import parse_formula

VALUES = {"a": 3.0, "b": 4.0, "eval/loss": 0.5, "top-1": 7.0, "x.y": 2.0, "naïve": 9.0}
SIGNS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


def evaluate(text: str) -> float:
    formula = parse_formula(text)
    value = formula.work_out(
        lambda each: VALUES[each] if isinstance(each, str) else each,
        lambda sign, left, right: SIGNS[sign](left, right),
    )
    return float(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a", 3),
        ("a / b", 0.75),
        ("a - b - 1", -2),
        ("a / b / 2", 0.375),
        ("2 * (a + b) * .5", 7),
        ("-a * -2", 6),
        ("--a", 3),
        ("a - -b", 7),
        ("-(a + 1) / 2", -2),
        ("`eval/loss` + a", 3.5),
        ("'top-1' - \"eval/loss\"", 6.5),
        ("1_000e-3 + x.y", 3),
        ("naïve", 9),
        ("((((a))))", 3),
    ],
)
def test_it_is_worked_out_as_in_arithmetic(text: str, value: float) -> None:
    assert evaluate(text) == value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is empty"),
        ("a +", "it ends where a metric or a number should stand"),
        ("a b", "there is no sign before character 3"),
        ("2a", "'2a' at character 1 is no part of a formula"),
        ("a ** b", "a metric or a number should stand before '*' at character 4"),
        ("(a", "a parenthesis is not closed"),
        ("a)", "the parenthesis at character 2 was never opened"),
        ("f(a)", "there is no sign before the parenthesis at character 2"),
        ("()", "should stand before ')'"),
        ("a % b", "'% b' at character 3 is no part of a formula"),
        ("`a", "is no part of a formula"),
        ("a" * 1001, "at most 1000 characters"),
        ("__import__('os')", "there is no sign before the parenthesis"),
    ],
)
def test_what_is_no_formula_is_told_with_its_place(text: str, said: str) -> None:
    with pytest.raises(ValueError) as told:
        parse_formula(text)
    assert said in str(told.value)


def test_names_are_told_once_in_the_order_of_the_text() -> None:
    assert parse_formula("b + a / b - `eval/loss`").names == ("b", "a", "eval/loss")


@given(st.text(alphabet="ab12.+-*/() `'", max_size=30))
def test_any_text_is_read_as_python_reads_it_or_refused(text: str) -> None:
    try:
        value = evaluate(text)
    except (ValueError, KeyError, ZeroDivisionError):
        return
    if not set("`'") & set(text):
        expected = eval(
            text.strip(), {"__builtins__": {}}, dict(VALUES)
        )  # made of the characters above alone
        assert value == expected or math.isclose(value, expected)
