"""From a file to the configuration, and to a word about each mistake."""

import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.config.writing import write
from tui.config import (
    ALERT_KINDS,
    Config,
    DerivedConfig,
    Goal,
    HealthConfig,
    NotifyConfig,
    ReferenceConfig,
    RunConfig,
    default_path,
    load_config,
)
from tui.config.loading import read_config, read_local
from tui.config.showing import to_toml
from tui.errors import ConfigError
from tui.roles import Role

RUN = '[runs.a]\ntarget = "x"\n'

FULL = """
theme = "light"
[runs.drafter]
target = "root@10.1.2.6:pct/200:/workspace/checkpoints/train_log.jsonl"
via = ["sudo -n"]
metrics = ["loss", "accuracy", "ddtree_*"]
milestones = [100, 500]
roles = { score = "quality" }
rename = { ce = "loss" }
batches_per_epoch = 30250
epochs = 6
gradient_accumulation = 4
counted_from = 15000
tokens_per_step = [[1, 12000], [15001, 260000]]
tokens_per_epoch = 1_880_000_000
goal = { accuracy = [45000, 0.30] }
checkpoints = "/workspace/checkpoints"
[runs.drafter.derived.accept_len]
from = "accuracy"
points = [[0.17, 3.1], [0.30, 5.2], [0.35, 6.0]]
[runs.drafter.derived.gain]
expr = "ddtree_streak8 / avg_streak"
[runs.drafter.derived.calm]
from = "loss"
average = 50
[runs.drafter.reference.paper]
source = "paper, table 2"
accuracy = [[1000, 0.11], [20000, 0.31]]
[runs.drafter.reference.old]
target = "gpu-box:/runs/old.jsonl"
[groups]
all = ["drafter", "gpu-box:/runs/b.jsonl"]
[notify]
bell = false
on_alert = ["notify-send", "{title}", "{message}"]
[fleet]
columns = ["state", "step"]
[display]
x = "tokens"
smooth = 0
log_y = true
[keys]
run.smooth = "S"
"run.log" = "L,f5"
"""


def mistakes(folder: Path, text: str) -> list[str]:
    file = write(folder, text)
    return [str(mistake).removeprefix(f"{file}:") for mistake in read_config(file).mistakes]


def test_every_key_is_read(tmp_path: Path) -> None:
    config = load_config(write(tmp_path, FULL))
    run = config.runs["drafter"]
    assert run == RunConfig(
        target=("root@10.1.2.6:pct/200:/workspace/checkpoints/train_log.jsonl",),
        via=("sudo -n",),
        metrics=("loss", "accuracy", "ddtree_*"),
        milestones=(100.0, 500.0),
        roles={"score": Role.QUALITY},
        rename={"ce": "loss"},
        batches_per_epoch=30250.0,
        epochs=6.0,
        gradient_accumulation=4.0,
        counted_from=15000.0,
        tokens_per_step=((1.0, 12000.0), (15001.0, 260000.0)),
        tokens_per_epoch=1.88e9,
        goal={"accuracy": Goal(45000.0, 0.3)},
        checkpoints="/workspace/checkpoints",
        derived={
            "accept_len": DerivedConfig("accuracy", ((0.17, 3.1), (0.3, 5.2), (0.35, 6.0))),
            "gain": DerivedConfig(expr="ddtree_streak8 / avg_streak"),
            "calm": DerivedConfig("loss", average=50),
        },
        reference={
            "paper": ReferenceConfig("paper, table 2", curves={"accuracy": ((1000.0, 0.11), (20000.0, 0.31))}),
            "old": ReferenceConfig(target="gpu-box:/runs/old.jsonl"),
        },
    )  # fmt: skip
    assert run.last_step == 15000 + 45375
    assert config.theme == "light"
    assert config.groups == {"all": ("drafter", "gpu-box:/runs/b.jsonl")}
    assert config.notify == NotifyConfig(bell=False, on_alert=("notify-send", "{title}", "{message}"))
    assert config.fleet.columns == ("state", "step")
    assert (config.display.x, config.display.smooth, config.display.log_y) == ("tokens", 0, True)
    assert {name: binding.keys for name, binding in config.keys.items()} == {
        "run.smooth": "S",
        "run.log": "L,f5",
    }


def test_the_least_of_runs_has_a_target_and_the_defaults(tmp_path: Path) -> None:
    config = load_config(write(tmp_path, RUN))
    assert config == Config(runs={"a": RunConfig(("x",))})
    assert config.runs["a"].last_step is None


