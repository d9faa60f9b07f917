from __future__ import annotations

import numpy as np
import pytest

from tests.health.curves import alerts_of, judge, learning, make_span, noise
from tui.health.alerts import AlertState, ChangeKind, Severity


@pytest.mark.parametrize(("value", "name"), [(np.nan, "NaN"), (np.inf, "Infinity"), (-np.inf, "-Infinity")])
def test_a_loss_that_is_not_finite_is_critical_at_its_entry(value: float, name: str) -> None:
    loss = learning(100)
    loss[40] = value
    (raised, *_) = judge(make_span(loss=loss))
    assert (raised.entry, raised.alert.kind, raised.alert.severity) == (40, "nonfinite", Severity.CRITICAL)
    assert raised.alert.onset_step == raised.alert.raised_step == 41
    assert raised.alert.evidence["value"] == name
    assert raised.alert.evidence["last_finite"] == pytest.approx(loss[39])


def test_fifty_finite_values_clear_it() -> None:
    loss = learning(200)
    loss[40:45] = np.nan
    raised, cleared = judge(make_span(loss=loss))
    assert (raised.what, cleared.what) == (ChangeKind.RAISED, ChangeKind.CLEARED)
    assert cleared.entry == 44 + 50


def test_one_norm_that_is_not_finite_is_a_remark_and_three_in_twenty_a_warning() -> None:
    norm = np.exp(0.1 * noise(400))
    norm[50] = np.nan
    norm[[200, 208, 216]] = np.inf
    changes = judge(make_span(grad_norm=norm))
    assert [(change.what, change.entry, change.alert.severity) for change in changes] == [
        (ChangeKind.RAISED, 50, Severity.INFO),
        (ChangeKind.CLEARED, 100, Severity.INFO),
        (ChangeKind.RAISED, 200, Severity.INFO),
        (ChangeKind.CHANGED, 216, Severity.WARNING),
        (ChangeKind.CLEARED, 266, Severity.WARNING),
    ]


@pytest.mark.parametrize("name", ["psnr", "val_loss", "loss_kl", "perplexity", "accuracy"])
def test_side_fields_make_no_alarm(name: str) -> None:
    values = np.ones(100)
    values[50:60] = np.nan
    assert alerts_of(make_span(loss=learning(100), **{name: values})) == ()


def test_an_only_loss_is_the_main_loss_whatever_its_name() -> None:
    (alert,) = alerts_of(make_span(loss_ce=np.array([1.0, np.nan])))
    assert alert.state is AlertState.FIRING


def test_values_that_are_not_finite_enter_no_baseline() -> None:
    loss = learning(4000)
    holed = np.where(np.arange(4000) % 300 < 2, np.nan, loss)
    kinds = {alert.kind for alert in alerts_of(make_span(loss=holed))}
    assert kinds == {"nonfinite"}


def test_the_norm_follows_from_the_loss() -> None:
    loss, norm = learning(100), np.exp(0.1 * noise(100))
    loss[50:], norm[50:] = np.nan, np.nan
    first, second = alerts_of(make_span(loss=loss, grad_norm=norm))
    assert (first.metric, second.metric) == ("loss", "grad_norm")
    assert second.cause == first.number
