"""Entries that come singly wait for each other, and nobody can tell."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.bench.families import FAMILIES
from tests.bench.runs import INCIDENTS, make_run
from tests.health.curves import learning, make_span, noise
from tests.health.rows import Rows, judge
from tests.health.test_engine import tear
from tui.decode.batch import Span
from tui.health.alerts import AlertChange
from tui.health.engine import Engine


def feed(engine: Engine, span: Span, single: range, *, looks: bool = False) -> list[AlertChange]:
    """All changes, the entries of a range fed one by one."""
    changes = []
    for start, stop in pairwise(sorted({0, *single, len(span)})):
        changes += engine.extend(span.slice(start, stop))
        if looks:
            engine.trends(), engine.explain()
    return changes


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(FAMILIES), st.sampled_from(INCIDENTS), st.integers(0, 10_000), st.integers(0, 3000))
def test_what_is_said_of_entries_that_come_singly_is_the_same(
    family: str, incident: str, seed: int, start: int
) -> None:
    span = tear(make_run(family, seed, incident).span, seed).slice(0, 4000)
    whole, other = Engine(), Engine()
    assert feed(other, span, range(start, start + 600)) == whole.extend(span)
    assert other.trends() == whole.trends()
    assert repr(other.explain()) == repr(whole.explain())


def test_looking_in_between_changes_nothing() -> None:
    span = tear(make_run("pretrain", 5, "cliff").span, 5).slice(0, 2500)
    assert feed(Engine(), span, range(500, 2500), looks=True) == Engine().extend(span)


def test_a_loss_that_is_no_number_is_told_at_its_own_entry() -> None:
    values = learning(300) + 0.01 * noise(300)
    values[203] = np.nan
    span, engine = make_span(loss=values), Engine()
    feed(engine, span.slice(0, 203), range(100, 203))
    told = engine.extend(span.slice(203, 204))
    assert [change.alert.kind for change in told] == ["nonfinite"]
    assert told[0].entry == 203


def test_a_metric_that_is_missed_ends_at_the_same_entry() -> None:
    both, lone = ("step", "loss", "accuracy"), ("step", "loss")
    rows: Rows = [(both, [float(at), 2.0 - at / 900, at / 900]) for at in range(600)]
    rows[580:] = [(both, [float(at), np.nan, at / 900]) for at in range(580, 600)]
    rows += [(lone, [float(at), 1.0 + at % 7]) for at in range(600, 1300)]
    assert judge(rows, range(len(rows))) == judge(rows, ())


@st.composite
def ragged(draw: st.DrawFn) -> Rows:
    """Rows of few values, often equal, some of them missing or no numbers, now and then back by some steps."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    every = draw(st.lists(st.integers(1, 40), min_size=4, max_size=4))
    names = ("loss", "grad_norm", "accuracy", "val_loss")
    rows: Rows = []
    step = 0.0
    for at in range(draw(st.integers(1, 900))):
        step = max(step - 40.0, 0.0) if rng.random() < 0.003 else step + 1
        there = [
            name for name, period in zip(names, every, strict=True) if at % period == 0 or name == "loss"
        ]
        values = [float(np.round(2 + rng.normal(), int(rng.integers(0, 3)))) for _ in there]
        values = [rng.choice([np.nan, np.inf, 0.0]) if rng.random() < 0.004 else value for value in values]
        apart = "val_loss" in there and every[0] % 2 == 0  # an evaluation is a row of its own
        if apart:
            rows.append((("step", "val_loss"), [step, values[there.index("val_loss")]]))
            there, values = there[:-1], values[:-1]
        rows.append((("step", *there), [step, *values]))
    return rows


@settings(max_examples=40, deadline=None)
@given(ragged())
@example([(("step", "loss"), [float(at), 1.0]) for at in range(90)])
def test_ragged_rows_are_judged_the_same_one_by_one(rows: Rows) -> None:
    assert repr(judge(rows, range(len(rows)))) == repr(judge(rows, ()))