def test_a_run_may_be_several_files_and_its_steps_counted_by_hand(tmp_path: Path) -> None:
    run = load_config(
        write(tmp_path, '[runs.a]\ntarget = ["x", "y"]\ntotal_steps = 9\ntokens_per_step = 12e3\n')
    )
    assert run.runs["a"] == RunConfig(("x", "y"), total_steps=9.0, tokens_per_step=((0.0, 12000.0),))
    assert run.runs["a"].last_step == 9


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (RUN + "metrcs = []\n", "3: unknown key runs.a.metrcs; did you mean metrics?"),
        (RUN + '[runs.b]\ntarget = "x"\nmilestone = []\n', "5: unknown key runs.b.milestone; did you mean milestones?"),
        ('runs.a.target = "x"\nruns.b = { target = "x", metric = [] }\n', "2: unknown key runs.b.metric; did you"),
        ('them = "dark"\n', "1: unknown key them; did you mean theme?"),
        ("metrics = []\n", "1: unknown key metrics; did you mean display.metrics?"),
        ("xyzzy = 1\n", "1: unknown key xyzzy; known are theme, display, keys"),
        ('[runs.a]\nmetrics = ["loss"]\n', '1: runs.a has no target; add target = "HOST:/path/to/log"'),
        ('[runs.a]\ntarget = []\n', "2: runs.a.target must be an address, or a list of at least one"),
        ('[runs.a]\ntarget = "gpu-box:"\n', "2: runs.a.target must be an address, but gpu-box:: no path after gpu-box"),
        (RUN + 'via = ["\'"]\n', "3: item 1 of runs.a.via must be a command prefix, but: No closing quotation"),
        (RUN + 'milestones = [\n1,\n"a"]\n', "5: item 2 of runs.a.milestones must be a step, a number"),
        (RUN + "milestones = [nan]\n", "3: item 1 of runs.a.milestones must be a step, a number"),
        (RUN + "milestones = 5\n", "3: runs.a.milestones must be a list of steps"),
        (RUN + 'roles = { a = "los" }\n', "3: runs.a.roles.a must be one of loss, quality, grad_norm, lr"),
        (RUN + "total_steps = inf\n", "3: runs.a.total_steps must be a number above 0"),
        (RUN + f"total_steps = {10**400}\n", "3: runs.a.total_steps must be a number above 0"),
        (RUN + "epochs = 3\n", "3: runs.a.epochs says nothing without batches_per_epoch"),
        (RUN + "tokens_per_step = [[1, 5], [1, 6]]\n", "3: runs.a.tokens_per_step must be a list of pairs whose first"),
        (RUN + 'tokens_per_step = "5"\n', "3: runs.a.tokens_per_step must be a number above 0, or pairs of a step"),
        (RUN + "goal = { acc = 3 }\n", "3: item 1 of runs.a.goal.acc must be a pair of numbers"),
        (RUN + "derived.x.from = 'a'\n", "3: runs.a.derived.x.from needs points or average, one of them"),
        (RUN + "derived.x = {}\n", "3: runs.a.derived.x needs expr, or from with points or average"),
        (RUN + "derived.x = { expr = 'a', average = 3 }\n", "3: runs.a.derived.x.expr stands alone; leave out"),
        (RUN + "derived.x.expr = '(a / b'\n", "3: runs.a.derived.x.expr is no formula: "),
        (RUN + "derived.x = { from = 'a', average = 0 }\n", "3: runs.a.derived.x.average must be a whole number"),
        (RUN + "[runs.a.reference.p]\nsource = 'b'\n", "3: runs.a.reference.p needs target, or points of a metric"),
        (RUN + "[runs.a.reference.p]\ntarget = 'b'\nc = [[1, 2]]\n", "4: runs.a.reference.p.target can't stand beside"),
        (RUN + "[runs.a.reference.p]\nacc = [[1, 2], [1]]\n", "4: item 2 of runs.a.reference.p.acc must be a pair"),
        ("runs = 3\n", "1: runs must be a table, [runs]"),
        ("[runs]\na = 3\n", "2: runs.a must be a table, [runs.a]"),
        ("[health.platau]\nmute = true\n", "1: unknown key health.platau; did you mean plateau?"),
        ("[health.plateau]\nmuted = true\n", "2: unknown key health.plateau.muted; did you mean mute?"),
        ("[health.stall]\nmute = true\n\npause = 9\n", "4: unknown key health.stall.pause; did you mean pause_s?"),
        ("[health.cliff]\nmute = 1\n", "2: health.cliff.mute must be true or false"),
        ("[health.stall]\npause_s = -5\n", "2: health.stall.pause_s must be a number above 0"),
        ("[health.slowdown]\ndrop = 12\n", "2: health.slowdown.drop must be a share, a number between 0 and 1"),
        ("health = 3\n", "1: health must be a table, [health]"),
        ("[health]\ncliff = true\n", "2: health.cliff must be a table, [health.cliff]"),
        (RUN + "[runs.a.health.cliff]\nshft = 0.1\n", "4: unknown key runs.a.health.cliff.shft; did you mean shift?"),
        ('[notify]\non_alert = ["a",\n"{mesage}"]\n', "3: item 2 of notify.on_alert must be without {mesage}, which"),
        ('[notify]\non_alert = ["{title}"]\n', "2: item 1 of notify.on_alert must be the name of a program"),
        ('[notify]\non_alert = "beep"\n', "2: notify.on_alert must be a command and its arguments"),
        ('[notify]\ndesktop = "osc8"\n', "2: notify.desktop must be one of auto, osc9, osc777, off"),
        ('[fleet]\ncolumns = ["stat"]\n', "2: item 1 of fleet.columns must be one of host, state"),
        ("[groups]\na = []\n", "2: groups.a must be a list of runs, by name or address"),
        (RUN + "[groups]\na = ['/x']\n", "4: groups.a is also the name of a run; call the group otherwise"),
        (RUN + "[groups]\nall = ['b/c', 'aa']\n", "4: groups.all names aa, which is no run; did you mean a?"),
        (RUN + "[runs.a.reference.p]\ntarget = 'b'\n", "4: runs.a.reference.p.target is b, which is no"),
        ("[display]\nsmooth = true\n", "2: display.smooth must be a whole number from 1"),
        ('[display]\nx = "time"\n', "2: display.x must be one of step, tokens, epoch, relative, wall"),
        ("[keys]\nrun.smooth = 3\n", "2: keys.run.smooth must be a string"),
        ("theme = ''\n", "1: theme must be a string that is not empty"),
    ],
)  # fmt: skip
def test_a_mistake_names_line_key_and_what_would_be_right(tmp_path: Path, text: str, says: str) -> None:
    (told,) = mistakes(tmp_path, text)
    assert told.startswith(says)
    assert "\n" not in told


