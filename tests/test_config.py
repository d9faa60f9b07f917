from pathlib import Path

import pytest

from tui.config import ALERT_KINDS, HealthConfig, RunConfig, default_path, load_config
from tui.errors import ConfigError
from tui.roles import Role


def write(folder: Path, text: str) -> Path:
    file = folder / "config.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_named_run_is_read(tmp_path: Path) -> None:
    text = """
theme = "light"
[runs.drafter]
target = "root@10.1.2.6:pct/200:/workspace/train_log.jsonl"
via = ["sudo -n"]
metrics = ["loss", "ddtree_*"]
milestones = [100, 500]
roles = { score = "quality" }
total_steps = 45375
"""
    config = load_config(write(tmp_path, text))
    assert config.theme == "light"
    assert config.runs["drafter"] == RunConfig(
        "root@10.1.2.6:pct/200:/workspace/train_log.jsonl",
        ("sudo -n",),
        ("loss", "ddtree_*"),
        (100.0, 500.0),
        {"score": Role.QUALITY},
        45375.0,
    )


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('[runs.a]\ntarget = "x"\nmetrcs = []\n', 3, "unknown key runs.a.metrcs; did you mean metrics?"),
        ('them = "dark"\n', 1, "unknown key them; did you mean theme?"),
        ('[runs.a]\nmetrics = ["loss"]\n', 1, "has no target"),
        ('[runs.a]\ntarget = "x"\n\nmilestones = ["a"]\n', 4, "runs.a.milestones must be a step"),
        ('[runs.a]\ntarget = "x"\nmilestones = 5\n', 3, "runs.a.milestones must be a list of steps"),
        ('[runs.a]\ntarget = "x"\nroles = { a = "good" }\n', 3, "each one of loss, quality"),
        ("runs = 3\n", 1, "runs must be a table"),
        ('[runs.a]\ntarget = 3\n', 2, "runs.a.target must be a string"),
        ("[health.platau]\nmute = true\n", 1, "unknown key health.platau; did you mean plateau?"),
        ("[health.plateau]\nmuted = true\n", 2, "unknown key health.plateau.muted; did you mean mute?"),
        ("[health.stall]\nmute = true\n\npause = 9\n", 4, "health.stall.pause; did you mean pause_s?"),
        ("[health.cliff]\nmute = 1\n", 2, "health.cliff.mute must be true or false"),
        ("[health.stall]\npause_s = -5\n", 2, "health.stall.pause_s must be a number above 0"),
        ("[health.slowdown]\ndrop = 12\n", 2, "health.slowdown.drop must be a share, a number between 0 and 1"),
        ("health = 3\n", 1, "health must be a table, [health]"),
        ("[health]\ncliff = true\n", 2, "health.cliff must be a table, [health.cliff]"),
        (
            '[runs.a]\ntarget = "x"\n[runs.a.health.gradient_collapse]\nflor = 0.1\n',
            4,
            "unknown key runs.a.health.gradient_collapse.flor; did you mean floor?",
        ),
    ],
)  # fmt: skip
def test_a_mistake_names_file_line_and_what_would_be_right(
    tmp_path: Path, text: str, line: int, says: str
) -> None:
    file = write(tmp_path, text)
    with pytest.raises(ConfigError) as told:
        load_config(file)
    assert str(told.value).startswith(f"{file}:{line}: ")
    assert says in str(told.value)
    assert "\n" not in str(told.value)


def test_alerts_are_configured_for_all_runs_and_for_one_of_them(tmp_path: Path) -> None:
    text = """
[health.plateau]
mute = true
[health.stall]
pause_s = 900
[health.slowdown]
drop = 0.3
[runs.a]
target = "x"
[runs.a.health.plateau]
mute = false
[runs.a.health.stall]
mute = true
pause_s = 3600
[runs.a.health.gradient_collapse]
floor = 0.1
[runs.a.health.cliff]
shift = 0.01
"""
    config = load_config(write(tmp_path, text))
    assert config.health == HealthConfig({"plateau": True}, pause_s=900.0, drop=0.3)
    merged = config.health.with_those_of(config.runs["a"].health)
    assert merged == HealthConfig(
        {"plateau": False, "stall": True}, floor=0.1, pause_s=3600.0, shift=0.01, drop=0.3
    )
    assert [kind for kind in ALERT_KINDS if merged.is_muted(kind)] == ["stall"]


def test_what_is_no_toml_is_told_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"is no TOML: .*line 2"):
        load_config(write(tmp_path, "a = 1\nb = ?\n"))


def test_the_default_file_may_be_missing_but_a_named_one_may_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert default_path() == tmp_path / "milepost" / "config.toml"
    assert load_config().runs == {}
    with pytest.raises(ConfigError, match="can't be read: No such file"):
        load_config(tmp_path / "other.toml")
