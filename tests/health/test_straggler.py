from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.config import HealthConfig
from tui.decode.batch import Batch, Rows
from tui.health.alerts import Alert, Severity
from tui.health.laps import compare_ranks
from tui.health.straggler import Stragglers
from tui.roles import find_axis
from tui.store.ranks import Ranks, name_ranks

RNG = np.random.default_rng
FILES = [f"rank{rank}" for rank in range(8)]
Log = Mapping[str, np.ndarray]


def a_log(times: np.ndarray, field: str = "step_time", first: int = 1) -> Log:
    steps = np.arange(first, first + len(times), dtype=float)
    return {"step": steps, "loss": 4 - steps / 1e4, field: times}


def batch_of(log: Log) -> Batch:
    count = len(log["step"])
    return Batch(count, (Rows(tuple(log), np.arange(count), np.column_stack(list(log.values()))),))


def cut(log: Log, start: int, stop: int) -> Log:
    return {name: values[start:stop] for name, values in log.items()}


def eight(
    entries: int, slow: int = 3, begin: int = 400, stop: int = 10_000, factor: float = 1.18
) -> list[np.ndarray]:
    """What eight ranks take for their steps, one of them slower over a part."""
    times = [1.2 * RNG(rank).lognormal(0, 0.03, entries) for rank in range(8)]
    times[slow][begin:stop] *= factor
    return times


def judged(logs: Sequence[Log], size: int = 10_000, config: HealthConfig | None = None) -> Stragglers:
    ranks, stragglers = Ranks(find_axis), Stragglers(settings=config)
    ranks.expect(FILES[: len(logs)])
    ranks.settle()
    for start in range(0, max(len(log["step"]) for log in logs), size):
        for file, log in zip(FILES, logs, strict=False):
            release = ranks.add(file, batch_of(cut(log, start, start + size)))
            stragglers.judge(release.spreads, release.batch.entries, name_ranks(ranks.files))
    release = ranks.flush()
    stragglers.judge(release.spreads, release.batch.entries, name_ranks(ranks.files))
    return stragglers


def only(stragglers: Stragglers) -> Alert:
    (alert,) = stragglers.alerts
    return alert


def test_a_rank_that_gets_slower_is_named_with_its_figures() -> None:
    stragglers = judged([a_log(times) for times in eight(800)])
    alert = only(stragglers)
    assert (alert.kind, alert.severity, alert.is_firing) == ("straggler", Severity.WARNING, True)
    assert alert.onset_step == 401
    assert alert.raised_step == 432
    assert alert.message.startswith("rank 3: 1.4")
    assert alert.message.endswith("%) since step 401")
    assert stragglers.slowest is not None
    assert (stragglers.slowest.file, stragglers.slowest.is_straggler) == ("rank3", True)
    assert stragglers.slowest.slower == pytest.approx(0.18, abs=0.02)


def test_ranks_that_take_alike_are_no_stragglers() -> None:
    assert judged([a_log(times) for times in eight(4000, factor=1.0)]).alerts == ()


def test_a_tenth_slower_is_not_enough_but_may_be_set_to_be() -> None:
    logs = [a_log(times) for times in eight(800, factor=1.08)]
    assert judged(logs).alerts == ()
    assert only(judged(logs, config=HealthConfig(drop=0.05))).is_firing


def test_noise_as_large_as_the_difference_is_no_straggler() -> None:
    logs = [a_log(RNG(rank).lognormal(0, 0.5, 4000)) for rank in range(8)]
    assert judged(logs).alerts == ()


def test_a_few_slow_steps_are_no_straggler() -> None:
    assert judged([a_log(times) for times in eight(800, stop=416, factor=3.0)]).alerts == ()


def test_it_is_over_when_the_rank_keeps_up_again() -> None:
    alert = only(judged([a_log(times) for times in eight(1200, stop=800)]))
    assert not alert.is_firing
    assert alert.cleared_step == 832
    assert alert.message == "rank 3 keeps up with the others since step 801"


def test_a_rate_tells_it_the_other_way_round() -> None:
    alert = only(judged([a_log(9600 / times, "tokens_per_s") for times in eight(800)]))
    assert alert.metric == "tokens_per_s"
    assert "−1" in alert.message


def test_stamps_tell_it_where_nothing_better_does() -> None:
    logs = [a_log(1.7e9 + np.cumsum(times), "timestamp") for times in eight(800)]
    alert = only(judged(logs))
    assert (alert.metric, alert.evidence["rank"]) == ("timestamp", "3")
    assert " s a step against " in alert.message


def test_a_restart_takes_back_what_began_beyond_it() -> None:
    logs = []
    for rank, times in enumerate(eight(800)):
        again = a_log(1.2 * RNG(50 + rank).lognormal(0, 0.03, 300), first=201)
        before = a_log(times)
        logs.append({name: np.concatenate((before[name], again[name])) for name in before})
    alert = only(judged(logs))
    assert not alert.is_firing
    assert alert.cleared_step == 201
    assert "went back to step 201" in alert.message


def test_a_muted_straggler_is_a_remark() -> None:
    logs = [a_log(times) for times in eight(800)]
    assert only(judged(logs, config=HealthConfig({"straggler": True}))).severity is Severity.INFO


def test_a_rank_is_compared_with_the_median_of_the_others() -> None:
    times = RNG(1).lognormal(0, 0.3, (7, 50))
    times[2, 10:] = np.nan
    times[:, 49] = np.nan
    times[4, 49] = 1.0
    found = compare_ranks(times)
    for rank in range(7):
        for at in range(50):
            others = np.delete(times[:, at], rank)
            others = others[np.isfinite(others)]
            if np.isfinite(times[rank, at]) and len(others):
                assert found[rank, at] == pytest.approx(np.log(times[rank, at] / np.median(others)))
            else:
                assert np.isnan(found[rank, at])


@settings(max_examples=5, deadline=None)
@given(st.integers(5, 200))
def test_the_cuts_change_nothing(size: int) -> None:
    logs = [a_log(times) for times in eight(250, begin=100, stop=180)]
    assert judged(logs, size).alerts == judged(logs).alerts
