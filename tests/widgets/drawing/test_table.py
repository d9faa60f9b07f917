"""The milestone table."""

import math

from hypothesis import given
from hypothesis import strategies as st

from tests.widgets.drawing.text import assert_exact, assert_fits, styles_of, text_of
from widgets.drawing.plain import table_markdown, table_text
from widgets.drawing.rows import STEP, sort_table
from widgets.drawing.table import (
    Column,
    Order,
    Row,
    Scroll,
    Table,
    TableView,
    draw_table,
    header_at,
    scrolled,
    split_header,
)

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
    lines = drawn(view=TableView("change"))
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
    view = TableView(scroll=scrolled(TABLE, (34, 12), Scroll(), 1, 0))
    assert "← 1" in text_of(draw_table(TABLE, 34, 12, view)[:1])
    assert text_of(draw_table(TABLE, 34, 12, view)).split("\n")[2].split()[1] == "accuracy"


def test_scrolling_stops_at_both_ends() -> None:
    assert scrolled(TABLE, (200, 20), Scroll(), 5, 0) == Scroll()
    far = scrolled(TABLE, (70, 6), Scroll(), 0, -1000)
    assert text_of(draw_table(TABLE, 70, 6, TableView(scroll=far))).split("\n")[2].split()[0] == "100"
    assert scrolled(TABLE, (70, 6), far, 0, 1000).row == len(ROWS) - 3


def test_a_table_that_is_scrolled_up_stays_where_it_is_when_a_milestone_comes() -> None:
    view = TableView(scroll=scrolled(TABLE, (70, 6), Scroll(), 0, -1))
    more = Table(COLUMNS, (*ROWS[:4], Row(5000.0, 5000.0, {"loss": 0.9})), TABLE.recent, 50)
    before = text_of(draw_table(TABLE, 70, 6, view)).split("\n")[2:5]
    assert text_of(draw_table(more, 70, 6, view)).split("\n")[2:5] == before


def test_sorting_by_a_metric_puts_what_lacks_it_last_and_what_is_due_after_that() -> None:
    ordered = sort_table(TABLE, Order("loss"))
    assert [row.milestone for row in ordered.rows] == [2000.0, 500.0, 100.0, 1000.0, 5000.0]
    ordered = sort_table(TABLE, Order("loss", is_descending=True))
    assert [row.milestone for row in ordered.rows] == [100.0, 500.0, 2000.0, 1000.0, 5000.0]


def test_changes_are_sorted_as_they_are_shown() -> None:
    ordered = sort_table(TABLE, Order("loss"), "change")
    assert [row.milestone for row in ordered.rows][:2] == [500.0, 2000.0]


def test_the_sort_is_shown_in_the_title_and_over_its_column() -> None:
    lines = drawn(view=TableView(order=Order("loss", is_descending=True)))
    assert text_of(lines[:1]).startswith("milestones  by loss ↓ ─")
    assert "loss↓" in text_of(lines[2:3])
    assert styles_of(lines[2:3], "loss") == {"accent"}
    assert text_of(lines).split("\n")[3].split()[0] == "100"


def test_a_header_is_found_where_it_is_drawn() -> None:
    header = text_of(drawn()).split("\n")[2]
    view = TableView()
    assert header_at(TABLE, (70, 12), view, header.index("accuracy"), 2) == "accuracy"
    assert header_at(TABLE, (70, 12), view, header.index("lr"), 1) == "lr"
    assert header_at(TABLE, (70, 12), view, 2, 2) == STEP
    assert header_at(TABLE, (70, 12), view, header.index("lr"), 3) is None
    assert header_at(TABLE, (70, 12), view, 69, 2) is None


def test_a_value_says_whether_it_is_better_than_at_the_milestone_before() -> None:
    lines = drawn()
    rows = text_of(lines).split("\n")
    assert "1.464▴" in rows[4]
    assert "0.1100▾" in rows[5]
    assert styles_of(lines[4:5], "▴") == {"better"}
    assert styles_of(lines[5:6], "▾") == {"worse"}
    assert "▴" not in rows[3]


def test_a_milestone_ahead_says_when_it_is_due() -> None:
    ahead = Row(5000.0, None, is_reached=False, due_s=12_000.0)
    table = Table(COLUMNS, (*ROWS[:4], ahead), TABLE.recent, 50)
    assert "5,000" in text_of(draw_table(table, 70, 12)).split("\n")[7]
    assert text_of(draw_table(table, 70, 12)).split("\n")[7].endswith("due in 3 h 20 min")


def test_where_nothing_is_to_be_expected_a_milestone_ahead_was_not_reached() -> None:
    table = Table(COLUMNS, (*ROWS[:4], Row(5000.0, None, is_reached=False)), TABLE.recent, 50, is_over=True)
    assert text_of(draw_table(table, 70, 12)).split("\n")[7].split() == ["5,000", "not", "reached"]
    assert table_text(table, TableView()).split("\n")[-2] == "5,000 not reached"


