"""The milestone table."""

import math

from hypothesis import given
from hypothesis import strategies as st

from tests.widgets.drawing.text import assert_fits, styles_of, text_of
from widgets.drawing.table import Column, Row, Scroll, Table, draw_table, scrolled, split_header, table_lines

COLUMNS = (Column("loss", -1), Column("accuracy", 1), Column("grad_norm"), Column("lr"))
ROWS = (
    Row(100.0, 100.0, {"loss": 2.0, "accuracy": 0.05, "grad_norm": 0.371, "lr": 2.2e-5}),
    Row(500.0, 499.0, {"loss": 1.464, "accuracy": 0.12, "lr": 1e-4}, {"loss": -1.343, "accuracy": 0.1754}),
    Row(1000.0, 1000.0, {"loss": math.nan, "accuracy": 0.11, "lr": 2e-4}, {"accuracy": -0.02}),
    Row(2000.0, 1990.0, {"loss": 0.931, "accuracy": 0.2, "lr": 4e-4}, {"loss": -0.54}, is_dim=True),
    Row(5000.0, None, is_reached=False),
)
TABLE = Table(COLUMNS, ROWS, {"loss": 0.95, "accuracy": 0.19, "grad_norm": 0.06, "lr": 4e-4}, 50)


def drawn(cells: int = 70, rows: int = 12, **more: object) -> list[list[tuple[str, str]]]:
    return draw_table(TABLE, cells, rows, **more)  # type: ignore[arg-type]


def test_numbers_stand_under_each_other_at_the_right_of_their_column() -> None:
    rows = text_of(drawn()).split("\n")
    ends = {
        rows[index].index(number) + len(number)
        for index, number in ((3, "2.000"), (4, "1.464"), (6, "0.931"))
    }
    assert len(ends) == 1


def test_the_real_step_stands_beside_the_milestone_where_it_differs() -> None:
    rows = text_of(drawn()).split("\n")
    assert rows[3].split()[0] == "100"
    assert rows[4].split()[:2] == ["500", "·499"]


def test_a_missing_field_is_a_dash_and_never_a_zero() -> None:
    assert text_of(drawn()).split("\n")[4].split()[4] == "—"


def test_nan_is_shown_as_nan() -> None:
    assert text_of(drawn()).split("\n")[5].split()[1] == "NaN"
    assert styles_of(drawn(), "NaN") == {"critical"}


def test_a_row_that_is_nearer_to_another_milestone_is_dim() -> None:
    assert styles_of(drawn()[6:7], "0.931") == {"faint"}


def test_a_milestone_ahead_is_due() -> None:
    assert text_of(drawn()).split("\n")[7].split() == ["5,000", "due"]


def test_under_the_table_stand_the_last_change_and_the_recent_means() -> None:
    change, recent = text_of(drawn()).split("\n")[8:10]
    assert change.split()[:4] == ["per", "1,000", "−0.540▴", "—"]
    assert recent.split() == ["last", "50", "0.950", "0.1900", "0.0600", "4.0e-4"]


def test_changes_say_better_or_worse_by_sign_mark_and_colour() -> None:
    lines = drawn(shows_changes=True)
    text = text_of(lines)
    assert text.startswith("per 1,000 steps")
    assert "−1.343▴" in text
    assert "+0.175▴" in text
    assert "−0.0200▾" in text or "−0.020▾" in text
    assert "better" in styles_of(lines, "▴")
    assert "worse" in styles_of(lines, "▾")


def test_names_of_several_words_stand_over_two_lines() -> None:
    assert split_header("ddtree_streak8") == ("ddtree", "streak8")
    assert split_header("train/grad_norm") == ("train", "grad norm")
    assert split_header("tok_per_sec") == ("tok", "per sec")
    assert split_header("accuracy") == ("accuracy",)


def test_a_small_room_keeps_the_newest_milestones() -> None:
    rows = text_of(drawn(rows=5)).split("\n")
    assert [row.split()[0] for row in rows[2:]] == ["1,000", "2,000", "last"]


def test_what_is_out_of_sight_is_said() -> None:
    assert "→ 2" in text_of(drawn(cells=34)[:1])
    assert "↑ 2" in text_of(drawn(rows=5)[:1])


def test_scrolling_right_shows_the_other_columns() -> None:
    scroll = scrolled(TABLE, 34, 12, Scroll(), 1, 0)
    assert "← 1" in text_of(draw_table(TABLE, 34, 12, scroll)[:1])
    assert text_of(draw_table(TABLE, 34, 12, scroll)).split("\n")[2].split()[1] == "accuracy"


def test_scrolling_stops_at_both_ends() -> None:
    assert scrolled(TABLE, 200, 20, Scroll(), 5, 0) == Scroll()
    assert scrolled(TABLE, 70, 6, Scroll(), 0, -1000).back <= len(ROWS)
    far = scrolled(TABLE, 70, 6, Scroll(), 0, -1000)
    assert text_of(draw_table(TABLE, 70, 6, far)).split("\n")[2].split()[0] == "100"
    assert scrolled(TABLE, 70, 6, far, 0, 1000) == Scroll()


def test_no_entry_says_so() -> None:
    assert "no entry yet" in text_of(draw_table(Table(), 40, 6))


def test_a_name_with_an_escape_in_it_is_harmless() -> None:
    table = Table((Column("a\x1b[2J"),), (Row(1.0, 1.0, {"a\x1b[2J": 2.0}),))
    assert "\x1b" not in text_of(draw_table(table, 40, 8))


def test_the_plain_text_has_every_row_and_column() -> None:
    text = "\n".join(table_lines(TABLE))
    assert all(word in text for word in ("loss", "accuracy", "norm", "lr", "·499", "5,000", "last 50"))
    assert "…" not in text


VALUES = st.dictionaries(st.sampled_from(["loss", "accuracy", "grad_norm"]), st.floats(allow_nan=True))


@given(
    st.lists(
        st.builds(Row, st.floats(0, 1e9), st.none() | st.floats(0, 1e9), VALUES, VALUES, st.booleans()),
        max_size=9,
    ),
    st.integers(1, 120),
    st.integers(1, 15),
    st.integers(0, 5),
    st.integers(0, 9),
    st.booleans(),
)
def test_no_table_and_no_size_break_it(
    rows: list[Row], cells: int, height: int, column: int, back: int, shows_changes: bool
) -> None:
    table = Table(COLUMNS, tuple(rows), {"loss": 1.0}, 50)
    lines = draw_table(table, cells, height, Scroll(column, back), shows_changes=shows_changes)
    assert_fits(lines, cells, height)
    scrolled(table, cells, height, Scroll(column, back), 1, -1)
