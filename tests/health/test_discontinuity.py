from __future__ import annotations

import numpy as np
import pytest

from tests.health.curves import learning, make_span
from tui.health.alerts import Alert, AlertState, Severity
from tui.health.engine import Engine


def resume(back_to: int, shift: float, n: int = 3000, more: int = 600) -> tuple[Alert, ...]:
    """The alerts of a run that went back after n entries and goes on with a loss that is shifted."""
    engine = Engine()
    engine.extend(make_span(loss=learning(n)))
    engine.restart(back_to + 1.0)
    steps = np.arange(back_to + 1.0, back_to + more + 1.0)
    engine.extend(make_span(steps, loss=learning(n + more, seed=1)[back_to : back_to + more] + shift))
    return tuple(alert for alert in engine.alerts if alert.kind == "discontinuity")


@pytest.mark.parametrize("back_to", [2950, 2800, 1000])
def test_a_seamless_restart_is_none(back_to: int) -> None:
    assert resume(back_to, 0.0) == ()


@pytest.mark.parametrize("back_to", [2950, 2800, 1000])
def test_a_loss_that_is_worse_after_it_is_a_warning(back_to: int) -> None:
    (alert,) = resume(back_to, 0.4)
    assert (alert.severity, alert.state) == (Severity.WARNING, AlertState.FIRING)
    assert alert.onset_step == back_to + 1
    assert "after the restart" in alert.message


def test_a_loss_that_is_better_after_it_is_a_remark_for_a_while() -> None:
    (alert,) = resume(2800, -0.4)
    assert (alert.severity, alert.state) == (Severity.INFO, AlertState.CLEARED)
