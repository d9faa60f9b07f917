import pytest

from tests.store.entries import make_run
from tui.store.run import Run


def test_the_rate_is_by_the_logs_own_clock() -> None:
    run = make_run([{"step": 2 * number, "loss": 1.0, "elapsed": 5.0 * number} for number in range(100)])
    assert run.progress().steps_per_s == pytest.approx(0.4)


def test_seconds_an_iteration_are_no_clock() -> None:
    run = make_run(
        [{"step": number, "loss": 1.0, "time": 0.1 + 0.01 * (number % 3)} for number in range(100)]
    )
    assert run.progress().steps_per_s is None
    assert run.progress(rate=2.0).steps_per_s == 2.0


def test_a_total_in_the_log_gives_fraction_and_time_left() -> None:
    entries = [{"step": n, "total_steps": 1000, "loss": 1.0, "elapsed": 2.0 * n} for n in range(1, 251)]
    progress = make_run(entries).progress()
    assert (progress.total_steps, progress.fraction) == (1000, 0.25)
    assert progress.eta_s == pytest.approx(1500)


def test_total_steps_that_count_the_position_are_no_goal() -> None:
    progress = make_run([{"step": n, "total_steps": n, "loss": 1.0} for n in range(1, 251)]).progress()
    assert progress.total_steps is None


def test_a_total_from_outside_wins() -> None:
    run = Run(total_steps=500)
    make_run([{"step": n, "loss": 1.0} for n in range(1, 251)], run=run)
    assert run.progress().fraction == 0.5


def test_tokens_per_second_are_the_recent_mean_of_the_field_that_logs_them() -> None:
    run = make_run([{"step": n, "loss": 1.0, "tok_per_sec": 100.0 + (n > 49)} for n in range(100)])
    assert run.progress().tokens_per_s == 101.0


def test_an_empty_run_knows_nothing() -> None:
    progress = Run().progress()
    assert (progress.step, progress.fraction, progress.eta_s, progress.steps_per_s) == (
        None,
        None,
        None,
        None,
    )
