from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.health.curves import alerts_of, judge, make_span, noise
from tui.decode.batch import Floats
from tui.health.alerts import AlertState, ChangeKind, Severity
from tui.health.gradient import median_of_three

N = 8000
WARMUP = np.minimum(np.arange(1, N + 1) / 400, 1) * 1e-3


def norms(scale: Floats | float = 1.0, seed: int = 0) -> Floats:
    return np.asarray(0.3 * scale * np.exp(0.15 * noise(N, seed)))


def test_a_sudden_fall_below_a_third_is_a_warning_within_fifty_entries() -> None:
    changes = judge(make_span(grad_norm=norms(np.where(np.arange(N) < 5000, 1, 1 / 5)), lr=WARMUP))
    first = changes[0]
    assert (first.what, first.alert.kind) == (ChangeKind.RAISED, "gradient_collapse")
    assert first.alert.severity is Severity.WARNING
    assert 5000 <= first.entry <= 5050
    assert abs(first.alert.onset_step - 5001) <= 8


def test_a_fall_below_a_tenth_is_critical() -> None:
    (alert,) = alerts_of(make_span(grad_norm=norms(np.where(np.arange(N) < 5000, 1, 1 / 40)), lr=WARMUP))
    assert alert.severity is Severity.CRITICAL


def test_a_slow_fall_is_seen_when_it_is_below_a_third() -> None:
    scale = np.exp(-np.log(8) * np.maximum(np.arange(N) - 2000, 0) / 6000)
    (alert,) = alerts_of(make_span(grad_norm=norms(scale), lr=WARMUP))
    assert 2000 + 6000 * np.log(3) / np.log(8) - 300 < alert.raised_step < 6000
    assert alert.onset_step < alert.raised_step


def test_a_healthy_fall_by_half_raises_nothing() -> None:
    scale = np.maximum(np.arange(N) / 400, 1) ** -0.25
    assert alerts_of(make_span(grad_norm=norms(scale), lr=WARMUP)) == ()


@pytest.mark.parametrize("has_lr", [True, False])
def test_first_norms_ten_times_as_high_are_no_reference(has_lr: bool) -> None:
    scale = 1 + 12 * np.exp(-np.arange(N) / 100)
    columns = {"lr": WARMUP} if has_lr else {}
    assert alerts_of(make_span(grad_norm=norms(scale), **columns)) == ()


def test_it_is_over_when_the_norm_is_back() -> None:
    scale = np.where((np.arange(N) >= 5000) & (np.arange(N) < 5500), 1 / 5, 1)
    (alert,) = alerts_of(make_span(grad_norm=norms(scale), lr=WARMUP))
    assert alert.state is AlertState.CLEARED
    assert alert.cleared_step is not None
    assert 5500 < alert.cleared_step < 5540


def test_a_norm_of_zero_throughout_was_not_reported() -> None:
    assert alerts_of(make_span(grad_norm=np.zeros(N), lr=WARMUP)) == ()


def test_the_norm_of_one_parameter_is_not_the_global_one() -> None:
    assert alerts_of(make_span(**{"grad/norm_gamma": norms(np.where(np.arange(N) < 5000, 1, 1e-3))})) == ()


def test_the_sentence_holds_the_ratio_and_the_reference() -> None:
    alert = alerts_of(make_span(grad_norm=norms(np.where(np.arange(N) < 5000, 1, 1 / 5)), lr=WARMUP))[0]
    assert "what it was after the warm-up" in alert.message
    assert "lr at 100 % of its peak" in alert.message
    ratio = alert.evidence["ratio"]
    assert isinstance(ratio, float)
    assert ratio < 1 / 3


@given(st.lists(st.floats(-1e3, 1e3), min_size=3, max_size=40))
def test_the_median_of_three_is_that_of_sorting(values: list[float]) -> None:
    slow = [sorted(values[i : i + 3])[1] for i in range(len(values) - 2)]
    assert median_of_three(np.array(values)).tolist() == slow
