from __future__ import annotations

import numpy as np
import pytest

from tests.health.curves import alerts_of, judge, noise
from tui.decode.batch import Column, Floats, Span
from tui.health.alerts import AlertState, Severity
from tui.health.engine import Engine


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


def test_evaluations_of_a_model_that_wanders_are_not_overfitting() -> None:
    raised = 0
    for seed in range(20):
        wander, values = noise(80, seed), 2 + np.exp(-np.arange(80) / 20)
        for index in range(1, 80):
            wander[index] = 0.6 * wander[index - 1] + 0.8 * wander[index]
        raised += len(alerts_of(evaluated(values * (1 + 0.01 * wander)))) > 0
    assert raised <= 1


def test_an_evaluation_that_is_repeated_in_every_entry_is_one() -> None:
    values = falling(40)
    values[20:22] += 0.5
    assert "overfit" not in {alert.kind for alert in alerts_of(evaluated(np.repeat(values, 100), every=1))}


def test_it_explains_what_it_sees() -> None:
    engine = Engine()
    engine.extend(evaluated(falling(5)))
    (told,) = (each for each in engine.explain() if each.detector == "overfit")
    assert (told.is_armed, told.reason, told.numbers) == (False, "5 of 7 evaluations", {})
    engine.extend(evaluated(falling(20)))
    (told,) = (each for each in engine.explain() if each.detector == "overfit")
    assert set(told.numbers) == {"best", "best_step", "recent", "threshold"}


def beside(values: Floats, loss: Floats, every: int = 100) -> Span:
    """Evaluations, and the training loss that goes with them."""
    span = evaluated(values, every=every)
    return Span(span.steps, {**span.columns, "loss": Column(np.arange(len(loss)), loss)})


def training(n: int, floor: float = 0.0) -> Floats:
    """A training loss that falls, by evaluations, from 3 to 2 and on, but not below a floor."""
    loss: Floats = np.maximum(2 + np.exp(-np.arange(100 * n) / 500) - 2e-4 * np.arange(100 * n), floor)
    return loss


def test_an_evaluation_that_stands_still_while_training_goes_on_is_overfitting() -> None:
    values, loss = falling(60) + 0.001 * np.arange(60), training(60) + 0.02 * noise(6000, 1)
    (alert,) = alerts_of(beside(values, loss))
    assert alert.kind == "overfit"
    assert "loss has fallen by" in alert.message
    assert alert.evidence["training_progress"] > 0.01  # type: ignore[operator]


def test_it_is_not_where_training_stands_still_too() -> None:
    values, loss = falling(60), training(60, floor=2.3) + 0.02 * noise(6000, 1)
    assert "overfit" not in {alert.kind for alert in alerts_of(beside(values, loss))}


def test_one_that_follows_training_is_not() -> None:
    loss = training(60) + 0.02 * noise(6000, 1)
    assert alerts_of(beside(training(60)[99::100] * 1.05 + 0.005 * noise(60), loss)) == ()


@pytest.mark.parametrize("size", [1, 37, 700])
def test_what_training_did_is_the_same_in_any_portions(size: int) -> None:
    values, loss = falling(30) + 0.003 * np.arange(30), training(30) + 0.02 * noise(3000, 1)
    span = beside(values, loss)
    assert judge(span, range(0, len(span), size)) == judge(span)
