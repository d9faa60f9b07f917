"""The standing points of a series, against what the stream itself says of them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.store.entries import feed
from tui.store.pyramid import summarize
from tui.store.run import Run
from tui.store.standing import Standing
from tui.store.stream import Stream


def check(stream: Stream, standing: Standing) -> None:
    rows, values = stream.points("loss")
    everyone = np.arange(len(standing))
    assert np.array_equal(standing.rows_at(everyone), rows)
    assert np.array_equal(standing.values_at(everyone), values, equal_nan=True)
    assert np.array_equal(standing.lost.view, np.flatnonzero(~np.isfinite(values)))
    for level in standing.pyramid.levels:
        assert len(level) == len(values) // level.entries
        for bucket in range(len(level)):
            part = values[bucket * level.entries : (bucket + 1) * level.entries]
            low, high, mean = summarize(part)
            assert np.array_equal(
                [level.low.view[bucket], level.high.view[bucket]], [low, high], equal_nan=True
            )
            if np.isfinite(part).all():
                assert np.isclose(level.mean.view[bucket], mean)
            else:
                assert np.isnan(mean) or low - 1e-9 <= level.mean.view[bucket] <= high + 1e-9


@given(
    st.lists(
        st.tuples(st.integers(0, 300), st.sampled_from([0.5, 1.5, float("nan"), 2.5]), st.booleans()),
        max_size=120,
    ),
    st.lists(st.integers(0, 120), max_size=4),
)
def test_points_and_buckets_follow_restarts_repeats_and_gaps(
    entries: list[tuple[int, float, bool]], looks: list[int]
) -> None:
    run, before = Run(), 0
    for look in sorted({*looks, len(entries)}):
        part = entries[before:look]
        feed(run, [{"step": step, "lr": 1.0, **({"loss": loss} if has else {})} for step, loss, has in part])
        before = max(before, look)
        for stream in run.streams:
            if "loss" in stream.series:
                check(stream, stream.standing("loss"))


def test_buckets_that_a_restart_does_not_reach_are_kept() -> None:
    run = Run()
    feed(run, [{"step": step, "loss": float(step)} for step in range(1000)])
    stream = run.streams[0]
    kept = stream.standing("loss").pyramid.levels[0].mean.view[:50].copy()
    feed(run, [{"step": 500, "loss": 7.0}])
    assert len(stream.standing("loss")) == 501
    assert np.array_equal(stream.standing("loss").pyramid.levels[0].mean.view[:50], kept)
    assert stream.standing("loss").values(499, 501).tolist() == [499.0, 7.0]


def test_it_can_be_brought_up_to_date_piece_by_piece() -> None:
    run = Run()
    feed(run, [{"step": float(step), "loss": float(step % 7)} for step in range(100)])
    stream = run.stream_of("loss")
    left = [stream.standing("loss", 40).behind for _ in range(3)]
    assert left == [60, 20, 0]
    check(stream, stream.standing("loss"))
