from __future__ import annotations

import numpy as np

from tests.health.curves import alerts_of, make_span, noise
from tui.decode.batch import Floats
from tui.health.alerts import AlertState, Severity


def short(n: int) -> Floats:
    return 2 + 6 * np.exp(-np.arange(n) / 15) + 0.1 * noise(n)


def test_a_short_run_that_loses_most_of_what_it_learned_is_a_divergence() -> None:
    loss = short(80)
    loss[50:] += 8
    (alert,) = alerts_of(make_span(loss=loss))
    assert (alert.kind, alert.severity, alert.state) == ("divergence", Severity.WARNING, AlertState.FIRING)
    assert abs(alert.onset_step - 51) <= 8


def test_it_is_a_spike_when_it_heals() -> None:
    loss = short(100)
    loss[50:70] += 8
    (alert,) = alerts_of(make_span(loss=loss))
    assert (alert.kind, alert.state) == ("spike", AlertState.CLEARED)


def test_an_explosion_before_anything_was_learned_is_none() -> None:
    loss = 3.9 + 0.1 * noise(100)
    loss[20:60] += 8.6
    assert alerts_of(make_span(loss=loss)) == ()


def test_a_short_healthy_run_raises_nothing() -> None:
    assert alerts_of(make_span(loss=short(100))) == ()
