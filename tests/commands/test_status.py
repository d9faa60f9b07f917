import json
import os
import time
from pathlib import Path

import numpy as np
import pytest

from tests.commands.running import Shell, drafter, entries

RUN_KEYS = {
    "target", "name", "format", "verdict", "error", "link", "liveness", "entries", "malformed", "unique_steps",
    "superseded", "first_step", "last_step", "segments", "metrics", "progress", "milestones", "alerts", "trends",
}  # fmt: skip
ALERT_KEYS = {
    "kind", "severity", "state", "metric", "onset_step", "raised_step", "cleared_step", "message", "evidence",
}  # fmt: skip


def healthy(count: int = 300) -> str:
    noise = np.random.default_rng(1).normal(0, 0.05, count)
    rows = ({"step": n, "loss": 2 + 3 / (1 + n / 50) + noise[n], "lr": 1e-3} for n in range(count))
    return entries(*rows)


def test_the_origins_log_is_told_exactly(shell: Shell) -> None:
    text = drafter()
    rows = [json.loads(line) for line in text.splitlines()]
    answer = shell("status", "--json", "--finished", shell.write(text))
    run = answer.run
    assert (run["entries"], run["malformed"], run["unique_steps"], run["superseded"]) == (13190, 0, 13190, 0)
    assert (run["first_step"], run["last_step"], run["format"], run["error"]) == (1, 21784, "jsonl", None)
    assert run["segments"] == [
        {
            "first_step": 1,
            "last_step": 21784,
            "entries": 13190,
            "started_by": "start",
            "fields": list(rows[0])[1:],
            "unique_steps": 13190,
            "superseded": 0,
            "superseded_from": None,
            "join": None,
        }
    ]
    assert list(run["metrics"]) == list(rows[0])[1:]
    for name in list(rows[0])[1:]:
        values = np.array([row[name] for row in rows])
        metric = run["metrics"][name]
        assert metric["recent_mean"] == pytest.approx(values[-50:].mean(), rel=1e-12)
        assert (metric["last"], metric["count"], metric["nonfinite"]) == (values[-1], 13190, 0)
    steps = np.array([row["step"] for row in rows])
    for milestone in run["milestones"]:
        if milestone["step"] is not None:
            nearest = rows[int(np.argmin(np.abs(steps - milestone["milestone"])))]
            assert milestone["step"] == nearest["step"]
            assert milestone["values"] == {name: nearest[name] for name in list(rows[0])[1:]}


def test_the_origins_log_gives_the_plateau_by_accuracy_and_the_collapse(shell: Shell) -> None:
    answer = shell("status", "--json", "--finished", shell.write(drafter()))
    alerts = {alert["kind"]: alert for alert in answer.run["alerts"] if alert["state"] == "firing"}
    assert answer.code == 1
    assert alerts["plateau"]["raised_step"] >= 16_000
    assert "accuracy" in alerts["plateau"]["metrics"]
    assert alerts["gradient_collapse"]["metric"] == "grad_norm"
    assert all(alert["evidence"] for alert in alerts.values())


def test_the_schema_is_complete(shell: Shell) -> None:
    answer = shell("status", "--json", "--finished", shell.write(drafter(4000)))
    assert answer.json["schema"] == 1
    assert set(answer.run) >= RUN_KEYS
    told = answer.run["liveness"]
    assert set(told) == {"state", "last_write_age_s", "last_entry_age_s", "expected_s", "next_entry_in_s"}
    assert set(answer.run["progress"]) >= {
        "step",
        "total_steps",
        "fraction",
        "eta_s",
        "steps_per_s",
        "tokens_per_s",
    }
    assert all(set(alert) >= ALERT_KEYS for alert in answer.run["alerts"])
    assert answer.run["trends"]


def test_a_healthy_run_exits_with_0_and_says_so(shell: Shell) -> None:
    log = shell.write(healthy())
    answer = shell("status", "--finished", log)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("● healthy  train_log.jsonl")
    assert "step 299 · 300 entries" in answer.out


def test_a_nan_loss_is_critical_at_once_and_json_stays_strict(shell: Shell) -> None:
    log = shell.write(entries({"step": 1, "loss": 2.0}, {"step": 2, "loss": float("nan")}))
    answer = shell("status", "--json", "--finished", log)
    assert answer.code == 2
    assert answer.run["verdict"] == "critical"
    assert answer.run["metrics"]["loss"]["last"] == "NaN"
    assert [(alert["kind"], alert["raised_step"]) for alert in answer.run["alerts"]] == [("nonfinite", 2)]


