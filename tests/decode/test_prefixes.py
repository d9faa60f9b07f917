import pytest

from tui.decode.prefixes import strip_prefixes


@pytest.mark.parametrize(
    "line",
    [
        "[rank0]: loss: 2.5",
        "[rank0]:[rank0]: loss: 2.5",
        "rank 3: loss: 2.5",
        "0: loss: 2.5",
        "(trainer pid=123) loss: 2.5",
        "(trainer pid=123, ip=10.0.0.1) loss: 2.5",
        "trainer-1  | loss: 2.5",
        "[pod/drafter-0/main] loss: 2.5",
        "2024-03-01T10:00:00.5Z stdout F loss: 2.5",
        "[2024-03-01 10:00:00,123] loss: 2.5",
        "2024/03/01 10:00:00 loss: 2.5",
        "[task 2023-09-16T10:00:00.5Z] [2023-09-16 10:00:00] loss: 2.5",
        "[11/27 01:10:47] loss: 2.5",
        "Mar  1 10:00:00 loss: 2.5",
        "I20241125 23:40:57 2556141 helpers.py:102] loss: 2.5",
        "train.py:357 loss: 2.5",
        "\x1b[31mloss: \x1b[38;2;1;2;3m2.5\x1b[0m",
    ],
)
def test_no_number_of_a_prefix_is_left(line: str) -> None:
    text = strip_prefixes(line).text
    assert [char for char in text if char.isdigit()] == ["2", "5"]
    assert text.rstrip().endswith("loss: 2.5")


def test_the_time_of_a_line_is_read_as_utc() -> None:
    assert strip_prefixes("[2024-03-01 10:00:00,250] loss: 2.5").stamp_s == 1_709_287_200.25
    assert strip_prefixes("2024-03-01T10:00:00Z stdout F loss: 2.5").stamp_s == 1_709_287_200.0


def test_a_line_without_a_whole_stamp_has_no_time() -> None:
    assert strip_prefixes("[11/27 01:10:47] loss: 2.5").stamp_s is None
    assert strip_prefixes("2024-13-99 10:00:00 loss: 2.5").stamp_s is None


def test_an_eta_is_no_prefix() -> None:
    assert strip_prefixes("loss: 2.5 eta: 1 day, 4:01:21").text == "loss: 2.5 eta: 1 day, 4:01:21"
