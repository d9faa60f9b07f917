from __future__ import annotations

import numpy as np
import pytest

from tests.health.curves import alerts_of, noise
from tui.decode.batch import Column, Floats, Span
from tui.health.alerts import AlertState, Severity


def evaluated(values: Floats, name: str = "val_loss", every: int = 100) -> Span:
    n = len(values) * every
    at = np.arange(every - 1, n, every)
    return Span(np.arange(1.0, n + 1), {name: Column(at, values)})


def falling(n: int, seed: int = 0) -> Floats:
    return 2 + np.exp(-np.arange(n) / 5) + 0.005 * noise(n, seed)


def test_an_evaluation_that_gets_worse_is_overfitting_from_its_best_on() -> None:
    values = falling(40)
    values[20:] += 0.02 * np.arange(1, 21)
    (alert,) = alerts_of(evaluated(values))
    assert (alert.kind, alert.severity, alert.state) == ("overfit", Severity.WARNING, AlertState.FIRING)
    assert 1500 <= alert.onset_step <= 2300
    assert alert.onset_step < alert.raised_step <= 2800
    assert "that checkpoint is the best one" in alert.message


@pytest.mark.parametrize("seed", range(5))
def test_one_that_has_settled_is_not(seed: int) -> None:
    assert alerts_of(evaluated(falling(60, seed))) == ()


def test_three_bad_ones_are_needed() -> None:
    values = falling(40)
    values[20:22] += 0.5
    assert alerts_of(evaluated(values)) == ()


def test_a_new_best_ends_it() -> None:
    values = falling(40)
    values[20:28] += 0.2
    values[28:] -= 0.1
    (alert,) = alerts_of(evaluated(values))
    assert alert.state is AlertState.CLEARED


def test_a_quality_is_worse_where_it_is_lower() -> None:
    values = 3 - falling(40)
    values[20:] -= 0.02 * np.arange(1, 21)
    (alert,) = alerts_of(evaluated(values, "eval_accuracy"))
    assert alert.kind == "overfit"


def test_a_training_metric_is_no_evaluation() -> None:
    values = falling(40)
    values[20:] += 0.02 * np.arange(1, 21)
    assert alerts_of(evaluated(values, "loss")) == ()
