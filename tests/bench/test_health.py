from __future__ import annotations

import numpy as np
import pytest

from tests.bench.health import first_warnings, judge, main, score
from tests.bench.runs import FAMILIES, INCIDENTS, make_run
from tui.decode.batch import Column, Span


@pytest.mark.parametrize("family", FAMILIES)
def test_a_run_is_the_same_for_the_same_seed(family: str) -> None:
    first, second = make_run(family, 7, "cliff"), make_run(family, 7, "cliff")
    assert first.truth == second.truth
    for name, column in first.span.columns.items():
        np.testing.assert_array_equal(column.values, second.span.columns[name].values)


@pytest.mark.parametrize("incident", INCIDENTS)
def test_every_incident_lies_within_its_run(incident: str) -> None:
    run = make_run("pretrain", 3, incident)
    assert run.truth is not None
    assert 0 < run.truth.first < run.truth.last <= len(run.span)


def test_the_report_tells_recall_and_speed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seeds", "1", "--only", "nan"]) == 0
    told = capsys.readouterr().out
    assert "seen   5/5" in told
    assert "µs an entry" in told


def test_overfitting_is_told_apart_by_how_much_worse_validation_gets(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--seeds", "1", "--only", "overfit"]) == 0
    assert "of those in which validation gets worse by 1%" in capsys.readouterr().out


def thin(span: Span, every: int) -> Span:
    columns = {}
    for name, column in span.columns.items():
        kept = column.at % every == 0
        columns[name] = Column(column.at[kept] // every, column.values[kept])
    return Span(span.steps[::every], columns)


def scale(span: Span, factor: float) -> Span:
    columns = {
        name: Column(column.at, column.values * (factor if name in ("loss", "val_loss", "accuracy") else 1))
        for name, column in span.columns.items()
    }
    return Span(span.steps, columns)


def without_lr(span: Span) -> Span:
    return Span(span.steps, {name: column for name, column in span.columns.items() if name != "lr"})


@pytest.mark.parametrize("factor", [1e-6, 1e6, 100])
def test_the_unit_changes_no_verdict(factor: float) -> None:
    run = make_run("drafter", 1, "plateau")
    plain = [(change.entry, change.alert.kind) for change in judge(run.span)]
    assert [(change.entry, change.alert.kind) for change in judge(scale(run.span, factor))] == plain


@pytest.mark.parametrize("every", [2, 10])
def test_a_healthy_run_is_healthy_in_every_second_or_tenth_line(every: int) -> None:
    assert first_warnings(judge(thin(make_run("drafter", 2).span, every))) == ()


def test_a_healthy_run_is_healthy_without_its_learning_rate() -> None:
    assert first_warnings(judge(without_lr(make_run("drafter", 2).span))) == ()


def test_a_collapse_is_seen_without_the_learning_rate() -> None:
    run = make_run("pretrain", 4, "sudden_collapse")
    kinds = {change.alert.kind for change in judge(without_lr(run.span))}
    assert "gradient_collapse" in kinds


def test_what_comes_before_an_incident_counts_as_healthy() -> None:
    outcome = score(make_run("pretrain", 2, "cliff"))
    assert outcome.false == ()
    assert outcome.truth is not None
    assert outcome.entries == outcome.truth.first - 20
