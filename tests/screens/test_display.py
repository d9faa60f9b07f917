"""What is chosen about a run's display, kept and read again."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tui.screens.display import AXES, Display

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
NAMES = list(Display.__struct_fields__)


def test_nothing_is_kept_of_what_was_never_chosen() -> None:
    assert Display().to_json() == {}
    assert Display.from_json({}) == Display()


def test_all_that_was_chosen_comes_back_through_json() -> None:
    chosen = Display(
        span=20,
        x="tokens",
        log_x=True,
        log_y=True,
        window=(1e12, 2.5e12),
        is_following=True,
        cursor=1.5e12,
        focus="loss",
        page=2,
        pinned=("acc", "loss"),
        hidden=("lr",),
        pattern="dd*",
        shows_log=False,
        shows_superseded=True,
        shows_reference=False,
        shows_changes=True,
        shows_differences=True,
        sort=("loss", True),
        splits={"curves": 0.4},
    )
    assert Display.from_json(json.loads(json.dumps(chosen.to_json()))) == chosen


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("x", "furlongs"),
        ("span", -1),
        ("span", True),
        ("window", [5, 5]),
        ("window", [1]),
        ("window", [1, float("nan")]),
        ("cursor", "here"),
        ("pinned", "loss"),
        ("hidden", [1]),
        ("sort", ["loss"]),
        ("splits", [0.5]),
        ("colour", "red"),
    ],
)
def test_a_value_that_cannot_be_is_left_at_its_default(key: str, value: object) -> None:
    assert Display.from_json({key: value, "log_y": True}) == Display(log_y=True)


def test_a_split_outside_of_the_screen_is_forgotten_and_the_others_are_kept() -> None:
    assert Display.from_json({"splits": {"a": 1.5, "b": 0.3}}).splits == {"b": 0.3}


@given(st.dictionaries(st.sampled_from(NAMES) | st.text(), json_values) | json_values)
def test_whatever_stands_in_the_file_gives_a_display(data: object) -> None:
    display = Display.from_json(data)
    assert display.x in AXES
    assert Display.from_json(display.to_json()) == display


def test_an_action_leaves_the_rest_as_it_was() -> None:
    assert replace(Display(span=20), log_y=True) == Display(span=20, log_y=True)
