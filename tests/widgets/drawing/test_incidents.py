"""The list of all alerts."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.widgets.drawing.test_alerts import CLIFF, PLATEAU
from tests.widgets.drawing.text import assert_exact, assert_fits, styles_of, text_of
from widgets.drawing.alerts import Alert
from widgets.drawing.incidents import (
    ListView,
    alert_at,
    choose_alerts,
    draw_alerts,
    in_sight,
    scrolled_to,
    selected,
)

CLEARED = replace(PLATEAU, number=4, is_firing=False, cleared_step=20_000.0)
ALERTS = (CLIFF, PLATEAU, CLEARED)


def test_the_list_has_message_steps_and_evidence_of_the_first() -> None:
    text = text_of(draw_alerts((PLATEAU, CLIFF), 80, 30))
    assert "2 firing, 0 cleared" in text
    assert "▸ ▲ warning  plateau of accuracy" in text
    assert "began about step 16,020, raised at 17,650, follows from #1" in text
    assert "slope" in text
    assert "−0.001" in text


def test_another_alert_is_unfolded_when_it_is_chosen() -> None:
    text = text_of(draw_alerts(ALERTS, 80, 30, ListView(CLIFF.number)))
    assert "▸ ✖ critical  loss cliff of accuracy" in text
    assert "slope" not in text
    assert "slope" in text_of(draw_alerts(ALERTS, 80, 30, ListView(PLATEAU.number)))


def test_what_the_detector_sees_now_stands_under_the_evidence() -> None:
    seen = replace(PLATEAU, now=(("slope", "−0.002"),))
    assert text_of(draw_alerts((seen,), 80, 30)).split("\n")[-2].strip() == "seen now"
    unarmed = replace(PLATEAU, unarmed="too few entries since the restart")
    assert "not armed now: too few entries since the restart" in text_of(draw_alerts((unarmed,), 80, 30))


def test_a_cleared_alert_is_dim_and_says_where() -> None:
    lines = draw_alerts(ALERTS, 80, 30)
    assert "cleared at 20,000" in text_of(lines)
    assert styles_of(lines[-1:], "accuracy flat") == {"dim"}


def test_an_acknowledged_alert_says_so_and_is_calm() -> None:
    lines = draw_alerts((CLIFF, replace(PLATEAU, is_acknowledged=True)), 80, 30)
    assert "1 acknowledged" in text_of(lines[:1])
    assert styles_of(lines[1:], "acknowledged") == {"dim"}
    assert styles_of(lines, "accuracy flat") == {"dim"}


def test_no_alert_says_so() -> None:
    assert "no alert so far" in text_of(draw_alerts((), 80, 10))


def test_a_filter_leaves_out_the_others_and_says_so() -> None:
    view = ListView(level="critical")
    assert choose_alerts(ALERTS, view) == (CLIFF,)
    assert "only critical" in text_of(draw_alerts(ALERTS, 80, 20, view))
    assert choose_alerts(ALERTS, ListView(kind="plateau")) == (PLATEAU, CLEARED)
    assert "none of these" in text_of(draw_alerts(ALERTS, 80, 20, ListView(level="info")))


def test_moving_down_goes_through_all_alerts_and_stops_at_the_last() -> None:
    view = ListView()
    seen = []
    for _ in range(12):
        view = scrolled_to(ALERTS, view, 30, 11, 1)
        chosen = selected(ALERTS, view)
        assert chosen is not None
        seen.append(chosen.number)
    assert list(dict.fromkeys(seen)) in ([PLATEAU.number, CLEARED.number], [3, 2, 4])
    assert seen[-1] == CLEARED.number


def test_an_alert_longer_than_the_room_is_read_to_its_end_before_the_next() -> None:
    view = in_sight(ALERTS, ListView(PLATEAU.number), 26, 6)
    heads = []
    while (chosen := selected(ALERTS, view)) is PLATEAU:
        heads.append(text_of(draw_alerts(ALERTS, 26, 6, view)))
        view = scrolled_to(ALERTS, view, 26, 6, 1)
    assert chosen is CLEARED
    assert any("−0.001" in text for text in heads)


def test_an_alert_is_found_where_it_is_drawn() -> None:
    rows = text_of(draw_alerts(ALERTS, 80, 30)).split("\n")
    row = next(index for index, text in enumerate(rows) if "#2" in text)
    assert alert_at(ALERTS, ListView(), 80, 30, row) is PLATEAU
    assert alert_at(ALERTS, ListView(), 80, 30, 0) is None
    assert alert_at(ALERTS, ListView(), 80, 30, 29) is None


TEXTS = st.text(max_size=120)
SOME = st.lists(
    st.builds(
        Alert,
        st.integers(1, 5),
        st.sampled_from(["info", "warning", "critical"]),
        st.text(max_size=20),
        st.text(max_size=20),
        TEXTS,
        st.floats(),
        st.floats(),
        st.none() | st.floats(),
        st.booleans(),
        st.lists(st.tuples(TEXTS, TEXTS), max_size=4).map(tuple),
        st.none() | st.integers(1, 5),
        metrics=st.lists(TEXTS, max_size=3).map(tuple),
        now=st.lists(st.tuples(TEXTS, TEXTS), max_size=2).map(tuple),
        unarmed=TEXTS,
    ),
    max_size=5,
).map(tuple)


@given(SOME, st.integers(1, 300), st.integers(1, 300), st.integers(0, 6), st.integers(0, 50))
def test_no_list_and_no_size_break_it(
    alerts: tuple[Alert, ...], width: int, height: int, number: int, top: int
) -> None:
    view = ListView(number, top)
    lines = draw_alerts(alerts, width, height, view)
    assert_fits(lines, width, height)
    assert_exact(lines, width)
    draw_alerts(alerts, width, height, scrolled_to(alerts, view, width, height, 1))
    alert_at(alerts, view, width, height, 3)