def test_a_milestone_with_a_checkpoint_is_marked() -> None:
    table = Table(COLUMNS, (ROWS[0], Row(500.0, 499.0, {"loss": 1.4}, has_checkpoint=True)), {}, 50)
    rows = text_of(draw_table(table, 70, 12)).split("\n")
    assert rows[3].split()[0] == "100"
    assert rows[4].split()[:2] == ["500◆", "·499"]


def test_the_difference_to_the_reference_has_its_sign_and_its_mark() -> None:
    row = Row(100.0, 100.0, {"loss": 2.0, "accuracy": 0.1}, differences={"loss": 0.5, "accuracy": 0.05})
    text = text_of(draw_table(Table(COLUMNS, (row,), reference="paper"), 70, 12, TableView("difference")))
    assert text.startswith("difference to paper ─")
    assert text.split("\n")[3].split() == ["100", "+0.50▾", "+0.050▴", "—", "—"]


def test_what_the_values_hide_is_marked() -> None:
    row = Row(500.0, 500.0, {"loss": 1.4}, {"loss": -1.0}, hidden=frozenset({"loss"}))
    lines = draw_table(Table(COLUMNS, (ROWS[0], row)), 70, 12)
    assert "1.40!" in text_of(lines)
    assert styles_of(lines[4:5], "!") == {"info"}


def test_without_a_reference_the_differences_say_so() -> None:
    assert "no reference" in text_of(drawn(view=TableView("difference"))[:1])


def test_no_entry_says_so() -> None:
    assert "no entry yet" in text_of(draw_table(Table(), 40, 6))


def test_a_name_with_an_escape_in_it_is_harmless() -> None:
    table = Table((Column("a\x1b[2J"),), (Row(1.0, 1.0, {"a\x1b[2J": 2.0}),))
    assert "\x1b" not in text_of(draw_table(table, 40, 8))


def test_what_is_copied_has_every_row_and_column() -> None:
    text = table_text(TABLE, TableView())
    lines = text.split("\n")
    assert lines[0].split() == ["step", "loss", "accuracy", "grad_norm", "lr"]
    assert lines[2].split() == ["500", "(499)", "1.464", "0.1200", "—", "1.0e-4"]
    assert lines[-2] == "5,000 due"
    assert lines[-1].split()[:3] == ["last", "50", "0.950"]
    assert "…" not in text


def test_markdown_has_a_rule_and_escapes_what_would_break_a_cell() -> None:
    table = Table((Column("a|b"),), (Row(1.0, 1.0, {"a|b": 2.0}),), {"a|b": 2.0}, 1)
    lines = table_markdown(table, TableView()).split("\n")
    assert lines == ["| step | a\\|b |", "| ---: | ---: |", "| 1 | 2.00 |", "| last 1 | 2.00 |"]


def test_what_is_copied_stands_as_it_is_looked_at() -> None:
    view = TableView("change", Order("loss"))
    assert table_text(TABLE, view).split("\n")[1].split()[:3] == ["500", "(499)", "−1.343"]


VALUES = st.dictionaries(st.sampled_from(["loss", "accuracy", "grad_norm"]), st.floats(allow_nan=True))
TABLES = st.builds(
    Table,
    st.just(COLUMNS),
    st.lists(
        st.builds(
            Row,
            st.floats(0, 1e9),
            st.none() | st.floats(0, 1e9),
            VALUES,
            VALUES,
            st.booleans(),
            st.booleans(),
            VALUES,
            st.frozensets(st.sampled_from(["loss", "lr"])),
            st.none() | st.floats(0, 1e7),
            st.booleans(),
        ),
        max_size=9,
    ).map(tuple),
    VALUES,
    st.just(50),
)
ORDERS = st.builds(Order, st.sampled_from([STEP, "loss", "accuracy", "lr"]), st.booleans())
SCROLLS = st.builds(Scroll, st.integers(0, 5), st.none() | st.integers(0, 9))


@given(
    TABLES,
    st.integers(1, 300),
    st.integers(1, 300),
    st.builds(TableView, st.sampled_from(("value", "change", "difference")), ORDERS, SCROLLS),
)
def test_no_table_and_no_size_break_it(table: Table, cells: int, height: int, view: TableView) -> None:
    lines = draw_table(table, cells, height, view)
    assert_fits(lines, cells, height)
    assert_exact(lines, cells)
    scrolled(table, (cells, height), view.scroll, 1, -1, is_sorted=view.is_sorted)
    header_at(table, (cells, height), view, cells // 2, 1)
    table_text(table, view)
