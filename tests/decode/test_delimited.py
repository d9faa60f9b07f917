import pytest

from tests.decode.test_decoder import entries_of
from tui.decode.delimited import Delimited, fits_header, read_header


def decode(*lines: str) -> list[dict[str, float]]:
    return entries_of(Delimited().decode([line.encode() for line in lines]))


def test_an_empty_cell_is_nothing_and_nan_is_a_value() -> None:
    entries = decode("epoch,loss,val", "0,1.5,", "1,,2.5", "2,nan,")
    assert [set(entry) for entry in entries] == [{"epoch", "loss"}, {"epoch", "val"}, {"epoch", "loss"}]


def test_padded_names_and_cells_are_trimmed() -> None:
    assert decode("   epoch,   loss", "   0 ,  1.5") == [{"epoch": 0.0, "loss": 1.5}]


def test_quotes_guard_a_delimiter() -> None:
    assert decode('epoch,"a, b",note', '1,2.5,"x, y"') == [{"epoch": 1.0, "a, b": 2.5}]


def test_new_names_in_the_middle_replace_the_old() -> None:
    assert decode("a,b", "1,2", "a,b,c", "3,4,5", "a,c", "6,7") == [
        {"a": 1.0, "b": 2.0},
        {"a": 3.0, "b": 4.0, "c": 5.0},
        {"a": 6.0, "c": 7.0},
    ]


def test_a_row_that_does_not_fit_is_rejected_and_one_without_numbers_is_a_remark() -> None:
    cells = Delimited()
    batch = cells.decode([b"r,l,t", b"# 2", b"1,2", b"1,2,3", b"word,by,word"])
    assert (batch.entries, batch.malformed, batch.remarks, cells.rejected) == (1, 1, 2, [2])


def test_the_name_says_the_delimiter() -> None:
    tabs = Delimited()
    tabs.decode([b"a\tb", b"1\t2"])
    assert tabs.name == "tsv"


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("epoch,step,loss", 3),
        ("% time spent exploring,mean 100 episode reward", 2),
        ("metrics/mAP_0.5:0.95,x/lr0", 2),
    ],
)
def test_a_line_of_names_is_known(text: str, width: int) -> None:
    found = read_header(text)
    assert found is not None
    assert len(found[1]) == width


@pytest.mark.parametrize(
    "text", ["1,2,3", "loss", "a,,b", "a,a", "Loss 2.5,Acc 0.5", "step:1,loss:2", '{"a",b}', ""]
)
def test_a_line_of_anything_else_is_none(text: str) -> None:
    assert read_header(text) is None


def test_a_row_fits_by_its_width_and_its_numbers() -> None:
    assert fits_header("1,,0.5", ",", 3)
    assert not fits_header("1,0.5", ",", 3)
    assert not fits_header("a,b,0.5", ",", 3)
    assert not fits_header(",,", ",", 3)
