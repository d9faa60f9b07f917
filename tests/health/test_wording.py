from __future__ import annotations

import doctest

import numpy as np
import pytest

from tui.health import headline, wording
from tui.health.headline import choose_main_loss, is_headline
from tui.health.wording import number, percent, signed, step_text


def test_the_examples_hold() -> None:
    assert doctest.testmod(wording).failed == 0
    assert doctest.testmod(headline).failed == 0


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.93, "0.93"),
        (26011.0, "26,011"),
        (-0.00412, "−0.00412"),
        (1e-12, "1.00e−12"),
        (0.0, "0"),
        (np.nan, "NaN"),
    ],
)
def test_numbers_have_three_digits_and_a_true_minus(value: float, text: str) -> None:
    assert number(value) == text


def test_signs_are_always_shown_where_asked_for() -> None:
    assert (signed(0.017), signed(-0.004), signed(0.0)) == ("+0.017", "−0.004", "0")


def test_shares_are_percentages() -> None:
    assert (percent(0.334), percent(-0.0052)) == ("+33 %", "−0.52 %")


def test_a_step_keeps_a_fraction_only_where_the_axis_has_one() -> None:
    assert (step_text(16020.0), step_text(0.25), step_text(16020.4)) == ("16,020", "0.25", "16,020")


def test_the_main_loss_is_the_plainest_of_the_trained_ones() -> None:
    assert choose_main_loss(["val_loss", "loss_kl", "loss"]) == "loss"
    assert choose_main_loss(["val_loss"]) == "val_loss"
    assert choose_main_loss([]) is None


def test_accuracy_is_looked_at_first() -> None:
    assert is_headline("eval/accuracy")
    assert not is_headline("top4_acc")
