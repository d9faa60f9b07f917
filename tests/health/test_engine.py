from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.bench.families import FAMILIES
from tests.bench.runs import INCIDENTS, make_run
from tests.health.curves import judge, learning, make_span, noise
from tui.decode.batch import Column, Span
from tui.health.alerts import AlertChange, AlertState, ChangeKind, Severity, Verdict
from tui.health.alerts import judge as judge_alerts
from tui.health.engine import REARMED_ENTRIES, Engine
from tui.roles import Role


def tear(span: Span, seed: int) -> Span:
    """The same run with fields missing now and then, and a few values that are not finite."""
    rng = np.random.default_rng(seed)
    columns = {}
    for name, column in span.columns.items():
        kept = rng.random(len(column.at)) < rng.choice([1.0, 0.97, 0.3])
        values = column.values[kept].copy()
        values[rng.integers(0, len(values), size=int(rng.integers(0, 3)))] = rng.choice([np.nan, np.inf])
        columns[name] = Column(column.at[kept], values)
    return Span(span.steps, columns)


def feed(span: Span, cuts: list[int], restart_at: int | None) -> tuple[list[AlertChange], Engine]:
    engine, changes = Engine(), []
    bounds = sorted({0, *cuts, len(span)} | ({restart_at} if restart_at else set()))
    for start, stop in pairwise(bounds):
        if start == restart_at:
            changes += engine.restart(float(span.steps[start]))
        changes += engine.extend(span.slice(start, stop))
    return changes, engine


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(FAMILIES), st.sampled_from(INCIDENTS), st.integers(0, 10_000), st.data())
def test_alerts_are_the_same_however_the_log_was_cut(
    family: str, incident: str, seed: int, data: st.DataObject
) -> None:
    run = make_run(family, seed, incident)
    span = tear(run.span, seed).slice(0, 4000)
    restart_at = run.restart_at if run.restart_at and run.restart_at < len(span) else None
    cuts = data.draw(st.lists(st.integers(1, len(span) - 1), max_size=40))
    whole, engine = feed(span, [], restart_at)
    pieces, other = feed(span, cuts, restart_at)
    assert pieces == whole
    assert other.trends() == engine.trends()


def test_alerts_are_the_same_entry_by_entry() -> None:
    run = make_run("pretrain", 5, "cliff")
    span = tear(run.span, 5).slice(0, 3000)
    whole, _ = feed(span, [], None)
    single, _ = feed(span, list(range(len(span))), None)
    assert single == whole


def test_a_healthy_run_raises_nothing() -> None:
    n = 6000
    span = make_span(
        loss=learning(n), accuracy=-0.1 * learning(n, seed=1), grad_norm=np.exp(0.1 * noise(n, 2))
    )
    assert judge(span) == []


def test_evidence_is_made_of_plain_numbers_and_words() -> None:
    for incident in ("plateau", "divergence", "slow_collapse", "overfit", "slowdown", "discontinuity", "nan"):
        run = make_run("pretrain", 2, incident)
        changes, _ = feed(run.span, [], run.restart_at)
        assert changes
        for change in changes:
            assert {type(value) for value in change.alert.evidence.values()} <= {float, str}


def test_changes_come_in_order_of_entry_and_alerts_in_order_of_number() -> None:
    run = make_run("pretrain", 1, "divergence")
    changes, engine = feed(run.span, [], None)
    entries = [change.entry for change in changes]
    assert entries == sorted(entries)
    assert [alert.number for alert in engine.alerts] == list(range(1, len(engine.alerts) + 1))
    latest = {change.alert.number: change.alert for change in changes}
    assert tuple(latest.values()) == engine.alerts


def test_each_record_is_raised_once_before_it_changes() -> None:
    run = make_run("drafter", 3, "spike")
    changes, _ = feed(run.span, [], None)
    seen: set[int] = set()
    for change in changes:
        assert (change.what is ChangeKind.RAISED) == (change.alert.number not in seen)
        seen.add(change.alert.number)


def test_a_role_given_replaces_the_guess_by_name() -> None:
    n = 2000
    values = np.ones(n) + 0.01 * noise(n)
    values[1500:] -= 0.2
    span = make_span(mystery=values)
    assert judge(span) == []
    (alert,) = [change.alert for change in judge(span, engine=Engine({"mystery": Role.QUALITY}))][-1:]
    assert alert.kind == "cliff"


def test_a_restart_is_remarked_on_until_health_is_judged_again() -> None:
    engine = Engine()
    engine.extend(make_span(loss=learning(500)))
    (raised,) = engine.restart(300.0)
    assert (raised.alert.kind, raised.alert.severity, raised.alert.onset_step) == (
        "restart",
        Severity.INFO,
        300.0,
    )
    assert raised.entry == 500
    (cleared,) = engine.extend(make_span(np.arange(300.0, 800.0), loss=learning(800, seed=1)[300:]))
    assert (cleared.what, cleared.entry) == (ChangeKind.CLEARED, 500 + REARMED_ENTRIES)


def test_a_restart_clears_what_began_beyond_it_and_nothing_else() -> None:
    loss = learning(3000)
    loss[2000:] += 1
    engine = Engine()
    engine.extend(
        make_span(loss=loss, grad_norm=np.where(np.arange(3000) < 1000, np.exp(0.1 * noise(3000)), np.nan))
    )
    firing = {alert.kind: alert for alert in engine.alerts if alert.is_firing}
    assert set(firing) == {"cliff", "nonfinite"}
    changes = engine.restart(1500.0)
    assert [change.alert.kind for change in changes] == ["cliff", "restart"]
    assert changes[0].alert.cleared_step == 1500.0
    assert [alert.kind for alert in engine.alerts if alert.is_firing] == ["nonfinite", "restart"]


