"""The configuration in full is TOML that says the same."""

import datetime
import re
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.config.test_loading import FULL
from tests.config.writing import write
from tui.config import Config, load_config
from tui.config.loading import read_config
from tui.config.showing import show_config, to_toml

ACTIONS = [("run.smooth", "s", "smooth the curves"), ("run.log", "l", "the log")]


def test_what_is_set_is_shown_and_reads_the_same(tmp_path: Path) -> None:
    first = read_config(write(tmp_path, FULL))
    shown = show_config(first.raw, ACTIONS)
    again = load_config(write(tmp_path, shown))
    for part in ("runs", "theme", "display", "notify", "fleet", "groups", "keys"):
        assert getattr(again, part) == getattr(first.config, part), part
    assert not any(again.health.mute.values())


def test_without_a_file_it_is_the_defaults(tmp_path: Path) -> None:
    shown = load_config(write(tmp_path, show_config({}, ACTIONS)))
    assert (shown.display, shown.notify, shown.fleet) == (Config().display, Config().notify, Config().fleet)
    assert {name: binding.keys for name, binding in shown.keys.items()} == {"run.smooth": "s", "run.log": "l"}


def test_every_example_is_right_too(tmp_path: Path) -> None:
    """Set all at once they contradict each other, and nothing else is wrong."""
    shown = re.sub(r"^#(?! )", "", show_config({}, ACTIONS), flags=re.MULTILINE)
    told = [mistake.message for mistake in read_config(write(tmp_path, shown)).mistakes]
    assert told == [
        "runs.NAME.derived.METRIC.expr stands alone; leave out from, points and average",
        "runs.NAME.reference.OTHER.target can't stand beside points of METRIC; make them two references",
    ]


def test_every_key_has_a_sentence() -> None:
    lines = show_config({}, ACTIONS).splitlines()
    for above, line in pairwise(lines):
        if re.match(r"#?[\w.]+ = ", line) and ".mute" not in line and "NAME" not in line:
            assert re.match(r"# \S.*", above), line


VALUES = st.recursive(
    st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_any_value_survives_being_written(value: object) -> None:
    assert tomllib.loads(f"a = {to_toml(value)}")["a"] == value


@pytest.mark.parametrize("value", [datetime.date(2026, 1, 2), datetime.datetime(2026, 1, 2, 3, 4, 5)])
def test_dates_survive_too(value: object) -> None:
    assert tomllib.loads(f"a = {to_toml(value)}")["a"] == value