def test_malformed_lines_are_counted_shown_and_cost_nothing_else(shell: Shell) -> None:
    lines = healthy().splitlines(keepends=True)
    clean = shell("status", "--json", "--finished", shell.write("".join(lines), "clean.jsonl"))
    dirty_lines = [*lines[:100], "garbage\n", '{"step": 5, "lo\n', "\n", *lines[100:], '{"step": 300']
    dirty = shell("status", "--json", "--finished", shell.write("".join(dirty_lines), "dirty.jsonl"))
    assert (clean.run["malformed"], dirty.run["malformed"]) == (0, 2)
    for key in ("entries", "metrics", "milestones", "alerts", "trends", "segments"):
        assert dirty.run[key] == clean.run[key]
    assert "2 malformed" in shell("status", "--finished", shell.folder / "dirty.jsonl").out


@pytest.mark.parametrize("text", ["", "no log\nat all\n", '{"event": "start"}\n', '{"step": 1, "lo'])
def test_a_log_without_an_entry_is_unknown_in_one_sentence(shell: Shell, text: str) -> None:
    answer = shell("status", "--json", shell.write(text))
    assert answer.code == 3
    assert answer.run["verdict"] == "unknown"
    assert answer.err.count("\n") == 1
    assert answer.err == f"milepost: {answer.run['error']}\n"


def test_a_missing_file_is_unknown_in_one_sentence_also_with_json(shell: Shell) -> None:
    answer = shell("status", "--json", shell.folder / "nothing.jsonl")
    assert (answer.code, answer.err.count("\n")) == (3, 1)
    assert "nothing.jsonl" in answer.err
    assert answer.run["link"]["state"] == "missing"
    assert answer.run["error"]


def clocked(count: int = 300, *last: dict[str, float]) -> str:
    return entries(*({"step": n, "loss": 2.0 - n / 1000, "elapsed": 5.0 * n} for n in range(count)), *last)


def write_old(shell: Shell, text: str, age_s: float) -> Path:
    """A log that was last written to some time ago."""
    log = shell.write(text)
    then = time.time() - age_s
    os.utime(log, (then, then))
    return log


@pytest.mark.parametrize(("age_s", "code"), [(60, 0), (900, 1), (7200, 2)])
def test_a_log_that_has_been_silent_for_too_long_is_a_stall(shell: Shell, age_s: float, code: int) -> None:
    answer = shell("status", "--json", write_old(shell, clocked(), age_s))
    assert answer.code == code
    stalls = [(alert["kind"], alert["severity"]) for alert in answer.run["alerts"]]
    assert stalls == {0: [], 1: [("stall", "warning")], 2: [("stall", "critical")]}[code]
    assert answer.run["liveness"]["state"] == ("silent" if code else "live")


def test_a_finished_log_is_never_a_stall(shell: Shell) -> None:
    log = write_old(shell, clocked(), 7200)
    assert shell("status", "--json", "--finished", log).run["alerts"] == []
    log = write_old(shell, clocked() + '{"event": "done"}\n', 7200)
    answer = shell("status", "--json", log)
    assert (answer.code, answer.run["liveness"]["state"]) == (0, "finished")


def test_a_silent_log_without_a_cadence_is_unknown_and_no_stall(shell: Shell) -> None:
    answer = shell("status", "--json", write_old(shell, healthy(), 7200))
    assert answer.run["liveness"]["state"] == "unknown"
    assert answer.run["alerts"] == []


def test_a_log_that_ends_in_an_error_is_critical(shell: Shell) -> None:
    text = clocked() + 'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: bad batch\n'
    answer = shell("status", "--json", "--finished", shell.write(text))
    assert answer.code == 2
    assert [(alert["kind"], alert["evidence"]) for alert in answer.run["alerts"]] == [
        ("log_error", {"error": "ValueError: bad batch"})
    ]


def test_the_largest_exit_code_wins_and_every_run_is_told(shell: Shell) -> None:
    good, bad = (
        shell.write(healthy(), "a/log.jsonl"),
        shell.write(entries({"step": 1, "loss": float("inf")}), "b/log.jsonl"),
    )
    answer = shell("status", "--json", "--finished", good, bad)
    assert answer.code == 2
    assert [(run["name"], run["verdict"]) for run in answer.json["runs"]] == [
        ("a/log.jsonl", "healthy"),
        ("b/log.jsonl", "critical"),
    ]
    assert shell("status", "--finished", good, shell.folder / "none").code == 3


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["status"], "no target"),
        (["status", "--jsn", "x"], "--jsn"),
        (["status", "--timeout", "soon", "x"], "'soon' is no time"),
        (["status", "--log-format", "yaml", "x"], "no log format 'yaml'; there is jsonl"),
        (["status", "--config", "/nowhere.toml", "x"], "/nowhere.toml: can't be read"),
        (["status", "box:"], "no path after box"),
        (["table"], "TARGET"),
        (["table", "--at", "ten", "x"], "'ten' is no step"),
        (["table", "--format", "pdf", "x"], "pdf"),
        ([], "no target"),
        (["watch", "--json-events", "-", "x"], "needs --headless"),
        (["demo", "perfect"], "no scenario 'perfect'"),
    ],
)
def test_wrong_usage_is_one_line_on_standard_error_and_exit_3(
    shell: Shell, words: list[str], says: str
) -> None:
    answer = shell(*words)
    assert (answer.code, answer.out, answer.err.count("\n")) == (3, "", 1)
    assert says in answer.err