def test_an_alert_from_before_the_restart_ends_when_the_new_attempt_is_well() -> None:
    loss = learning(3000)
    loss[2000:] += 1
    engine = Engine()
    engine.extend(make_span(loss=loss))
    engine.restart(2500.0)
    assert judge_alerts(engine.alerts) is Verdict.WARNING
    steps = np.arange(2500.0, 3000.0)
    changes = engine.extend(make_span(steps, loss=learning(3000, seed=4)[2500:]))
    cliff = next(change.alert for change in changes if change.alert.number == 1)
    assert (cliff.kind, cliff.state) == ("cliff", AlertState.CLEARED)
    assert cliff.cleared_step is not None
    assert cliff.cleared_step > 2590  # not before the new attempt's baseline is armed


def test_no_record_is_ever_removed() -> None:
    loss = learning(3000)
    loss[2000:] += 1
    engine = Engine()
    engine.extend(make_span(loss=loss))
    before = engine.alerts
    engine.restart(100.0)
    assert [alert.number for alert in engine.alerts[: len(before)]] == [alert.number for alert in before]


def test_a_new_segment_raises_nothing_for_entries_that_were_judged() -> None:
    engine = Engine()
    loss = learning(1000)
    loss[990] = np.nan
    first = make_span(loss=loss)
    raised = engine.extend(first)
    assert [change.alert.kind for change in raised] == ["nonfinite"]
    assert engine.begin_segment(first.slice(980, 1000)) == []
    assert len(engine.alerts) == 1


def test_a_new_segment_starts_the_baselines_afresh() -> None:
    engine = Engine()
    engine.extend(make_span(loss=learning(1000)))
    other = make_span(np.arange(1001.0, 2001.0), loss=5 + learning(1000, seed=3), new_field=np.ones(1000))
    assert [change.alert.kind for change in engine.extend(other.slice(0, 24))] == ["cliff"]
    (cleared,) = engine.begin_segment(other.slice(0, 24))
    assert cleared.what is ChangeKind.CLEARED
    assert engine.extend(other.slice(24, 1000)) == []


def test_memory_does_not_grow_with_the_run() -> None:
    engine = Engine()
    sizes = []
    for part in range(4):
        steps = np.arange(part * 20_000.0, (part + 1) * 20_000.0)
        loss = 1 + 3 * (1 + steps / 50) ** -0.4 + 0.05 * noise(20_000, part)
        engine.extend(make_span(steps, loss=loss))
        track = engine._roster.tracks["loss"]
        sizes.append(track.octets.values.size + len(track.blocks))
    assert max(sizes[1:]) <= (64 + 4096 // 8 + 1) * 8 + 128


def test_a_trend_tells_improvement_with_its_interval() -> None:
    engine = Engine()
    engine.extend(make_span(accuracy=np.linspace(0.1, 0.5, 4000) + 0.01 * noise(4000)))
    trend = engine.trends()["accuracy"]
    assert trend.verdict == "improving"
    assert trend.low < 0.1 < trend.high
    assert trend.low < trend.per_1000_steps < trend.high


def test_every_detector_explains_itself() -> None:
    engine = Engine()
    engine.extend(make_span(loss=learning(50), grad_norm=np.exp(noise(50))))
    told = engine.explain()
    unarmed = {each.detector: each.reason for each in told if not each.is_armed and each.metric == "loss"}
    assert unarmed["plateau"] == "50 of 400 values"
    assert unarmed["instability"] == "50 of 120 values"


WILD = st.one_of(st.floats(), st.sampled_from([0.0, 1.0, -1.0, 1e308, -1e308, 5e-324, np.nan, np.inf]))


@settings(max_examples=30, deadline=None)
@example(1_299_360_046, [4.354240120501897e-13, 4097.0, 0.0, 6146.0, 0.0, 0.0], False)
@example(1, [0.0, 1.0, 5e-324], False)
@example(122, [-5.0], False)
@example(0, [0.0, 1.0, 5e-324], False)
@example(26, [0.0, 1.0, 1.0, 0.0, 5e-324], False)
@given(st.integers(0, 2**32 - 1), st.lists(WILD, min_size=1, max_size=6), st.booleans())
def test_no_log_is_too_wild(seed: int, pool: list[float], has_steps: bool) -> None:
    rng, n = np.random.default_rng(seed), 1200
    columns = {
        name: np.where(
            rng.random(n) < rng.choice([0.01, 0.5, 1.0]), rng.choice(pool, n), rng.standard_normal(n)
        )
        for name in ("loss", "accuracy", "grad_norm", "lr", "tok_per_sec", "val_loss")
    }
    steps = np.arange(n, dtype=float) if has_steps else rng.choice(pool, n)
    engine = Engine()
    with np.errstate(all="raise", under="ignore"):
        engine.extend(make_span(steps, **columns))
        engine.restart(float(steps[n // 2]))
        engine.extend(make_span(steps, **columns))
    for alert in engine.alerts:
        assert alert.message
    engine.trends()
    engine.explain()
