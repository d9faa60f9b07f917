from __future__ import annotations

import numpy as np
import pytest

from tests.bench.families import FAMILIES
from tests.bench.health import main
from tests.bench.runs import INCIDENTS, make_run
from tests.bench.score import first_warnings, judge, score
from tests.bench.transforms import thin


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


def test_the_report_has_the_target_beside_the_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seeds", "1-1", "--only", "nan"]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("NaN")]
    assert line.split() == "NaN all, at the entry 5 of 5 (100.0 %) 56.6 to 100.0 % met".split()


def test_overfitting_is_told_apart_by_how_much_worse_validation_gets(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--seeds", "1-1", "--only", "overfit"]) == 0
    told = capsys.readouterr().out
    assert "overfitting, 1 % worse" in told
    assert "SHORT" in told or "met" in told


def test_cost_is_told_in_chunks_and_one_by_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seeds", "1-1", "--only", "cost"]) == 0
    assert capsys.readouterr().out.count("µs an entry") == 2


def test_a_healthy_run_is_healthy_in_every_tenth_line() -> None:
    assert first_warnings(judge(thin(make_run("drafter", 2).span, 10))) == ()


def test_what_comes_before_an_incident_counts_as_healthy() -> None:
    outcome = score(make_run("pretrain", 2, "cliff"))
    assert outcome.false == ()
    assert outcome.truth is not None
    assert outcome.entries == outcome.truth.first - 20
