"""A series cut into buckets: nothing that can be seen is lost, and it never costs more than a picture is worth."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store.entries import feed, make_run
from tui.store.axes import Positions, positions
from tui.store.entry import entry_at, extreme_entry, nearest_entry
from tui.store.run import Run
from tui.store.standing import Standing
from tui.store.trace import GLANCE, MOST, PARTS, make_trace, overview


def points_of(run: Run, name: str = "loss", axis: str = "step") -> tuple[Standing, Positions]:
    stream = run.stream_of(name)
    return stream.standing(name), positions(run, stream, axis)


def series(values: np.ndarray, steps: np.ndarray | None = None) -> tuple[Standing, Positions]:
    """Standing points made directly, with x of their own."""
    run = make_run([])
    feed(run, [{"step": 0, "loss": 0.0}])
    standing = Standing(run.streams[0].series["loss"].__class__())
    standing.series.extend(np.arange(len(values)), values)
    standing.update(np.ones(len(values), np.bool_), np.zeros(0, np.int64))
    x = np.arange(len(values), dtype=np.float64) if steps is None else steps
    return standing, lambda rows: x[rows]


def test_a_short_series_is_given_entry_by_entry() -> None:
    points, x_of = points_of(make_run({"step": step, "loss": step / 2} for step in range(500)))
    trace = make_trace(points, x_of)
    assert trace.x.tolist() == list(range(500))
    assert (
        trace.low.tolist() == trace.high.tolist() == trace.mean.tolist() == [step / 2 for step in range(500)]
    )


@pytest.mark.parametrize("count", [5_000, 100_000, 1_000_003])
def test_a_long_one_has_between_a_part_and_the_most_of_buckets_and_keeps_every_spike(count: int) -> None:
    values = np.ones(count)
    values[count * 2 // 3], values[-1] = 99.0, -5.0
    points, x_of = series(values)
    trace = make_trace(points, x_of)
    assert min(count, PARTS) / 8 <= len(trace.x) <= 8 * PARTS
    assert (trace.high.max(), trace.low.min()) == (99.0, -5.0)
    assert int(trace.entries.sum()) == count
    spike = int(np.argmax(trace.high))
    assert trace.x[spike] <= count * 2 // 3 < trace.x[spike] + trace.entries[spike]


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 40_000),
    st.floats(0, 1),
    st.floats(0, 1),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_a_window_has_the_extremes_of_all_that_is_in_it(
    count: int, one: float, other: float, is_log: bool, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    values, steps = rng.normal(size=count), np.cumsum(rng.random(count))
    values[rng.random(count) < 0.01] = np.nan
    points, x_of = series(values, steps)
    low, high = sorted((one * steps[-1] + 1e-9, other * steps[-1] + 1e-9))
    trace = make_trace(points, x_of, (low, high), is_log=is_log)
    inside = values[(steps >= low) & (steps <= high)]
    assert len(trace.x) <= MOST
    if np.isfinite(inside).any():
        assert np.nanmin(trace.low) <= np.nanmin(inside)
        assert np.nanmax(trace.high) >= np.nanmax(inside)
    assert len(trace.lost) == min(int(np.isnan(inside).sum()), len(trace.lost))
    assert (np.diff(trace.x) >= 0).all()


def test_a_window_of_few_entries_is_given_entry_by_entry() -> None:
    points, x_of = series(np.sin(np.arange(1e6)))
    trace = make_trace(points, x_of, (500_000.0, 500_300.0))
    assert set(trace.entries.tolist()) == {1}
    assert (trace.x[0], trace.x[-1]) == (500_000.0, 500_300.0)


def test_what_leads_up_to_a_window_is_marked_as_such() -> None:
    points, x_of = series(np.arange(10_000.0))
    trace = make_trace(points, x_of, (5_000.0, 5_100.0), lead=50)
    assert trace.x[trace.is_lead].tolist() == list(range(4_950, 5_000))
    assert make_trace(points, x_of, lead=50).is_lead.sum() == 0


def test_the_first_decade_of_a_logarithmic_axis_is_as_fine_as_the_last() -> None:
    points, x_of = series(np.arange(1e6))
    trace = make_trace(points, x_of, is_log=True)
    assert trace.x[:20].tolist() == list(range(1, 21))
    assert len(trace.x) <= MOST


def test_an_axis_that_begins_anew_has_all_of_its_stretches() -> None:
    steps = np.concatenate((np.arange(30_000.0), np.arange(30_000.0)))
    values = np.concatenate((np.zeros(30_000), np.ones(30_000)))
    points, x_of = series(values, steps)
    trace = make_trace(points, x_of, (10_000.0, 10_050.0), lead=10)
    shown = ~trace.is_lead
    assert set(trace.mean[shown].tolist()) == {0.0, 1.0}
    assert trace.is_lead.sum() == 20


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 30_000), st.floats(-10, 31_000), st.integers(0, 2**32 - 1))
def test_the_nearest_entry_is_the_nearest(count: int, x: float, seed: int) -> None:
    steps = np.cumsum(np.random.default_rng(seed).random(count))
    points, x_of = series(steps * 2, steps)
    found = nearest_entry(points, x_of, x)
    assert found is not None
    assert abs(found.x - x) == np.abs(steps - x).min()
    assert found == entry_at(points, x_of, found.point)
    assert found.value == steps[found.point] * 2


@given(st.lists(st.sampled_from([np.nan, np.inf, 1.0, -2.0, 3.0]), max_size=60))
def test_the_extremes_are_the_first_of_the_finite_ones(values: list[float]) -> None:
    points, x_of = series(np.array(values, np.float64))
    finite = [value for value in values if np.isfinite(value)]
    for is_greatest, pick in ((False, min), (True, max)):
        found = extreme_entry(points, x_of, is_greatest=is_greatest)
        assert (found and found.value) == (pick(finite) if finite else None)
        assert found is None or found.point == values.index(found.value)


def test_an_overview_is_short_and_has_holes_where_nothing_is_finite() -> None:
    values = np.ones(100_000)
    values[:50_000] = np.nan
    shape = overview(series(values)[0])
    assert len(shape) <= 8 * GLANCE
    assert np.isnan(shape[0])
    assert shape[-1] == 1.0
