from tui.decode.columns import Columns


def read(*lines: str) -> list[dict[str, float]]:
    columns = Columns()
    rows = [row for line in lines if (row := columns.take(line)[1])]
    return [{name: printed.value for name, printed in row.items()} for row in rows]


def test_a_row_below_a_line_of_names_is_read() -> None:
    assert read("epoch  train_loss  time", "0  0.5  00:12", "1  0.25  00:11") == [
        {"epoch": 0.0, "train_loss": 0.5, "time": 12.0},
        {"epoch": 1.0, "train_loss": 0.25, "time": 11.0},
    ]


def test_a_position_of_a_whole_is_its_position_and_what_follows_the_columns_is_left() -> None:
    assert read("Epoch  GPU_mem  box_loss", "3/9  2.1G  0.5  640: 100%") == [
        {"Epoch": 3.0, "GPU_mem": 2.1, "box_loss": 0.5}
    ]


def test_the_row_of_all_classes_finds_its_names_behind_anothers() -> None:
    assert read("Class  Images  P", "Epoch  box  obj", "all  195  0.5", "0/9  0.25  0.125") == [
        {"Images": 195.0, "P": 0.5},
        {"Epoch": 0.0, "box": 0.25, "obj": 0.125},
    ]


def test_sentences_are_no_names_and_rows_that_do_not_fit_are_none() -> None:
    assert read("Loading the model now", "1 2 3 4") == []
    assert read("epoch  loss  acc", "0  0.5", "1  fast  0.5") == []
