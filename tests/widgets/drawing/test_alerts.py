"""The banner of the alerts that hold now."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.widgets.drawing.text import assert_exact, assert_fits, text_of
from widgets.drawing.alerts import Alert, Banner, banner_rows, draw_banner

PLATEAU = Alert(
    number=2,
    level="warning",
    kind="plateau",
    metric="accuracy",
    message="accuracy flat since step 16,020: −0.004 [−0.007, −0.001], the pace before gives +0.017",
    onset_step=16020.0,
    raised_step=17650.0,
    evidence=(("slope", "−0.001"), ("threshold", "0.007")),
    cause=1,
)
CLIFF = replace(
    PLATEAU, number=3, level="critical", kind="loss_cliff", message="loss 0.91 → 1.63", evidence=()
)


def test_nothing_wrong_takes_no_row() -> None:
    assert banner_rows(Banner(), 80, 3) == 0
    assert draw_banner(Banner(), 80, 3) == []


def test_a_banner_says_level_kind_and_message_in_one_row() -> None:
    text = text_of(draw_banner(Banner((PLATEAU,)), 140, 3))
    assert text.startswith(" ▲ WARNING  plateau  accuracy flat since step 16,020: −0.004 [−0.007, −0.001]")
    assert text.endswith("a tells why · A calms it")


def test_the_worst_is_shown_with_how_many_there_are() -> None:
    text = text_of(draw_banner(Banner((CLIFF, PLATEAU)), 100, 3))
    assert text.startswith(" ✖ CRITICAL  loss cliff  loss 0.91 → 1.63")
    assert text.endswith("1 of 2 · a lists them · A calms it")


def test_the_keys_are_named_as_they_are_now() -> None:
    remapped = Banner((CLIFF, PLATEAU), keys=("F4", "Ctrl+K"))
    assert text_of(draw_banner(remapped, 110, 3)).endswith("1 of 2 · F4 lists them · Ctrl+K calms it")


def test_the_whole_width_carries_the_colour() -> None:
    lines = draw_banner(Banner((CLIFF,)), 100, 3)
    assert {style for line in lines for _, style in line} == {"critical-bar"}
    assert len(text_of([[(text.replace(" ", "x"), style) for text, style in line] for line in lines])) == 100


def test_a_flash_is_in_another_style() -> None:
    lines = draw_banner(Banner((CLIFF,)), 100, 3, is_flashing=True)
    assert {style for line in lines for _, style in line} == {"critical-flash"}


def test_a_long_message_goes_on_in_the_next_row() -> None:
    lines = draw_banner(Banner((PLATEAU,)), 60, 4)
    joined = " ".join(text_of(lines).split())
    assert PLATEAU.message in joined
    assert banner_rows(Banner((PLATEAU,)), 60, 4) == len(lines) == 3


def test_a_narrow_banner_has_the_message_under_the_level() -> None:
    rows = text_of(draw_banner(Banner((PLATEAU, CLIFF)), 36, 6)).split("\n")
    assert rows[0].split() == ["▲", "WARNING", "plateau", "1", "of", "2"]
    assert rows[1].startswith(" accuracy flat since step 16,020:")


def test_acknowledged_alerts_are_calm_and_counted() -> None:
    seen = replace(CLIFF, is_acknowledged=True)
    lines = draw_banner(Banner((PLATEAU,), acknowledged=(seen,)), 160, 3)
    assert "1 acknowledged · a tells why · A calms it" in text_of(lines)
    calm = draw_banner(Banner((), acknowledged=(seen, PLATEAU)), 100, 3)
    assert text_of(calm).startswith(" ✖ 2 acknowledged: loss cliff of accuracy, plateau of accuracy")
    assert text_of(calm).endswith("A shows them again")
    assert not {style for line in calm for _, style in line if style.endswith("-bar")}


@given(st.text(max_size=200), st.text(max_size=30), st.integers(1, 300), st.integers(1, 300), st.booleans())
def test_no_message_breaks_the_banner_at_any_size(
    message: str, kind: str, width: int, rows: int, is_calm: bool
) -> None:
    alert = replace(PLATEAU, message=message, kind=kind)
    banner = Banner((), 0, (alert, alert)) if is_calm else Banner((alert, alert), 0, (alert,))
    lines = draw_banner(banner, width, rows)
    assert_fits(lines, width, rows)
    assert_exact(lines, width)
