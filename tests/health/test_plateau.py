from __future__ import annotations

import numpy as np
import pytest

from tests.bench.runs import make_run
from tests.health.curves import alerts_of, judge, make_span, noise
from tui.decode.batch import Floats
from tui.health.alerts import AlertState, Severity
from tui.health.engine import Engine
from tui.health.wording import step_text

N = 12_000


def power_law(time: Floats, sigma: float = 0.01, seed: int = 0) -> Floats:
    return 0.5 - 0.4 * (1 + time / 100) ** -0.4 + sigma * noise(len(time), seed)


def stagnating(onset: int, n: int = N, sigma: float = 0.01, seed: int = 0) -> Floats:
    return power_law(np.minimum(np.arange(n), onset), sigma, seed)


def test_a_metric_that_stops_improving_is_a_plateau_after_a_while() -> None:
    changes = judge(make_span(accuracy=stagnating(4000)))
    first = changes[0]
    assert (first.alert.kind, first.alert.severity) == ("plateau", Severity.WARNING)
    assert 4000 < first.entry < 7000
    assert 3000 < first.alert.onset_step < 6000
    assert first.alert.raised_step > 4000


@pytest.mark.parametrize("seed", range(5))
def test_a_power_law_that_goes_on_is_none(seed: int) -> None:
    assert alerts_of(make_span(accuracy=power_law(np.arange(float(N)), seed=seed))) == ()


def test_the_sentence_says_what_was_seen_and_what_was_expected() -> None:
    alert = alerts_of(make_span(accuracy=stagnating(4000)))[0]
    assert alert.message.startswith(f"accuracy flat since step ~{step_text(alert.onset_step)}: ")
    assert "the pace before gives +" in alert.message
    low, high, expected = (alert.evidence[name] for name in ("low", "high", "expected"))
    assert isinstance(low, float)
    assert isinstance(high, float)
    assert isinstance(expected, float)
    assert low < high < 0.4 * expected


def test_where_the_log_is_too_noisy_to_tell_nothing_is_said() -> None:
    assert alerts_of(make_span(accuracy=stagnating(4000, sigma=2.0))) == ()


def test_it_is_over_when_the_metric_improves_again() -> None:
    accuracy = stagnating(4000, n=16_000)
    accuracy[8000:] += 0.1 * np.log(np.arange(8000, 16_000) / 8000)
    (alert,) = alerts_of(make_span(accuracy=accuracy))
    assert alert.state is AlertState.CLEARED
    assert alert.cleared_step is not None
    assert alert.cleared_step > 8000
    assert "improves again" in alert.message


def test_several_metrics_are_one_record() -> None:
    columns = {
        name: stagnating(4000, sigma=0.004, seed=seed)
        for seed, name in enumerate(("accuracy", "top4_acc", "top8_acc"))
    }
    (alert,) = alerts_of(make_span(**columns))
    assert set(alert.metrics) == set(columns)
    assert alert.metric == "accuracy"


def test_at_the_end_of_the_schedule_it_is_a_remark() -> None:
    engine = Engine(total_steps=6500.0)
    changes = judge(make_span(accuracy=stagnating(4000, n=6500)), engine=engine)
    severities = {change.alert.severity for change in changes if change.entry > 0.9 * 6500}
    assert severities <= {Severity.INFO}


def test_a_learning_rate_near_zero_makes_it_a_remark() -> None:
    lr = np.where(np.arange(N) < 3500, 1e-3, 1e-6)
    alert = alerts_of(make_span(accuracy=stagnating(4000), lr=lr))[0]
    assert (alert.kind, alert.severity) == ("plateau", Severity.INFO)


def test_a_metric_that_gives_ground_slowly_is_a_decline() -> None:
    time = np.arange(N, dtype=float)
    ago = np.maximum(time / 4000, 1)
    accuracy = power_law(np.minimum(time, 4000 * ago**-2.0), 0.002)
    kinds = {alert.kind for alert in alerts_of(make_span(accuracy=accuracy))}
    assert "decline" in kinds


def test_nothing_is_said_during_the_warm_up() -> None:
    lr = np.linspace(0, 1e-3, N)
    assert alerts_of(make_span(accuracy=stagnating(4000), lr=lr)) == ()


@pytest.mark.parametrize("seed", range(3))
def test_the_drafters_plateau_is_never_raised_before_it_began(seed: int) -> None:
    run = make_run("drafter", 500 + seed, "plateau")
    assert run.truth is not None
    warned = [change for change in judge(run.span) if change.alert.severity is not Severity.INFO]
    assert all(change.entry > run.truth.first for change in warned)


@pytest.mark.parametrize("before", [0, 8000])
def test_a_drift_after_a_change_of_cadence_has_the_time_that_it_had_before(before: int) -> None:
    steps = np.concatenate((np.arange(1.0, before + 1), before + 10 * np.arange(1.0, 3001)))
    loss = 2 + 0.02 * noise(before + 3000)
    loss[before + 1500 : before + 2500] += 0.03 * np.linspace(0, 1, 1000)
    loss[before + 2500 :] += 0.03
    kinds = {alert.kind for alert in alerts_of(make_span(steps, loss=loss))}
    assert ("decline" in kinds) == (before == 0)
