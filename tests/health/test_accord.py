from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.health.curves import judge, make_span, noise
from tui.decode.batch import Floats, Span
from tui.health.alerts import Alert, AlertState

ONSET, ENTRIES = 2000, 2400


def rising_loss(sigmas: float, seed: int = 0) -> Floats:
    """A loss that creeps up by so many sigma within 200 entries from the onset on."""
    ramp = np.clip((np.arange(ENTRIES) - ONSET) / 200, 0, 1)
    return 2 + 0.05 * (noise(ENTRIES, seed) + sigmas * ramp)


def run(sigmas: float, factor: float, seed: int = 0) -> Span:
    """The same beside a norm that is so many times higher from the onset on."""
    norm = np.exp(0.1 * noise(ENTRIES, seed + 100))
    norm[ONSET:] *= factor
    return make_span(loss=rising_loss(sigmas, seed), grad_norm=norm)


def alerts_on_loss(span: Span) -> list[Alert]:
    last = {change.alert.number: change.alert for change in judge(span)}
    return [alert for alert in last.values() if alert.metric == "loss" and alert.kind != "decline"]


def test_a_loss_that_creeps_up_after_its_norm_is_a_divergence() -> None:
    (alert,) = alerts_on_loss(run(0.8, 3))
    assert (alert.kind, alert.state) == ("divergence", AlertState.FIRING)
    assert "as grad_norm rose" in alert.message
    assert abs(alert.onset_step - (ONSET + 1)) <= 3


def test_it_follows_from_the_explosion() -> None:
    alerts = {change.alert.kind: change.alert for change in judge(run(0.8, 3))}
    assert alerts["divergence"].cause == alerts["gradient_explosion"].number


def test_the_same_loss_beside_a_calm_norm_raises_nothing() -> None:
    assert alerts_on_loss(run(0.8, 1)) == []


@pytest.mark.parametrize("seed", range(6))
def test_a_norm_that_rises_alone_says_nothing_of_the_loss(seed: int) -> None:
    assert alerts_on_loss(run(0, 4, seed)) == []


def test_a_divergence_that_gets_much_worse_stays_one_record() -> None:
    span = run(30, 3)
    (alert,) = alerts_on_loss(span)
    assert alert.kind == "divergence"


def test_it_is_over_when_the_loss_is_back() -> None:
    loss = rising_loss(1.5)
    loss[ONSET + 250 :] = rising_loss(0)[ONSET + 250 :]
    norm = np.exp(0.1 * noise(ENTRIES, 100))
    norm[ONSET : ONSET + 250] *= 3
    (alert,) = alerts_on_loss(make_span(loss=loss, grad_norm=norm))
    assert (alert.kind, alert.state) == ("spike", AlertState.CLEARED)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 5), st.lists(st.integers(ONSET - 100, ENTRIES - 1), max_size=60))
def test_it_is_the_same_in_any_portions(seed: int, cuts: list[int]) -> None:
    span = run(0.8, 3, seed)
    assert judge(span, cuts) == judge(span)


def test_it_is_the_same_entry_by_entry_and_in_any_order_of_fields() -> None:
    span = run(0.8, 3)
    turned = Span(span.steps, dict(reversed(list(span.columns.items()))))
    assert judge(turned, range(ENTRIES)) == judge(span)
