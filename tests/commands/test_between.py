"""Derived metrics, progress and changes as the commands tell them, each against numpy on the log itself."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.commands.running import Shell, drafter
from tests.replicas import text_of, two_regimes

POINTS = [[0.17, 3.1], [0.30, 5.2], [0.35, 6.0]]

CONFIG = f"""
[runs.drafter]
target = "LOG"
batches_per_epoch = 30250
epochs = 6
gradient_accumulation = 4
counted_from = 15000
tokens_per_step = [[1, 12000], [15001, 260000]]
tokens_per_epoch = 1_880_000_000
rename = {{ ce = "loss" }}

[runs.drafter.derived.accept_len]
from = "accuracy"
points = {POINTS}
"""


def configured(shell: Shell, log: Path, more: str = "") -> Path:
    return shell.write(CONFIG.replace("LOG", str(log)) + more, "config.toml")


def test_the_drafters_rates_between_two_steps_are_those_of_numpy(shell: Shell) -> None:
    text = drafter()
    config = configured(shell, shell.write(text))
    answer = shell("table", "drafter", "--config", config, "--between", "16000,21000", "--format", "json")
    rows = [json.loads(line) for line in text.splitlines()]
    steps = np.array([row["step"] for row in rows])
    first, last = (rows[int(np.argmin(np.abs(steps - step)))] for step in (16_000, 21_000))
    assert (answer.json["from_step"], answer.json["to_step"]) == (first["step"], last["step"])
    for name in ("accuracy", "top4_acc", "top8_acc", "ddtree_streak8"):
        told = answer.json["changes"][name]
        assert told["change"] == last[name] - first[name]
        assert told["per_1000_steps"] == pytest.approx(
            (last[name] - first[name]) / (last["step"] - first["step"]) * 1000
        )
    xs, ys = np.array(POINTS).T
    lengths = [float(np.interp(row["accuracy"], xs, ys)) for row in (first, last)]
    told = answer.json["changes"]["accept_len"]
    assert [told["from"], told["to"]] == lengths


def test_two_regimes_are_told_with_counts_share_and_a_clean_join(shell: Shell) -> None:
    config = configured(shell, shell.write(text_of(two_regimes(loss_of_new="ce"))))
    told = shell("status", "drafter", "--config", config, "--finished").out
    assert "step 16,330, 1,330 of 45,375 since 15,000 (2.93%)" in told
    assert "epoch 1 of 6 (28.0% of it) · 526M tokens" in told
    assert "1,727 entries with step_time to step 15,920 (461 of them superseded from 15,000)" in told
    assert "then 831 with tok_per_sec; 2,097 unique steps" in told
    assert "the join at step 15,000 is clean: " in told
    answer = shell("status", "drafter", "--config", config, "--finished", "--json")
    assert answer.run["progress"]["fraction"] == 1330 / 45375
    assert answer.run["segments"][1]["join"]["clean"] is True
    assert "loss" in answer.run["segments"][1]["join"]["z"]
    assert "ce" not in answer.run["metrics"]


def test_a_wrong_name_in_a_formula_is_told_with_file_line_and_the_right_one(shell: Shell) -> None:
    more = '\n[runs.drafter.derived.gain]\nexpr = "loss / accurracy"\n'
    config = configured(shell, shell.write(text_of(two_regimes()[:200])), more)
    line = config.read_text().splitlines().index("[runs.drafter.derived.gain]") + 1
    (problem,) = shell("status", "drafter", "--config", config, "--finished", "--json").run["problems"]
    assert problem == (
        f"{config}:{line}: runs.drafter.derived.gain: the log has no field accurracy; did you mean accuracy?"
    )


def test_a_spike_that_two_milestones_hide_is_marked_in_the_table(shell: Shell) -> None:
    entries = two_regimes()[:1200]
    entries[1000]["loss"] = 9.5
    log = shell.write(text_of(entries))
    told = shell("table", log, "--metrics", "loss,accuracy", "--at", "10000,12000,14000").out
    step = f"{entries[1000]['step']:,.0f}"
    assert next(line for line in told.splitlines() if line.startswith("! loss")).endswith(
        f"at step {step}: 9.50"
    )
    answer = shell("table", log, "--metrics", "loss", "--at", "10000,12000,14000", "--format", "json")
    (marked,) = [row["marks"] for row in answer.json["rows"] if "marks" in row]
    assert (marked[0]["step"], marked[0]["value"]) == (entries[1000]["step"], 9.5)


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ("1000", "--between takes two steps"),
        ("1000,99000", "step 99,000 is not reached yet"),
        ("1000,1001", "both steps are nearest to the entry at step"),
    ],
)
def test_what_can_not_be_compared_is_told(shell: Shell, steps: str, said: str) -> None:
    answer = shell("table", shell.write(text_of(two_regimes()[:500])), "--between", steps)
    assert (answer.code, answer.out) == (3, "")
    assert said in answer.err