def test_an_unknown_choice_or_placeholder_comes_with_the_nearest(tmp_path: Path) -> None:
    roles, notify = mistakes(tmp_path, RUN + 'roles.a = "los"\n[notify]\non_alert = ["a", "{mesage}"]\n')
    assert roles.endswith("other, axis; did you mean loss?")
    assert notify.endswith("which stands for nothing; did you mean {message}?")


def test_all_mistakes_are_told_in_the_order_of_their_lines(tmp_path: Path) -> None:
    text = 'x = 1\n[runs.a]\ntarget = 3\nmetrcs = []\n[notify]\nbell = "yes"\n[runs.b]\n[health.cliff]\nshift = 5\n'
    assert [told.split(":")[0] for told in mistakes(tmp_path, text)] == ["1", "3", "4", "6", "7", "9"]


def test_a_file_with_mistakes_is_refused_with_the_first_and_their_number(tmp_path: Path) -> None:
    file = write(tmp_path, "x = 1\ny = 2\n")
    with pytest.raises(ConfigError, match=re.escape(f"{file}:1: unknown key x; ")) as told:
        load_config(file)
    assert str(told.value).endswith("(and 1 more; milepost config --check tells all)")


def test_the_place_of_a_key_can_be_told_later(tmp_path: Path) -> None:
    file = write(tmp_path, RUN + "\nderived.gain = { expr = 'a / b' }\n")
    place = load_config(file).runs["a"].derived["gain"].place
    assert str(place.into("expr")) == f"{file}:4: runs.a.derived.gain.expr"


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


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"a = 1\nb = ?\n", r":2: is no TOML: .*line 2"),
        (b"a = [", r"is no TOML: "),
        (b"a = 1\nb = \xff\n", "is not UTF-8 at byte 10"),
        (b"a = " + b"[" * 50_000, "is no TOML"),
        (b"a = " + b"9" * 5_000, "is no TOML"),
        (b"#" * 1_000_001, "is larger than 1,000,000 bytes"),
    ],
)
def test_what_is_no_toml_is_told_with_its_place(tmp_path: Path, data: bytes, says: str) -> None:
    file = tmp_path / "config.toml"
    file.write_bytes(data)
    with pytest.raises(ConfigError, match=says):
        load_config(file)


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    assert load_config(write(tmp_path, "\ufefftheme = 'dark'\r\n")).theme == "dark"


