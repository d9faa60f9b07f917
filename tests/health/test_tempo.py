from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.health.curves import judge, learning, make_span, noise
from tui.decode.batch import Column, Floats, Span
from tui.health.alerts import Alert
from tui.health.engine import Engine
from tui.health.tempo import TEMPO, Tempo

N = 1500


def stamps(slower_from: int = N, factor: float = 1.3) -> Floats:
    """Times (n,) of entries that take about two seconds each, and from one on longer."""
    took = 2 * np.exp(0.02 * noise(N, 5))
    took[slower_from:] *= factor
    return 1.7e9 + np.cumsum(took)


def slowdowns(span: Span) -> list[Alert]:
    engine = Engine()
    engine.extend(span)
    return [alert for alert in engine.alerts if alert.kind == "slowdown"]


def test_a_run_that_takes_longer_by_its_stamps_slows_down() -> None:
    (alert,) = slowdowns(make_span(loss=learning(N), timestamp=stamps(1000)))
    assert alert.metric == TEMPO
    assert abs(alert.onset_step - 1001) <= 8


def test_whole_seconds_do() -> None:
    (alert,) = slowdowns(make_span(loss=learning(N), elapsed=np.floor(stamps(1000, 2.0) - 1.7e9)))
    assert abs(alert.onset_step - 1001) <= 16


def test_pauses_for_evaluations_are_no_slowdown() -> None:
    times = stamps() + 60 * (np.arange(N) // 100)
    assert slowdowns(make_span(loss=learning(N), timestamp=times)) == []


def test_a_rate_that_is_logged_is_judged_instead() -> None:
    rate = 1e4 * np.exp(0.01 * noise(N, 6))
    span = make_span(loss=learning(N), timestamp=stamps(1000), tok_per_sec=rate)
    assert TEMPO not in Tempo({}).add(span).columns
    assert slowdowns(span) == []


def test_a_time_that_goes_back_is_no_clock() -> None:
    span, tempo = make_span(loss=learning(N), elapsed=2 + 0.1 * noise(N)), Tempo({})
    tempo.add(span)
    assert tempo.add(span) is span


def test_without_a_training_loss_there_is_no_pace() -> None:
    span = make_span(val_loss=learning(N), timestamp=stamps(1000))
    assert Tempo({}).add(span) is span


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(1, N - 1), max_size=10), st.integers(0, 3))
def test_the_pace_is_the_same_however_the_log_was_cut(cuts: list[int], kind: int) -> None:
    plain = stamps(1000)
    times = (plain, np.floor(plain), np.where(np.arange(N) == 900, 0, plain), plain)[kind]
    span = make_span(loss=learning(N), timestamp=times)
    if kind == 3:
        late = span.columns["loss"].slice(200, N)
        span = Span(span.steps, {**span.columns, "loss": Column(late.at + 200, late.values)})
    assert judge(span, cuts) == judge(span)
