"""A pattern on the command line is as many runs as it matches; a folder is its newest log."""

import json
from pathlib import Path

from tests.commands.running import Shell, entries
from tests.commands.test_headless import told, watching
from tests.waiting import eventually

ROWS = entries(*({"step": step, "loss": 2.0} for step in range(1, 4)))


def names(answer_json: object) -> list[tuple[str, int]]:
    assert isinstance(answer_json, dict)
    return [(run["name"], run["entries"]) for run in answer_json["runs"]]


def test_status_tells_every_match_by_its_own_name_and_address(shell: Shell) -> None:
    for name in ("a", "b"):
        shell.write(ROWS, f"runs/{name}/log.jsonl")
    answer = shell("status", "--json", "--finished", shell.folder / "runs/*/log.jsonl")
    assert (answer.code, answer.err) == (0, "")
    assert names(answer.json) == [("a/log.jsonl", 3), ("b/log.jsonl", 3)]
    assert [run["target"] for run in answer.json["runs"]] == [
        str(shell.folder / f"runs/{name}/log.jsonl") for name in ("a", "b")
    ]


def test_a_pattern_may_match_folders(shell: Shell) -> None:
    for name in ("a", "b"):
        shell.write(ROWS, f"runs/{name}/log.jsonl")
    answer = shell("status", "--json", "--finished", shell.folder / "runs/*")
    assert names(answer.json) == [("a", 3), ("b", 3)]
    assert "reading log.jsonl, the newest log" in answer.json["runs"][0]["link"]["detail"]


def test_a_pattern_without_a_match_is_unknown_beside_the_others(shell: Shell) -> None:
    log = shell.write(ROWS)
    answer = shell("status", "--json", "--finished", log, shell.folder / "nope*.jsonl")
    assert answer.code == 3
    assert answer.err.count("\n") == 1
    assert "nothing matches" in answer.err
    assert [run["verdict"] for run in answer.json["runs"]] == ["healthy", "unknown"]


def test_a_named_run_keeps_its_name_where_its_pattern_matches_one_log(shell: Shell) -> None:
    shell.write(ROWS, "runs/a/log.jsonl")
    config = shell.write(f'[runs.drafter]\ntarget = "{shell.folder}/runs/*/log.jsonl"\n', "config.toml")
    assert names(shell("status", "--json", "--config", config, "drafter").json) == [("drafter", 3)]
    shell.write(ROWS, "runs/b/log.jsonl")
    answer = shell("status", "--json", "--config", config, "drafter")
    assert [name for name, _ in names(answer.json)] == ["a/log.jsonl", "b/log.jsonl"]


def test_a_command_for_one_log_names_some_of_several(shell: Shell) -> None:
    for name in ("a", "b"):
        shell.write(ROWS, f"runs/{name}.jsonl")
    for command in ("table", "fields"):
        answer = shell(command, shell.folder / "runs/*.jsonl")
        assert (answer.code, answer.out, answer.err.count("\n")) == (3, "", 1)
        assert "matches 2 logs" in answer.err
        assert f"{shell.folder}/runs/a.jsonl" in answer.err
    assert shell("table", shell.folder / "runs/a*").code == 0


def test_a_headless_watch_of_what_nothing_matches_is_refused_at_once(shell: Shell) -> None:
    answer = shell("watch", "--headless", shell.folder / "nope*.jsonl")
    assert (answer.code, answer.out, answer.err.count("\n")) == (3, "", 1)
    assert "nothing matches" in answer.err


def test_without_a_target_and_a_terminal_an_example_is_told(shell: Shell) -> None:
    answer = shell("watch")
    assert (answer.code, answer.out) == (3, "")
    assert answer.err.startswith("milepost: no target; give a log, for example: milepost gpu-box:/runs/")


async def test_a_headless_watch_follows_every_match(tmp_path: Path) -> None:
    out = tmp_path / "events"
    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl").write_text(ROWS)
    async with watching(tmp_path / "*.jsonl", "--json-events", out):
        await eventually(lambda: len(told(out, "entry")) == 6)
    targets = {json.loads(line)["target"] for line in out.read_text().splitlines()}
    assert targets == {str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")}
