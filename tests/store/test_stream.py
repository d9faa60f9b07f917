"""What a stream tells, however its entries came."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store.entries import Entry, feed, make_run, steps
from tests.store.test_run import describe, logs, tell
from tui.store.run import Run


@settings(max_examples=60, deadline=None)
@given(logs())
def test_entries_that_come_one_by_one_give_the_same_run(entries: list[Entry]) -> None:
    every = range(len(entries))
    assert describe(make_run(entries, every)) == describe(make_run(entries))
    assert tell(feed(Run(), entries, every)) == tell(feed(Run(), entries))


@settings(max_examples=30, deadline=None)
@given(logs())
def test_looking_after_each_entry_changes_nothing(entries: list[Entry]) -> None:
    run = Run()
    for entry in entries:
        feed(run, [entry])
        describe(run)
    assert describe(run) == describe(make_run(entries))


@settings(max_examples=60, deadline=None)
@given(logs(), st.integers(1, 60))
def test_the_last_of_a_stream_are_the_last_of_all_that_stands(entries: list[Entry], count: int) -> None:
    for stream in make_run(entries).streams:
        standing = [row for row in range(stream.rows) if stream.stands[row]]
        assert stream.last_rows(count).tolist() == standing[-count:]
        assert stream.last_step == (stream.steps[standing[-1]] if standing else None)
        for name in stream.series:
            at, values = stream.points(name)
            last_steps, last_values = stream.last_points(name, count)
            assert last_steps.tolist() == stream.steps[at][-count:].tolist()
            assert last_values.tolist() == values[-count:].tolist()
            assert stream.values_from(name, 3).tolist() == values[at >= 3].tolist()


def test_the_last_step_is_known_before_anything_is_stored() -> None:
    run = make_run(steps(1, 2, 3), cuts=[1, 2])
    assert run.last_step == 3.0
    assert run.entries == 3
