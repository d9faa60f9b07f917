"""The banner and the list of alerts."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.widgets.drawing.text import assert_fits, styles_of, text_of
from widgets.drawing.alerts import Alert, Banner, banner_rows, draw_alerts, draw_banner

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
    assert text.endswith("a tells why")


def test_the_worst_is_shown_with_how_many_there_are() -> None:
    text = text_of(draw_banner(Banner((CLIFF, PLATEAU)), 100, 3))
    assert text.startswith(" ✖ CRITICAL  loss cliff  loss 0.91 → 1.63")
    assert text.endswith("1 of 2 · a lists them")


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


def test_the_list_has_message_steps_and_evidence() -> None:
    text = text_of(draw_alerts((PLATEAU,), 80))
    assert "1 firing, 0 cleared" in text
    assert "began about step 16,020, raised at 17,650, follows from #1" in text
    assert "slope" in text
    assert "−0.001" in text


def test_a_cleared_alert_is_dim_and_says_where() -> None:
    lines = draw_alerts((replace(PLATEAU, is_firing=False, cleared_step=20000.0),), 80)
    assert "cleared at 20,000" in text_of(lines)
    assert styles_of(lines, "accuracy flat") == {"dim"}


def test_no_alert_says_so() -> None:
    assert text_of(draw_alerts((), 80)) == "no alert so far"


@given(st.text(max_size=200), st.text(max_size=30), st.integers(4, 160), st.integers(1, 5))
def test_no_message_is_wider_than_the_screen(message: str, kind: str, width: int, rows: int) -> None:
    alert = replace(PLATEAU, message=message, kind=kind)
    assert_fits(draw_banner(Banner((alert, alert)), width, rows), width, rows)
    assert_fits(draw_alerts((alert,), max(width, 24)), max(width, 24), 1000)
