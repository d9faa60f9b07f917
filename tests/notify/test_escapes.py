"""The sequences that a terminal is sent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.notify.escapes import choose_dialect, desktop_sequence, pass_through


def test_osc_9_has_one_text_and_osc_777_a_title_and_a_text() -> None:
    assert desktop_sequence("run: warning", "loss", "osc9") == "\x1b]9;run: warning: loss\a"
    assert desktop_sequence("run: warning", "loss", "osc777") == "\x1b]777;notify;run: warning;loss\a"


@given(st.text(), st.text())
def test_no_text_can_end_a_sequence_or_begin_a_field(title: str, message: str) -> None:
    sequence = desktop_sequence(title, message, "osc777")
    assert sequence.startswith("\x1b]777;notify;")
    assert sequence.endswith("\a")
    inner = sequence[2:-1]
    assert inner.count(";") == 3
    assert inner.isprintable()
    assert b"\x9c" not in sequence.encode()
    assert len(inner) < 450


def test_a_sequence_passes_through_tmux_with_escapes_doubled_and_through_screen_as_it_is() -> None:
    assert pass_through("\x1b]9;x\a", {"TMUX": "/tmp/t,1,0"}) == "\x1bPtmux;\x1b\x1b]9;x\a\x1b\\"
    assert pass_through("\x1b]9;x\a", {"STY": "1.pts"}) == "\x1bP\x1b]9;x\a\x1b\\"
    assert pass_through("\x1b]9;x\a", {}) == "\x1b]9;x\a"


@pytest.mark.parametrize(
    ("environ", "dialect"),
    [
        ({"TERM": "xterm-256color"}, "osc9"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, "osc9"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, "osc777"),
        ({"TERM": "xterm-256color", "VTE_VERSION": "7600"}, "osc777"),
        ({"TERM": "foot"}, "osc777"),
        ({"TERM": "linux"}, None),
        ({}, None),
    ],
)
def test_the_dialect_is_told_by_the_environment(environ: dict[str, str], dialect: str | None) -> None:
    assert choose_dialect(environ) == dialect
