"""`milepost config`, and what else commands take from the configuration."""

import tomllib
from pathlib import Path

import pytest

from tests.commands.running import Shell, entries

CONFIG = ".config/milepost/config.toml"


@pytest.fixture
def runs(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A home with two logs, named in the configuration, with a group of both."""
    monkeypatch.chdir(shell.folder)
    first = shell.write(
        entries(*({"step": step, "loss": 2.0 - step / 100, "acc": 0.1} for step in range(50))), "a.jsonl"
    )
    second = shell.write(entries(*({"step": step, "loss": float("nan")} for step in range(50))), "b.jsonl")
    shell.write(
        f'[runs.first]\ntarget = "{first}"\n[runs.second]\ntarget = "{second}"\n[groups]\nboth = ["second", "{first}"]',
        CONFIG,
    )
    return shell


def test_it_is_shown_in_full_with_the_keys_of_every_action(runs: Shell) -> None:
    answer = runs("config", "--show")
    shown = tomllib.loads(answer.out)
    assert (answer.code, answer.err) == (0, "")
    assert shown["runs"]["first"] == {"target": f"{runs.folder}/a.jsonl"}
    assert (shown["notify"]["bell"], shown["display"]["x"]) == (True, "step")
    assert (shown["keys"]["run"]["smooth"], shown["keys"]["app"]["quit"]) == ("s", "ctrl+q,ctrl+c")


def test_what_is_shown_is_right(runs: Shell) -> None:
    runs.write(runs("config", "--show").out, "shown.toml")
    answer = runs("config", "--check", "shown.toml")
    assert (answer.code, answer.out, answer.err) == (0, "ok\n", "")


def test_without_a_file_the_defaults_are_shown_and_right(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shell.folder)
    assert shell("config", "--check").out == "ok\n"
    assert "runs" not in tomllib.loads(shell("config", "--show").out)


def test_every_mistake_is_told_in_a_line(runs: Shell) -> None:
    file = runs.write(
        '[runs.x]\ntarget = "x"\nmilestone = [1]\n[keys]\nrun.smoth = "S"\n[health]\n[display]\nsmooth = -1\n',
        "wrong.toml",
    )
    answer = runs("config", "--check", file)
    assert (answer.code, answer.out) == (3, "")
    assert answer.err.splitlines() == [
        f"{file}:3: unknown key runs.x.milestone; did you mean milestones?",
        f"{file}:5: unknown action run.smoth; did you mean run.smooth?",
        f"{file}:8: display.smooth must be a whole number from 1",
    ]


def test_a_file_that_is_no_toml_or_is_not_there_is_told_too(runs: Shell) -> None:
    file = runs.write("a = \n", "wrong.toml")
    assert runs("config", "--check", file).err.startswith(f"{file}:1: is no TOML: ")
    answer = runs("config", "--check", "missing.toml")
    assert (answer.code, answer.err) == (3, "missing.toml: can't be read: No such file or directory\n")


def test_the_folders_settings_and_themes_are_checked_with_the_rest(runs: Shell) -> None:
    runs.write('theme = "drak"\n' + (runs.folder / CONFIG).read_text(), CONFIG)
    runs.write('[notify]\non_alert = ["rm"]\n', ".milepost.toml")
    runs.write("dark = 1\n", ".config/milepost/themes/mine.toml")
    told = runs("config", "--check").err.splitlines()
    assert [line.removeprefix(f"{runs.folder}/").split(";")[0] for line in told] == [
        ".config/milepost/config.toml:1: there is no theme 'drak'",
        ".milepost.toml:2: notify.on_alert can't be set by a folder's file, which may only say how things look"
        " (theme, display)",
        ".config/milepost/themes/mine.toml:1: dark must be true or false, not 1",
    ]


def test_a_configuration_with_a_mistake_is_not_shown(runs: Shell) -> None:
    runs.write("x = 1\ny = 2\n", CONFIG)
    answer = runs("config", "--show")
    assert (answer.code, answer.out) == (3, "")
    assert answer.err.startswith(f"milepost: {runs.folder / CONFIG}:1: unknown key x; ")


def test_show_or_check_has_to_be_said(shell: Shell) -> None:
    assert shell("config").code == 3


def test_themes_are_listed_with_a_persons_own(runs: Shell) -> None:
    dark = (Path(__file__).parents[2] / "themes" / "dark.toml").read_text("utf-8")
    runs.write(dark, ".config/milepost/themes/mine.toml")
    answer = runs("--theme", "list")
    assert answer.code == 0
    assert {"dark", "light", "high-contrast", "okabe-ito", "ansi16", "mono", "mine"} == set(
        answer.out.split()
    )


def test_a_group_is_its_members_in_their_order(runs: Shell) -> None:
    answer = runs("status", "both", "--json", "--finished")
    assert [run["name"] for run in answer.json["runs"]] == ["second", "a.jsonl"]
    assert answer.code == 2


def test_all_are_the_runs_that_have_a_name(runs: Shell) -> None:
    answer = runs("status", "--all", "--json", "--finished")
    assert [run["name"] for run in answer.json["runs"]] == ["first", "second"]


def test_all_without_any_says_where_to_name_one(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = shell("status", "--all")
    assert (answer.code, answer.err) == (
        3, f"milepost: --all: no run has a name; add one to {shell.folder / CONFIG}: [runs.NAME]\n",
    )  # fmt: skip


@pytest.mark.parametrize("command", ["table", "fields", "explain", "report"])
def test_one_run_is_not_a_group(runs: Shell, command: str) -> None:
    answer = runs(command, "both")
    assert answer.code == 3
    assert "both is a group, and only one run can be shown here: one of second, a.jsonl" in answer.err


def test_the_display_of_a_folder_chooses_metrics_and_milestones(runs: Shell) -> None:
    runs.write('[display]\nmetrics = ["acc"]\nmilestones = [10]\n', ".milepost.toml")
    table = runs("table", "first", "--format", "json").json
    assert [(row["milestone"], row["values"]) for row in table["rows"]] == [(10.0, {"acc": 0.1})]
    runs.write(
        (runs.folder / CONFIG).read_text().replace("[runs.second]", 'metrics = ["loss"]\n[runs.second]'),
        CONFIG,
    )
    assert list(runs("table", "first", "--format", "json").json["rows"][0]["values"]) == ["loss"]


def test_a_folder_may_not_say_what_is_read(runs: Shell) -> None:
    runs.write('[runs.first]\ntarget = "evil:/x"\n', ".milepost.toml")
    answer = runs("status", "first")
    assert answer.code == 3
    assert f"{runs.folder}/.milepost.toml:2: runs.first.target can't be set by a folder's file" in answer.err


def test_a_working_folder_that_is_gone_is_no_trouble(runs: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = runs.folder / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert runs("status", "first", "--finished").code == 0
    assert runs("config", "--check").out == "ok\n"
