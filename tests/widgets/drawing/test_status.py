"""The status."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.widgets.drawing.text import assert_exact, assert_fits, styles_of, text_of
from widgets.drawing.status import Status, draw_status, status_rows

STATUS = Status(
    name="v3-kpro6",
    place="gpu-box ▸ pct/200",
    verdict="healthy",
    link="live",
    age_s=4.0,
    next_s=2.0,
    step=21784.0,
    steps_per_s=0.164,
    tokens_per_s=26011.0,
    byte_age_s=2.0,
)


def test_a_wide_status_says_everything_in_one_row() -> None:
    text = text_of(draw_status(STATUS, 160))
    assert " ".join(text.split()) == (
        "✓ healthy v3-kpro6 gpu-box ▸ pct/200 ● live · last byte 2 s ago · last entry 4 s ago · next in 2 s "
        "step 21,784 · 0.164 steps/s · 26.0k tok/s"
    )


def test_what_matters_least_goes_first() -> None:
    text = text_of(draw_status(replace(STATUS, fraction=0.6, eta_s=273_600.0), 100))
    assert "✓ healthy  v3-kpro6" in text
    assert "● live · byte  2 s · entry  4 s · next  2 s" in text
    assert "step 21,784 · 60% · ETA 3 d 4 h" in text
    assert "tok/s" not in text


@pytest.mark.parametrize("width", [60, 80, 100, 120, 160, 300])
def test_link_last_byte_last_entry_and_the_next_are_four_facts(width: int) -> None:
    text = text_of(draw_status(replace(STATUS, byte_age_s=3.0, age_s=200.0, next_s=50.0), width))
    assert "● live" in text
    assert "byte 3 s" in text.replace("  ", " ")
    assert "entry 3 min" in text
    assert "50 s" in text


@pytest.mark.parametrize("width", [30, 44, 80, 120, 200])
def test_nothing_moves_when_an_age_comes_to_have_two_digits(width: int) -> None:
    young, old = (text_of(draw_status(replace(STATUS, age_s=age), width)) for age in (9.0, 10.0))
    words = [word for word in ("healthy", "●", "byte", "entry", "next", "step 21,784", "/s") if word in young]
    assert [young.index(word) for word in words] == [old.index(word) for word in words]


def test_a_narrow_status_takes_two_rows() -> None:
    assert text_of(draw_status(STATUS, 30)) == (
        "✓ healthy  v3-kpro6     ●  4 s\nstep 21,784          next  2 s"
    )
    assert text_of(draw_status(STATUS, 44)) == (
        "✓ healthy  v3-kpro6              ● live  4 s\nstep 21,784  next  2 s  0.164/s  26.0k tok/s"
    )
    assert status_rows(99) == 2
    assert status_rows(100) == 1


def test_a_pane_of_44_columns_has_the_share_and_the_time_that_is_left() -> None:
    text = text_of(draw_status(replace(STATUS, fraction=0.6, eta_s=273_600.0), 44))
    assert "60%  ETA 3 d 4 h" in text


@pytest.mark.parametrize("width", [30, 40, 60, 80, 120, 200])
@pytest.mark.parametrize("verdict", ["healthy", "warning", "critical", "unknown"])
def test_the_verdict_stands_there_as_a_word_at_every_width(width: int, verdict: str) -> None:
    assert verdict in text_of(draw_status(replace(STATUS, verdict=verdict), width))


def test_silence_is_not_shown_as_health() -> None:
    lines = draw_status(replace(STATUS, age_s=600.0, next_s=-594.0, is_late=True), 120)
    assert "entry 10 min ago · 9 min late" in text_of(lines)
    assert styles_of(lines, "10 min ago") == {"warning"}


def test_a_lost_link_is_a_glyph_a_word_and_a_colour() -> None:
    lines = draw_status(replace(STATUS, link="retrying", next_s=None), 120)
    assert "↻ retrying" in text_of(lines)
    assert styles_of(lines, "retrying") == {"warning"}


LOST = replace(
    STATUS,
    verdict="unknown",
    last_verdict="healthy",
    link="retrying",
    age_s=240.0,
    byte_age_s=240.0,
    next_s=None,
)


@pytest.mark.parametrize(
    ("width", "told"),
    [
        (24, "step 21,784  was healthy"),
        (40, "healthy 4 min ago"),
        (100, "? unknown  (was healthy)  v3-kpro6"),
        (140, "? unknown  (healthy 4 min ago)  v3-kpro6"),
        (200, "? unknown  (healthy at step 21,784, 4 min ago)  v3-kpro6"),
    ],
)
def test_a_verdict_that_nobody_can_tell_now_says_what_it_was(width: int, told: str) -> None:
    lines = draw_status(LOST, width)
    assert told in text_of(lines)
    assert "✓" not in text_of(lines)
    assert "good" not in styles_of(lines, "healthy")


def test_malformed_lines_are_counted() -> None:
    assert "12 malformed" in text_of(draw_status(replace(STATUS, malformed=12), 100))
    assert "12 malformed" in text_of(draw_status(replace(STATUS, malformed=12), 40))


def test_a_log_that_is_still_being_read_says_how_far() -> None:
    assert "reading 42%" in text_of(draw_status(replace(STATUS, loaded=0.42), 100))
    assert "42%" in text_of(draw_status(replace(STATUS, loaded=0.42), 40))


def test_an_axis_of_another_name_is_named() -> None:
    assert "epoch 1.88" in text_of(draw_status(replace(STATUS, axis="epoch", step=1.875), 100))


def test_a_name_cannot_speak_to_the_terminal() -> None:
    assert "\x1b" not in text_of(draw_status(replace(STATUS, name="a\x1b]0;b\x07"), 100))


SECONDS = st.none() | st.floats()
STATUSES = st.builds(
    Status,
    st.text(max_size=50),
    st.text(max_size=50),
    st.sampled_from(["healthy", "critical", "reading", "unknown"]),
    st.sampled_from(["live", "retrying", "ended", "?"]),
    SECONDS,
    SECONDS,
    st.booleans(),
    st.none() | st.floats(),
    loaded=st.none() | st.floats(0, 1),
    fraction=st.none() | st.floats(0, 1),
    eta_s=SECONDS,
    byte_age_s=SECONDS,
    last_verdict=st.none() | st.just("healthy"),
)


@given(STATUSES, st.integers(1, 300))
def test_no_status_is_wider_than_the_screen(status: Status, width: int) -> None:
    lines = draw_status(status, width)
    assert_fits(lines, width, 2)
    assert_exact(lines, width)