def test_metrics_are_chosen_by_pattern_in_the_order_of_the_patterns(shell: Shell) -> None:
    answer = shell("status", "--json", "--finished", "--metrics", "lr,lo*", shell.write(healthy()))
    assert list(answer.run["metrics"]) == ["lr", "loss"]
    assert set(answer.run["milestones"][0]["values"]) == {"lr", "loss"}


def test_one_line_for_a_status_bar(shell: Shell) -> None:
    answer = shell("status", "--line", "--finished", shell.write(drafter()))
    assert answer.out.count("\n") == 1
    assert answer.out.startswith("▲ warning  plateau +1  train_log.jsonl  step 21,784  loss 0.9")


def test_nothing_in_a_log_reaches_the_terminal_as_a_control_sequence(shell: Shell) -> None:
    rows = [{"step": n, "loss\x1b[31m": 1.0, "a\x07[bold]b": 2.0} for n in range(5)]
    log = shell.write(entries(*rows) + "\x1b]0;owned\x07\n")
    for words in (
        ["status"],
        ["status", "--line"],
        ["table"],
        ["table", "--format", "csv"],
        ["table", "--format", "markdown"],
    ):
        assert not {"\x1b", "\x07"} & set(shell(*words, log).out)


def test_a_named_run_stands_in_for_its_target(shell: Shell) -> None:
    log = shell.write(healthy())
    config = shell.write(
        f'[runs.mine]\ntarget = "{log}"\nmetrics = ["loss"]\nmilestones = [10, 20]\ntotal_steps = 1000\n',
        "c.toml",
    )
    run = shell("status", "--json", "--finished", "--config", config, "mine").run
    assert (run["name"], run["target"]) == ("mine", str(log))
    assert [row["milestone"] for row in run["milestones"]] == [10, 20]
    assert run["progress"]["fraction"] == pytest.approx(0.299)
    again = shell("status", "--json", "--finished", "--config", config, "--at", "30", "mine").run
    assert [row["milestone"] for row in again["milestones"]] == [30]


def test_two_regimes_are_told_as_segments_in_words(shell: Shell) -> None:
    old = [{"step": step, "loss": 1.0, "step_time": 2.0} for step in range(0, 1000, 10)]
    new = [{"step": step, "loss": 1.0, "tok_per_sec": 2.0} for step in range(500, 800, 10)]
    answer = shell("status", "--finished", shell.write(entries(*old, *new)))
    assert (
        "100 entries with step_time to step 990 (50 of them superseded from 500), then 30 with tok_per_sec;"
        in answer.out
    )
    assert "100 unique steps" in answer.out
    assert "50 superseded" in answer.out


def test_a_log_with_more_fields_than_anybody_looks_at_is_bounded_and_says_so(shell: Shell) -> None:
    log = shell.write(entries(*({"step": n, f"k{n}": 1.0} for n in range(6000))))
    lines = shell("status", "--finished", log).out.splitlines()
    assert len(lines) < 50
    assert "values of too many fields left out" in lines[2]
    assert "more metrics; --metrics chooses" in lines[-1]
    run = shell("status", "--json", "--finished", log).run
    assert len(run["metrics"]) + run["dropped_values"] == 6000


def test_many_runs_are_told_in_a_line_each_the_worst_first(shell: Shell) -> None:
    broken = entries(*({"step": n, "loss": float("nan")} for n in range(60)))
    files = [shell.write(healthy(), f"{name}/log.jsonl") for name in ("a", "b", "c")]
    files += [shell.write(broken, "sick/log.jsonl"), shell.folder / "gone/log.jsonl"]
    answer = shell("status", *files)
    assert answer.code == 3
    head, *rows = answer.out.splitlines()
    assert head.split()[:4] == ["name", "host", "state", "step"]
    assert [row.split()[:2] for row in rows] == [
        ["✖", "sick"],
        ["?", "gone"],
        ["✓", "a"],
        ["✓", "b"],
        ["✓", "c"],
    ]
    assert "nonfinite" in rows[0]
    assert "✖ not found" in rows[1]
    assert len(answer.err.splitlines()) == 1


def test_many_runs_are_told_in_full_where_that_is_asked_for(shell: Shell) -> None:
    files = [shell.write(healthy(), f"{name}/log.jsonl") for name in ("a", "b", "c", "d")]
    answer = shell("status", "--long", *files)
    assert answer.out.count("mean of 50") == 4 * 2
