import pytest

from tui.decode.tables import Tables, read_cell


def values(*lines: str) -> dict[str, float] | None:
    tables = Tables()
    closed = [table for line in lines if (table := tables.take(line)[1])]
    table = closed[0] if closed else tables.close()
    return None if table is None else {name: number.value for name, number in table.items()}


@pytest.mark.parametrize("border", ["-----------", "+----+----+", "┌────┬────┐", "==========="])
def test_a_table_closes_at_its_border(border: str) -> None:
    assert values(border, "| loss | 2.5 |", "| lr   | 1e-05 |", border) == {"loss": 2.5, "lr": 1e-5}


def test_a_table_closes_at_the_first_line_of_text_too() -> None:
    assert values("| loss | 2.5 |", "saving") == {"loss": 2.5}


def test_names_under_a_heading_are_joined_to_it() -> None:
    assert values("| time/ |   |", "|   fps | 800 |", "| time/total | 5 |", "-------") == {
        "time/fps": 800.0,
        "time/total": 5.0,
    }


def test_tables_of_more_than_two_columns_and_cells_of_words_are_left_out() -> None:
    assert values("| class | gts | ap |", "| cat | 12 | 0.5 |", "| mode | fast |", "-------") is None


def test_a_rounded_cell_says_how_far() -> None:
    cell = read_cell("1.15e+04")
    assert cell is not None
    assert (cell.value, cell.grain) == (11_500.0, 100.0)
    assert read_cell("12") == (12.0, "", 0.0)
    assert read_cell("fast") is None
