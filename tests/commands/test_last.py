"""`--last`: no more than the end of a log is read, and that is said."""

import json

import pytest

from tests.commands.running import Shell, entries

ROWS = [{"step": step, "loss": 3 - step / 1000} for step in range(1, 1001)]


def test_the_end_alone_is_read_and_the_rest_is_told(shell: Shell) -> None:
    log = shell.write(entries(*ROWS))
    run = shell("status", "--json", "--finished", "--last", "3kB", log).run
    assert run["malformed"] == 0
    assert run["last_step"] == 1000
    assert 80 < run["entries"] < 130
    assert run["first_step"] == 1001 - run["entries"]
    assert run["skipped_bytes"] == len(entries(*ROWS[: run["first_step"] - 1]))


def test_the_text_says_so_too(shell: Shell) -> None:
    answer = shell("status", "--finished", "--last", "3kB", shell.write(entries(*ROWS)))
    assert " kB not read" in answer.out


def test_a_short_log_is_read_whole(shell: Shell) -> None:
    run = shell("status", "--json", "--finished", "--last", "1MB", shell.write(entries(*ROWS))).run
    assert (run["entries"], run["skipped_bytes"]) == (1000, 0)


def test_columns_keep_the_names_that_stand_in_the_first_line(shell: Shell) -> None:
    rows = "".join(f"{row['step']},{row['loss']:.3f}\n" for row in ROWS)
    log = shell.write("step,loss\n" + rows, "log.csv")
    run = shell("status", "--json", "--finished", "--last", "3kB", log).run
    assert (run["format"], run["last_step"], run["malformed"]) == ("csv", 1000, 0)
    assert list(run["metrics"]) == ["loss"]
    assert 0 < run["entries"] < 400


def test_a_document_can_not_be_begun_in_its_midst(shell: Shell) -> None:
    log = shell.write(json.dumps({"log_history": ROWS}, indent=2), "trainer_state.json")
    answer = shell("status", "--last", "3kB", log)
    assert answer.code == 3
    assert "has to be read from its start; leave out --last" in answer.err


@pytest.mark.parametrize("size", ["0", "x", "-5MB", "5 parsecs"])
def test_what_is_no_size_is_refused(shell: Shell, size: str) -> None:
    answer = shell("status", f"--last={size}", "x")
    assert answer.code == 3
    assert "is no size; give one such as 50MB" in answer.err
