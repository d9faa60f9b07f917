from __future__ import annotations

import numpy as np
import pytest

from tests.bench.noise import skewed
from tests.health.curves import alerts_of, judge, learning, make_span, noise
from tui.decode.batch import Floats
from tui.health.alerts import AlertState, ChangeKind, Severity

ONSET = 2000


def shifted(sigmas: float, stop: int | None = None, n: int = 4000, sigma: float = 0.05) -> Floats:
    """A loss that learns no more, and is higher by so many sigma from the onset on."""
    loss = 2 + sigma * noise(n)
    loss[ONSET:stop] += sigmas * sigma
    return loss


def test_a_cliff_is_a_warning_and_stays() -> None:
    changes = judge(make_span(loss=shifted(3)))
    kinds = [(change.what, change.alert.kind, change.alert.severity) for change in changes]
    assert kinds == [
        (ChangeKind.RAISED, "cliff", Severity.WARNING),
        (ChangeKind.CHANGED, "cliff", Severity.WARNING),
    ]
    assert changes[0].entry - ONSET < 30
    (alert,) = {change.alert.number: change.alert for change in changes}.values()
    assert alert.state is AlertState.FIRING
    assert abs(alert.onset_step - (ONSET + 1)) <= 3
    assert alert.raised_step == changes[0].entry + 1


@pytest.mark.parametrize("sigmas", [4, 6, 10])
def test_a_large_cliff_is_a_warning_within_thirty_entries(sigmas: float) -> None:
    first = judge(make_span(loss=shifted(sigmas)))[0]
    assert first.alert.kind == "cliff"
    assert 0 <= first.entry - ONSET <= 30


def test_one_row_of_bad_values_raises_nothing() -> None:
    assert alerts_of(make_span(loss=shifted(20, ONSET + 8))) == ()


def test_a_cliff_in_a_log_that_averages_is_found_all_the_same() -> None:
    loss = shifted(2)
    for at in range(1, len(loss)):
        loss[at] = 0.8 * loss[at - 1] + 0.2 * loss[at]
    first = judge(make_span(loss=loss))[0]
    assert first.alert.kind == "cliff"
    assert 0 <= first.entry - ONSET <= 80


def test_two_sigma_are_found_on_most_draws() -> None:
    def is_found(seed: int) -> bool:
        loss = 2 + 0.05 * noise(1000, seed)
        loss[500:] += 0.1
        return any(alert.kind == "cliff" for alert in alerts_of(make_span(loss=loss)))

    assert sum(is_found(seed) for seed in range(20)) >= 18


def test_an_excursion_that_comes_back_is_one_record_a_spike_that_is_cleared() -> None:
    (alert,) = alerts_of(make_span(loss=shifted(8, ONSET + 100)))
    assert (alert.kind, alert.state, alert.severity) == ("spike", AlertState.CLEARED, Severity.WARNING)
    assert alert.cleared_step is not None
    assert ONSET + 100 < alert.cleared_step < ONSET + 130
    assert "is back at" in alert.message


def test_a_cliff_that_learning_makes_up_for_has_not_healed_by_itself() -> None:
    loss = 4 - 0.0005 * np.arange(4000) + 0.05 * noise(4000)
    loss[ONSET:] += 0.1
    alert = alerts_of(make_span(loss=loss))[0]
    assert (alert.kind, alert.state) == ("cliff", AlertState.CLEARED)
    assert float(alert.evidence["entries"]) >= 300


def test_a_spike_while_the_run_learns_is_one_all_the_same() -> None:
    loss = 4 - 0.0005 * np.arange(4000) + 0.05 * noise(4000)
    loss[ONSET : ONSET + 150] += 0.3
    (alert,) = alerts_of(make_span(loss=loss))
    assert (alert.kind, alert.state) == ("spike", AlertState.CLEARED)


def test_a_divergence_that_goes_on_for_long_is_one_record() -> None:
    loss = learning(4000)
    loss[ONSET:] += (np.arange(2000) / 500) ** 2
    (alert,) = (each for each in alerts_of(make_span(loss=loss)) if each.kind != "decline")
    assert (alert.kind, alert.severity, alert.state) == ("divergence", Severity.CRITICAL, AlertState.FIRING)


def test_a_second_cliff_long_after_the_first_is_another() -> None:
    loss = shifted(6)
    loss[ONSET + 1200 :] += 0.4
    assert [alert.kind for alert in alerts_of(make_span(loss=loss))] == ["cliff", "cliff"]


@pytest.mark.parametrize("size", [5, 50, 1e6])
def test_no_lone_value_raises_anything(size: float) -> None:
    loss = learning(4000)
    loss[500::400] += size
    assert alerts_of(make_span(loss=loss)) == ()


def test_heavy_tailed_noise_raises_nothing() -> None:
    loss = 2 + 0.05 * skewed(np.random.default_rng(0), 40_000, 60)
    assert alerts_of(make_span(loss=loss)) == ()


def test_a_loss_that_gives_up_half_of_all_it_learned_is_a_critical_divergence() -> None:
    loss = learning(4000)
    loss[ONSET:] += np.minimum(np.arange(2000) / 300, 1) * 3
    alert = alerts_of(make_span(loss=loss))[0]
    assert (alert.kind, alert.severity, alert.state) == ("divergence", Severity.CRITICAL, AlertState.FIRING)
    assert "of all it had gained is lost" in alert.message


