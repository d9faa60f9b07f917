from __future__ import annotations

import numpy as np
import pytest

from tests.health.curves import alerts_of, judge, learning, make_span, noise
from tui.health.alerts import AlertState, ChangeKind, Severity


def test_twenty_equal_losses_are_frozen_until_they_move() -> None:
    loss = learning(400)
    loss[200:250] = loss[200]
    raised, cleared = [change for change in judge(make_span(loss=loss)) if change.alert.kind == "frozen"]
    assert (raised.what, raised.entry, raised.alert.severity) == (ChangeKind.RAISED, 219, Severity.WARNING)
    assert raised.alert.onset_step == 201
    assert (cleared.what, cleared.entry) == (ChangeKind.CLEARED, 250)


def test_five_zeros_are_a_zero_loss() -> None:
    loss = learning(400)
    loss[200:] = 0
    alert = next(alert for alert in alerts_of(make_span(loss=loss)) if alert.kind == "zero_loss")
    assert (alert.raised_step, alert.onset_step, alert.state) == (205, 201, AlertState.FIRING)


@pytest.mark.parametrize("digits", [0, 1])
def test_a_log_of_few_digits_is_left_alone(digits: int) -> None:
    loss = np.round(learning(4000), digits)
    assert "frozen" not in {alert.kind for alert in alerts_of(make_span(loss=loss))}


def test_a_log_of_many_zeros_is_left_alone() -> None:
    rng = np.random.default_rng(0)
    loss = np.where(rng.random(4000) < 0.6, 0.0, rng.exponential(0.1, 4000))
    assert "zero_loss" not in {alert.kind for alert in alerts_of(make_span(loss=loss))}


def test_only_the_main_loss_is_watched() -> None:
    side = learning(400, seed=1)
    side[200:] = 0
    assert "zero_loss" not in {
        alert.kind for alert in alerts_of(make_span(loss=learning(400), aux_loss=side))
    }


def test_a_norm_that_becomes_zero_is_a_critical_collapse() -> None:
    norm = np.exp(0.1 * noise(400))
    norm[200:] = 0
    (alert,) = alerts_of(make_span(grad_norm=norm))
    assert (alert.kind, alert.severity, alert.raised_step) == ("gradient_collapse", Severity.CRITICAL, 205)
