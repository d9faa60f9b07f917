"""The pace over the last minutes, and what it says of the time left."""

import numpy as np
import pytest

from tests.store.entries import make_run
from tui.store.budget import Budget
from tui.store.run import Run


def entries_at(times: np.ndarray, **fields: float) -> list[dict[str, float]]:
    return [{"step": float(n), "elapsed": float(t), "loss": 1.0} | fields for n, t in enumerate(times)]


def test_the_rate_is_over_the_last_ten_minutes() -> None:
    times = np.concatenate([np.arange(0, 2000, 1.0), 2000 + np.arange(0, 1200, 4.0)])
    progress = make_run(entries_at(times)).progress()
    inside = times[times >= times[-1] - 600]
    assert progress.steps_per_s == pytest.approx((len(inside) - 1) / (inside[-1] - inside[0]))
    assert progress.steps_per_s == pytest.approx(0.25)


def test_the_time_left_has_the_spread_of_the_pace() -> None:
    rng = np.random.default_rng(1)
    times = np.cumsum(rng.uniform(1, 5, 400))
    run = Run(total_steps=10_000)
    make_run(entries_at(times), run=run)
    progress = run.progress()
    inside = np.flatnonzero(times >= times[-1] - 600)
    edges = np.linspace(times[inside[0]], times[-1], 9)
    parts = np.diff(np.interp(edges, times[inside], inside)) / np.diff(edges)
    low, high = np.quantile(parts, (0.1, 0.9))
    assert progress.eta_low_s == pytest.approx((10_000 - 399) / high)
    assert progress.eta_high_s == pytest.approx((10_000 - 399) / low)
    assert progress.eta_s is not None
    assert progress.eta_low_s < progress.eta_s < progress.eta_high_s  # type: ignore[operator]


def test_the_end_is_on_the_clock_where_the_log_has_stamps() -> None:
    rows = [{"step": n, "loss": 1.0, "timestamp": 1.7e9 + 2 * n} for n in range(101)]
    run = Run(total_steps=1000)
    make_run(rows, run=run)
    assert run.progress().finish_at_s == pytest.approx(1.7e9 + 2000)


def test_tokens_per_second_follow_from_the_pace_where_the_log_has_none() -> None:
    run = Run(budget=Budget(tokens_per_step=((0.0, 500.0),)))
    make_run(entries_at(np.arange(0, 200, 2.0)), run=run)
    assert run.progress().tokens_per_s == pytest.approx(250)
    assert run.progress().tokens == 99 * 500


def test_the_fraction_of_an_epoch_gives_the_last_step() -> None:
    rows = [{"step": n, "epoch": n / 400, "num_train_epochs": 3, "loss": 1.0} for n in range(1, 100)]
    progress = make_run(rows).progress()
    assert (progress.epoch, progress.epochs) == (99 / 400, 3)
    assert progress.goal_step == pytest.approx(1200)
