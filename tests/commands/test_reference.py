import csv
import io
import json

import numpy as np
import pytest

from tests.commands.running import Shell, entries
from tests.recorded import scenario_log


def rising(until: int, slope: float) -> str:
    return entries(*({"step": n, "accuracy": n * slope, "loss": 4 - n / 1000} for n in range(1, until + 1)))


@pytest.fixture
def run(shell: Shell) -> Shell:
    """A run of 2,000 steps, a faster one before it, and a configuration that compares them."""
    shell.write(rising(2000, 1e-4), "run.jsonl")
    shell.write(rising(1500, 2e-4), "before.jsonl")
    shell.write(
        f"""
        [runs.drafter]
        target = "{shell.folder}/run.jsonl"
        [runs.drafter.reference.paper]
        source = "paper, table 2"
        accuracy = [[1000, 0.11], [3000, 0.31]]
        [runs.drafter.reference.before]
        target = "{shell.folder}/before.jsonl"
        """,
        "config.toml",
    )
    return shell


def test_status_says_how_far_behind_the_run_is(run: Shell) -> None:
    told = run("status", "drafter", "--config", run.folder / "config.toml", "--finished")
    assert "vs paper: accuracy 0.198, worse by 0.0100 than its 0.208; it was there at step 1,876" in told.out
    assert "vs before: accuracy 0.198 (it says nothing of step 2,000); it was there at step 98" in told.out
    references = run("status", "drafter", "--config", run.folder / "config.toml", "--json").run["references"]
    assert [(each["name"], each["source"]) for each in references] == [
        ("paper", "paper, table 2"),
        ("before", "this machine"),
    ]
    assert references[0]["metrics"]["accuracy"]["behind"] == pytest.approx(125, abs=1)


def test_the_table_shows_the_difference_in_each_row(run: Shell) -> None:
    words = ("table", "drafter", "--config", run.folder / "config.toml", "--at", "500,1000")
    lines = [line.split() for line in run(*words).out.splitlines()]
    assert ["vs", "before", "−0.0500", "±0"] in lines
    assert ["vs", "paper", "−0.0100"] in lines
    first, second = run(*words, "--format", "json").json["rows"]
    assert first["vs"] == {"before": {"accuracy": pytest.approx(-0.05), "loss": 0}}
    assert second["vs"]["paper"] == {"accuracy": pytest.approx(-0.01)}
    head, *rows = csv.reader(io.StringIO(run(*words, "--format", "csv").out))
    assert float(rows[1][head.index("accuracy vs paper")]) == pytest.approx(-0.01)
    assert rows[0][head.index("accuracy vs paper")] == ""


def test_a_reference_can_be_given_as_an_option(run: Shell) -> None:
    told = run("report", run.folder / "run.jsonl", "--reference", run.folder / "before.jsonl", "--finished")
    assert "## Compared" in told.out
    assert "before.jsonl" in told.out


def test_a_reference_that_is_missing_is_told_and_the_rest_stands(run: Shell) -> None:
    told = run("status", run.folder / "run.jsonl", "--reference", run.folder / "none.jsonl", "--finished")
    assert told.code == 0
    assert "reference none.jsonl" in told.out
    assert "accuracy" in told.out


def test_the_drafters_gap_to_the_papers_points_is_what_numpy_makes_of_its_log(shell: Shell) -> None:
    text = scenario_log("plateau", 13_190)
    log = shell.write(text)
    config = shell.write(
        f"""
        [runs.drafter]
        target = "{log}"
        [runs.drafter.derived.accept_len]
        from = "accuracy"
        points = [[0.17, 3.1], [0.30, 5.2], [0.35, 6.0]]
        [runs.drafter.reference.paper]
        source = "paper, table 2"
        accuracy = [[1000, 0.11], [20000, 0.31], [45000, 0.35]]
        accept_len = [[1000, 3.0], [20000, 5.3], [45000, 6.0]]
        """,
        "config.toml",
    )
    rows = [json.loads(line) for line in text.splitlines()]
    steps = np.array([row["step"] for row in rows], np.float64)[-50:]
    accuracy = np.array([row["accuracy"] for row in rows])[-50:]
    run = shell("status", "drafter", "--config", config, "--json", "--finished").run
    told = run["references"][0]["metrics"]
    over = np.linspace(steps[0], steps[-1], 50)
    expected = np.interp(over, [1000, 20_000, 45_000], [0.11, 0.31, 0.35]).mean()
    there = np.interp(accuracy.mean(), [0.11, 0.31, 0.35], [1000, 20_000, 45_000])
    assert told["accuracy"]["difference"] == pytest.approx(accuracy.mean() - expected)
    assert told["accuracy"]["behind"] == pytest.approx(steps[-1] - there)
    length = np.interp(accuracy, [0.17, 0.30, 0.35], [3.1, 5.2, 6.0])
    assert told["accept_len"]["value"] == pytest.approx(length.mean())
