from __future__ import annotations

import numpy as np
import pytest

from tests.health.curves import judge, learning, make_span, noise
from tui.decode.batch import Floats
from tui.health.engine import Engine
from tui.health.findings import Explanation
from tui.health.shift import QUICK, STRONG


def told(values: Floats, name: str = "loss") -> Explanation:
    engine = Engine()
    engine.extend(make_span(**{name: values}))
    (found,) = (each for each in engine.explain() if each.detector == "instability")
    return found


def test_the_statistic_is_how_many_sigma_the_latest_mean_lies_above_those_before() -> None:
    values = 2 + 0.1 * noise(2000)
    values[-STRONG.recent * 8 :] += 0.05
    found = told(values)
    before = values[-(STRONG.recent + STRONG.before) * 8 : -STRONG.recent * 8]
    assert found.is_armed
    assert found.numbers["level"] == pytest.approx(np.mean(before), abs=0.01)
    by_hand = (np.mean(values[-STRONG.recent * 8 :]) - np.mean(before)) / found.numbers["sigma"]
    assert found.numbers["statistic"] == pytest.approx(by_hand, abs=0.1)
    assert 0.7 < found.numbers["threshold"] < 1.1


def test_a_quality_is_told_in_its_own_sense() -> None:
    found = told(2 - learning(2000), "accuracy")
    assert found.numbers["threshold"] < 0


@pytest.mark.parametrize(
    ("values", "why"),
    [
        (learning(64), f"64 of {8 * (QUICK.recent + QUICK.before)} values"),
        (noise(2000), "neither up nor down is worse"),
        (
            np.where(np.arange(2000) % 3 == 0, 0, learning(2000)),
            "more than a fifth of the last 256 values are zero",
        ),
    ],
)
def test_it_says_why_it_is_not_armed(values: Floats, why: str) -> None:
    found = told(values)
    assert (found.is_armed, found.reason) == (False, why)


def test_an_alert_keeps_the_numbers_that_it_was_raised_with() -> None:
    values = learning(3000)
    values[2000:] += 0.2
    raised = judge(make_span(loss=values))[0].alert
    assert raised.kind == "cliff"
    statistic, threshold = raised.evidence["statistic"], raised.evidence["threshold"]
    assert float(statistic) > float(threshold) > 0.5
