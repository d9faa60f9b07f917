from __future__ import annotations

import numpy as np
import pytest

from tests.health.curves import alerts_of, make_span, noise
from tui.decode.batch import Floats
from tui.health.alerts import AlertState, Severity


def short(n: int) -> Floats:
    """Norms (n,) of a healthy start: thirteen times higher at first."""
    norms: Floats = np.exp(np.log(13) * np.exp(-np.arange(n) / 8) + 0.15 * noise(n))
    return norms


def test_a_norm_many_times_beyond_all_before_is_an_explosion() -> None:
    norms = short(90)
    norms[50:] *= 60
    (alert,) = alerts_of(make_span(grad_norm=norms))
    assert (alert.kind, alert.severity, alert.state) == (
        "gradient_explosion",
        Severity.WARNING,
        AlertState.FIRING,
    )
    assert abs(alert.onset_step - 51) <= 8


def test_it_is_over_when_the_norm_is_back() -> None:
    norms = short(100)
    norms[40:70] *= 60
    (alert,) = alerts_of(make_span(grad_norm=norms))
    assert (alert.kind, alert.state) == ("gradient_explosion", AlertState.CLEARED)
    assert "is back at" in alert.message


def test_a_norm_that_falls_to_a_hundredth_is_a_critical_collapse() -> None:
    norms = short(90)
    norms[50:] /= 300
    (alert,) = alerts_of(make_span(grad_norm=norms))
    assert (alert.kind, alert.severity, alert.state) == (
        "gradient_collapse",
        Severity.CRITICAL,
        AlertState.FIRING,
    )


def test_a_fall_in_a_long_warmup_is_seen_and_stays_one_record() -> None:
    n = 4000
    norms = np.exp(0.1 * noise(n))
    norms[1000:] /= 300
    lr = np.minimum(np.arange(n) / 2500, 1) + 1e-3
    (alert,) = alerts_of(make_span(grad_norm=norms, lr=lr))
    assert (alert.kind, alert.state) == ("gradient_collapse", AlertState.FIRING)
    assert abs(alert.onset_step - 1001) <= 8


@pytest.mark.parametrize("seed", range(5))
def test_one_spike_is_no_explosion(seed: int) -> None:
    norms = short(100) * np.exp(0.05 * noise(100, seed))
    norms[60] *= 1000
    assert alerts_of(make_span(grad_norm=norms)) == ()


def test_a_healthy_start_raises_nothing() -> None:
    assert alerts_of(make_span(grad_norm=short(400))) == ()