def test_the_default_file_may_be_missing_but_a_named_one_may_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert default_path() == tmp_path / "milepost" / "config.toml"
    assert load_config().runs == {}
    with pytest.raises(ConfigError, match="can't be read: No such file"):
        load_config(tmp_path / "other.toml")
    with pytest.raises(ConfigError, match="can't be read: Is a directory"):
        load_config(tmp_path)


NAMES = st.sampled_from(
    "runs a target metrics derived reference points expr from health stall pause_s mute keys groups notify on_alert "
    "display smooth theme goal tokens_per_step fleet columns x".split()
)
ANYTHING = st.recursive(
    st.booleans() | st.integers() | st.floats() | st.sampled_from(["", "a", "loss", "{title}", "gpu-box:/x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(NAMES, ANYTHING, max_size=5))
def test_whatever_toml_says_is_read_or_told_with_a_line(
    tmp_path_factory: pytest.TempPathFactory, raw: dict[str, object]
) -> None:
    text = "\n".join(f"{name} = {to_toml(value)}" for name, value in raw.items())
    file = write(tmp_path_factory.mktemp("any"), text)
    for mistake in (*read_config(file).mistakes, *read_local(file).mistakes):
        assert 1 <= mistake.line <= max(len(raw), 1)
        assert "\n" not in str(mistake)


class TestFolder:
    """What `.milepost.toml` says."""

    def load(self, folder: Path, text: str, below: str = "", own: str = "") -> Config:
        write(folder, text, ".milepost.toml")
        (folder / below).mkdir(parents=True, exist_ok=True)
        return load_config(write(folder, own), folder / below)

    def test_it_sets_how_things_look_over_the_users_own(self, tmp_path: Path) -> None:
        own = 'theme = "light"\n[display]\nsmooth = 20\nx = "epoch"\n' + RUN
        config = self.load(tmp_path, '[display]\nx = "tokens"\nmetrics = ["loss"]\n', own=own)
        assert (config.theme, config.display.smooth, config.display.x) == ("light", 20, "tokens")
        assert config.display.metrics == ("loss",)
        assert "a" in config.runs
        assert self.load(tmp_path, 'theme = "mono"\n', own=own).theme == "mono"

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ('theme = "mono"\n[notify]\n\non_alert = ["rm"]\n', "4: notify.on_alert can't be set by a folder's file"),
            ('[runs.a]\n\ntarget = "evil:/x"\n', "3: runs.a.target can't be set by a folder's file"),
            ('groups.a = ["evil:/x"]\n', "1: groups.a can't be set by a folder's file"),
            ('[keys]\nrun.quit = "s"\n', "2: keys.run.quit can't be set by a folder's file"),
            ("[health]\nplateau.mute = true\n", "2: health.plateau.mute can't be set"),
            ("[display]\nsmoth = 1\n", "2: unknown key display.smoth; did you mean smooth?"),
        ],
    )  # fmt: skip
    def test_commands_hosts_and_targets_are_refused(self, tmp_path: Path, text: str, says: str) -> None:
        (told,) = [str(mistake) for mistake in read_local(write(tmp_path, text, ".milepost.toml")).mistakes]
        assert told.removeprefix(f"{tmp_path}/.milepost.toml:").startswith(says)
        with pytest.raises(ConfigError):
            self.load(tmp_path, text)

    def test_it_is_found_upwards_to_the_top_of_a_repository(self, tmp_path: Path) -> None:
        (tmp_path / ".git").mkdir()
        assert self.load(tmp_path, 'theme = "mono"', below="a/b").theme == "mono"

    def test_it_is_found_upwards_to_the_home(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HOME", str(tmp_path))
        assert self.load(tmp_path, 'theme = "mono"', below="a/b").theme == "mono"

    @pytest.mark.skipif(os.sep != "/", reason="paths of POSIX")
    def test_above_a_repository_it_is_not_looked_for(self, tmp_path: Path) -> None:
        (tmp_path / "a" / ".git").mkdir(parents=True)
        assert self.load(tmp_path, 'theme = "mono"', below="a/b").theme is None

    def test_outside_of_both_only_the_folder_itself_counts(self, tmp_path: Path) -> None:
        assert self.load(tmp_path, 'theme = "mono"', below="a").theme is None
        assert self.load(tmp_path, 'theme = "mono"').theme == "mono"
