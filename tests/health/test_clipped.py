from __future__ import annotations

import numpy as np

from tests.health.curves import alerts_of, make_span, noise
from tui.health.alerts import AlertState, Severity


def test_norms_that_mostly_equal_their_maximum_are_remarked_on() -> None:
    norm = np.minimum(np.exp(0.5 + 0.3 * noise(400)), 1.0)
    (alert,) = alerts_of(make_span(grad_norm=norm))
    assert (alert.kind, alert.severity, alert.state) == ("clipped_gradient", Severity.INFO, AlertState.FIRING)
    assert alert.evidence["limit"] == 1.0


def test_norms_that_vary_are_not() -> None:
    assert alerts_of(make_span(grad_norm=np.exp(0.3 * noise(400)))) == ()


def test_it_is_over_when_they_vary_again() -> None:
    norm = np.exp(0.3 * noise(800))
    norm[:400] = np.minimum(1.5 * norm[:400], 1.0)
    alert = alerts_of(make_span(grad_norm=norm))[0]
    assert (alert.kind, alert.state) == ("clipped_gradient", AlertState.CLEARED)