def test_a_level_that_creeps_up_is_a_divergence() -> None:
    loss = 1 + 3 * np.exp(-np.arange(6000) / 500) + 0.05 * noise(6000)
    loss[3000:] += 0.5 * np.arange(3000) / 3000
    kinds = {alert.kind for alert in alerts_of(make_span(loss=loss)) if alert.severity is not Severity.INFO}
    assert "divergence" in kinds or "cliff" in kinds


def test_an_accuracy_falls_where_a_loss_rises() -> None:
    accuracy = 0.5 + 0.01 * noise(3000)
    accuracy[ONSET:] -= 0.05
    (alert,) = alerts_of(make_span(accuracy=accuracy))
    assert alert.kind == "cliff"
    shift = alert.evidence["shift_sigmas"]
    assert isinstance(shift, float)
    assert shift < -3


def test_getting_better_at_once_is_no_cliff() -> None:
    assert alerts_of(make_span(loss=shifted(-8))) == ()


def test_the_loss_has_a_record_of_its_own_and_other_metrics_share_one() -> None:
    fall = np.where(np.arange(3000) >= ONSET, 0.1, 0)
    columns = {f"top{k}_acc": 0.5 - fall + 0.01 * noise(3000, k) for k in range(3)}
    loss, other = alerts_of(make_span(loss=shifted(6, n=3000), **columns))
    if loss.metric != "loss":
        loss, other = other, loss
    assert loss.metrics == ("loss",)
    assert set(other.metrics) == set(columns)
    assert {loss.cause, other.cause} in ({None, loss.number}, {None, other.number})


def test_an_early_explosion_that_heals_raises_nothing() -> None:
    loss = learning(4000, 0.1)
    loss[10:110] += 9 * np.exp(-0.5 * ((np.arange(100) - 40) / 15) ** 2)
    assert alerts_of(make_span(loss=loss)) == ()


def test_too_small_a_change_does_not_matter() -> None:
    loss = 13.83 + 0.0003 * noise(3000)
    loss[ONSET:] += 0.003
    assert alerts_of(make_span(loss=loss)) == ()


def test_a_norm_that_doubles_for_good_is_an_explosion() -> None:
    norm = np.exp(0.15 * noise(3000))
    norm[ONSET:] *= 4
    (alert,) = alerts_of(make_span(grad_norm=norm))
    assert (alert.kind, alert.severity) == ("gradient_explosion", Severity.WARNING)
    assert abs(alert.onset_step - (ONSET + 1)) <= 2


def test_lone_spikes_of_the_norm_are_no_explosion() -> None:
    norm = np.exp(0.15 * noise(6000))
    norm[::70] *= 20
    assert alerts_of(make_span(grad_norm=norm)) == ()


def test_a_rate_that_drops_by_a_fifth_is_a_slowdown() -> None:
    rate = 26_000 * (1 + 0.01 * noise(3000))
    rate[ONSET:] *= 0.8
    (alert,) = alerts_of(make_span(tok_per_sec=rate))
    assert (alert.kind, alert.severity) == ("slowdown", Severity.WARNING)


def test_a_rate_that_drops_by_a_twentieth_is_none() -> None:
    rate = 26_000 * (1 + 0.01 * noise(3000))
    rate[ONSET:] *= 0.95
    assert alerts_of(make_span(tok_per_sec=rate)) == ()


def test_a_constant_metric_raises_nothing() -> None:
    assert alerts_of(make_span(accuracy=np.full(3000, 0.5))) == ()


@pytest.mark.parametrize("factor", [1e-6, 1e6])
def test_the_unit_of_a_metric_changes_no_verdict(factor: float) -> None:
    plain = judge(make_span(loss=shifted(5)))
    scaled = judge(make_span(loss=factor * shifted(5)))
    assert [(c.entry, c.alert.kind, c.alert.onset_step) for c in scaled] == [
        (c.entry, c.alert.kind, c.alert.onset_step) for c in plain
    ]


def test_zeros_in_most_entries_do_not_cry_wolf() -> None:
    rng = np.random.default_rng(3)
    loss = np.where(rng.random(6000) < 0.6, 0.0, rng.exponential(0.1, 6000))
    warnings = [alert for alert in alerts_of(make_span(loss=loss)) if alert.severity is not Severity.INFO]
    assert warnings == []


@pytest.mark.parametrize("name", ["policy_loss", "loss_D/gan", "train/kl_loss"])
def test_one_side_of_a_game_has_no_direction(name: str) -> None:
    assert alerts_of(make_span(loss=learning(4000), **{name: shifted(8)})) == ()


def test_a_loss_beside_a_reward_has_no_direction() -> None:
    assert alerts_of(make_span(loss=shifted(8), reward=np.linspace(0, 1, 4000) + 0.1 * noise(4000))) == ()


def test_a_loss_of_both_signs_has_no_direction() -> None:
    loss = 0.2 * noise(4000) + np.sin(np.arange(4000) / 20)
    assert alerts_of(make_span(loss=loss)) == ()


@pytest.mark.parametrize("seed", range(5))
def test_a_step_of_half_a_sigma_is_none(seed: int) -> None:
    loss = 1 + 0.11 * noise(4000, seed)
    loss[3000:] += 0.055
    kinds = {alert.kind for alert in alerts_of(make_span(loss=loss))}
    assert not kinds & {"cliff", "spike", "divergence"}
