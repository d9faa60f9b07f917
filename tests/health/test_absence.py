from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.health.curves import judge, learning, make_span, noise
from tui.decode.batch import Column, Span
from tui.health.absence import LEAST_ENTRIES, Absence, Ended
from tui.health.alerts import AlertChange, ChangeKind
from tui.health.engine import Engine


def with_gaps(n: int, **entries: list[int]) -> Span:
    """A span whose every entry has a loss, and other metrics in the given entries only."""
    columns = {"loss": Column(np.arange(n), learning(n))}
    for name, at in entries.items():
        columns[name] = Column(np.array(at), np.ones(len(at)))
    return Span(np.arange(1.0, n + 1), columns)


def fall(n: int, last: int) -> Span:
    """A run whose accuracy falls off a cliff at entry 1,000 and is not logged after entry `last`."""
    accuracy = 0.5 - 0.1 * learning(n, sigma=0.02, seed=1)
    accuracy[1000:] -= 0.1
    column = Column(np.arange(last + 1), accuracy[: last + 1])
    return Span(np.arange(1.0, n + 1), {"loss": Column(np.arange(n), learning(n)), "accuracy": column})


def test_a_metric_of_every_entry_has_ended_after_five_hundred_without_it() -> None:
    found = Absence().find(0, with_gaps(2000, accuracy=list(range(700))), ["loss", "accuracy"])
    assert found == [Ended("accuracy", 699 + LEAST_ENTRIES, 699)]


def test_an_evaluation_may_be_missing_for_twenty_times_its_longest_pause() -> None:
    at = [*range(0, 1000, 100), 1200]
    absence = Absence()
    assert absence.find(0, with_gaps(7200, val_loss=at), ["val_loss"]) == []
    assert absence.find(7200, with_gaps(1), ["val_loss"]) == [Ended("val_loss", 7200, 1200)]


def test_a_metric_that_comes_back_may_end_anew() -> None:
    at = [*range(10), 900, *range(901, 910)]
    found = Absence().find(0, with_gaps(40_000, accuracy=at), ["accuracy"])
    assert [(ended.entry, ended.last) for ended in found] == [(509, 9), (909 + 20 * 891, 909)]


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.integers(0, 4999), min_size=1, max_size=12, unique=True).map(sorted),
    st.lists(st.integers(1, 4999), max_size=8, unique=True).map(sorted),
)
def test_ends_are_the_same_however_the_log_was_cut(at: list[int], cuts: list[int]) -> None:
    span, absence, pieces = with_gaps(5000, val_loss=at), Absence(), []
    for start, stop in zip([0, *cuts], [*cuts, 5000], strict=True):
        pieces += absence.find(start, span.slice(start, stop), ["loss", "val_loss"])
    assert pieces == Absence().find(0, span, ["loss", "val_loss"])


def test_an_alert_on_a_metric_that_is_no_longer_logged_is_cleared_and_says_so() -> None:
    changes = judge(fall(3000, last=1200))
    cleared = changes[-1]
    assert _is_cleared(cleared)
    assert cleared.entry == 1200 + LEAST_ENTRIES
    assert cleared.alert.cleared_step == 1201 + LEAST_ENTRIES
    assert cleared.alert.message.endswith("; accuracy is no longer logged: not once in the last 500 entries")


def test_a_metric_that_comes_back_is_judged_afresh() -> None:
    n = 6000
    accuracy = 0.5 - 0.1 * learning(n, sigma=0.02, seed=1)
    accuracy[1000:1200] -= 0.1
    accuracy[4000:] -= 0.1
    at = np.concatenate((np.arange(1200), np.arange(3000, n)))
    span = Span(
        np.arange(1.0, n + 1),
        {"accuracy": Column(at, accuracy[at]), "loss": Column(np.arange(n), learning(n))},
    )
    raised = [change.entry for change in judge(span) if change.what is ChangeKind.RAISED]
    assert len(raised) == 2
    assert 4000 < raised[1] < 4100


@settings(max_examples=10, deadline=None)
@given(st.lists(st.integers(1, 2999), max_size=12))
def test_the_clearing_is_the_same_however_the_log_was_cut(cuts: list[int]) -> None:
    assert judge(fall(3000, last=1200), cuts) == judge(fall(3000, last=1200))


def test_a_segment_that_leaves_a_metric_out_ends_what_was_said_of_it() -> None:
    engine, n = Engine(), 1500
    engine.extend(fall(n, last=n - 1))
    later = make_span(np.arange(1501.0, 1521.0), loss=learning(1600)[1500:1520], top4=np.abs(noise(20)))
    engine.extend(later)
    (cleared,) = [change for change in engine.begin_segment(later) if change.alert.metric == "accuracy"]
    assert _is_cleared(cleared)
    assert cleared.alert.message.endswith("is no longer logged: another set of fields began at step 1,501")


def _is_cleared(change: AlertChange) -> bool:
    return change.what is ChangeKind.CLEARED and not change.alert.is_firing
