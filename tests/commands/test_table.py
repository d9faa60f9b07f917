import csv
import io
import json
import math
import os

import pytest

from tests.commands.running import Shell, drafter, entries


def log(shell: Shell) -> str:
    rows: list[dict[str, float]] = [{"step": n, "loss": 4 - n / 500, "lr": 1e-4} for n in range(1, 1000, 2)]
    rows[249]["loss"] = float("nan")  # step 499
    del rows[49]["lr"]  # step 99
    return str(shell.write(entries(*rows)))


def test_json_holds_rows_changes_and_recent_means(shell: Shell) -> None:
    answer = shell("table", log(shell), "--at", "100,300,700", "--format", "json")
    assert answer.code == 0
    told = answer.json
    assert (told["schema"], told["target"]) == (1, str(shell.folder / "train_log.jsonl"))
    first, second, third = told["rows"]
    assert (first["milestone"], first["step"], first["values"]) == (100, 99, {"loss": pytest.approx(3.802)})
    assert first["per_1000_steps"] == {}
    assert second["step"] == 299
    assert second["per_1000_steps"] == {"loss": pytest.approx(-2.0)}
    assert third["per_1000_steps"] == {"loss": pytest.approx(-2.0), "lr": 0}
    assert told["recent"]["entries"] == 50
    assert told["recent"]["values"]["loss"] == pytest.approx(
        sum(4 - n / 500 for n in range(901, 1000, 2)) / 50
    )


def test_text_shows_missing_as_a_dash_nan_as_nan_and_the_real_step(shell: Shell) -> None:
    lines = shell("table", log(shell), "--at", "100,500,5000").out.splitlines()
    assert lines[0].split() == ["step", "loss", "lr"]
    assert lines[1].split() == ["100", "(99)", "3.80", "—"]
    assert lines[2].split() == ["500", "(499)", "NaN", "1.0e-4"]
    assert lines[3].split()[:2] == ["5,000", "due"]
    assert lines[4].split()[:2] == ["last", "50"]


def test_a_run_that_is_over_or_silent_for_too_long_has_nothing_due(shell: Shell) -> None:
    rows = [{"step": 1, "loss": 2.0}, {"step": 2, "loss": 2.0}]
    over = shell.write(entries(*rows) + "Training finished.\n", "over.jsonl")
    silent = shell.write(entries(*rows), "silent.jsonl")
    os.utime(silent, (0, 0))
    for file in (over, silent):
        assert "5,000 not reached" in shell("table", file, "--at", "1,5000").out
        assert "5,000 not reached" in shell("report", file, "--at", "1,5000").out


def test_text_puts_the_change_per_thousand_steps_between_two_rows(shell: Shell) -> None:
    lines = shell("table", log(shell), "--at", "101,301", "--metrics", "loss").out.splitlines()
    assert lines[2].split() == ["per", "1k", "−2.00"]


def test_csv_has_all_digits_and_empty_cells(shell: Shell) -> None:
    rows = list(csv.reader(io.StringIO(shell("table", log(shell), "--at", "100,500", "--format", "csv").out)))
    assert rows[0] == ["milestone", "step", "loss", "lr", "loss per 1000 steps", "lr per 1000 steps"]
    assert rows[1] == ["100", "99", "3.802", "", "", ""]
    assert math.isnan(float(rows[2][2]))
    assert rows[3][:2] == ["last 50", ""]


def test_markdown_is_a_table(shell: Shell) -> None:
    lines = shell("table", log(shell), "--at", "101", "--format", "markdown").out.splitlines()
    assert lines[:3] == ["| step | loss | lr |", "| ---: | ---: | ---: |", "| 101 | 3.80 | 1.0e-4 |"]


def test_the_default_columns_are_the_logs_own_in_its_order(shell: Shell) -> None:
    text = drafter(500)
    text = drafter(500)
    header = shell("table", shell.write(text)).out.splitlines()[0].split()
    assert header == list(json.loads(text.splitlines()[0]))


def test_a_pattern_that_fits_nothing_is_told_with_what_there_is(shell: Shell) -> None:
    answer = shell("table", log(shell), "--metrics", "los")
    assert (answer.code, answer.out) == (3, "")
    assert "no field fits --metrics los; the log has loss, lr" in answer.err


def test_a_table_that_can_not_be_read_is_one_sentence_and_exit_3(shell: Shell) -> None:
    answer = shell("table", shell.folder / "none.jsonl")
    assert (answer.code, answer.out, answer.err.count("\n")) == (3, "", 1)
