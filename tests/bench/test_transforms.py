from __future__ import annotations

import numpy as np
import pytest

from tests.bench.runs import make_run
from tests.bench.score import judge
from tests.bench.transforms import TRANSFORMS, judge_log, repeat, scale, thin, to_batch, without_lr
from tui.store.run import Run


@pytest.mark.parametrize("factor", [1e-6, 1e6, 100])
def test_the_unit_changes_no_alert(factor: float) -> None:
    run = make_run("drafter", 1, "plateau")
    plain = [(change.entry, change.alert.kind) for change in judge(run.span)]
    assert [(change.entry, change.alert.kind) for change in judge(scale(run.span, factor))] == plain


def test_repeated_lines_change_no_verdict() -> None:
    span = make_run("pretrain", 3, "cliff").span.slice(0, 6000)
    assert len(repeat(span)) > len(span)
    assert judge_log(repeat(span)) == judge_log(span)


def test_a_collapse_is_seen_without_the_learning_rate() -> None:
    run = make_run("pretrain", 4, "sudden_collapse")
    kinds = {change.alert.kind for change in judge(without_lr(run.span))}
    assert "gradient_collapse" in kinds


def test_every_tenth_line_keeps_the_evaluations() -> None:
    span = make_run("pretrain", 5).span
    thinned = thin(span, 10)
    assert len(thinned) == len(span) // 10
    np.testing.assert_array_equal(thinned.columns["val_loss"].values, span.columns["val_loss"].values)


def test_a_log_is_stored_as_it_was_made() -> None:
    span, run = make_run("pretrain", 6).span.slice(0, 500), Run()
    run.add(to_batch(span))
    for name, column in span.columns.items():
        np.testing.assert_array_equal(run.points(name).values, column.values)


def test_every_other_way_of_logging_gives_entries() -> None:
    span = make_run("drafter", 7).span.slice(0, 2000)
    assert all(len(transform(span)) > 0 for transform in TRANSFORMS.values())
