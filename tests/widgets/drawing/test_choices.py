"""A list to choose from, at any size."""

import pytest

from widgets.cells import line_width
from widgets.drawing.choices import Choice, Choices, Group, choice_at, draw_choices

GROUPS = (
    Group("recent", tuple(Choice(f"box:/runs/{n}/train_log.jsonl", f"{n} h ago") for n in range(5))),
    Group("hosts", (Choice("gpu-box:", "10.1.2.6"), Choice("wide 训练:"))),
)


def rows(choices: Choices, cells: int, height: int) -> list[str]:
    return ["".join(text for text, _ in line).rstrip() for line in draw_choices(choices, cells, height)]


def test_groups_stand_under_their_titles_with_the_chosen_marked() -> None:
    text = rows(Choices(GROUPS, 5, "Type."), 60, 30)
    assert text[0].startswith("recent ───")
    assert text[1] == "  box:/runs/0/train_log.jsonl  0 h ago"
    assert text[6:9] == ["", "hosts " + "─" * 54, "› gpu-box:    10.1.2.6"]
    assert text[-1] == "Type."


@pytest.mark.parametrize("height", [1, 2, 3, 7, 30])
@pytest.mark.parametrize("cells", [12, 30, 44, 120])
def test_the_chosen_one_is_in_sight_and_nothing_leaves_the_room(cells: int, height: int) -> None:
    for chosen in range(7):
        choices = Choices(GROUPS, chosen)
        lines = draw_choices(choices, cells, height)
        assert len(lines) <= height
        assert all(line_width(line) <= cells for line in lines)
        marked = [row for row, text in enumerate(rows(choices, cells, height)) if text.startswith("›")]
        assert [choice_at(choices, cells, height, row) for row in marked] == [chosen]


def test_a_row_between_the_choices_is_none() -> None:
    assert choice_at(Choices(GROUPS), 60, 30, 0) is None
    assert choice_at(Choices(GROUPS), 60, 30, 1) == 0
    assert choice_at(Choices(GROUPS), 60, 30, 8) == 5
    assert choice_at(Choices(GROUPS), 60, 30, 99) is None


def test_long_labels_are_cut_in_the_middle_and_keep_their_remark() -> None:
    long = Choices((Group("recent", (Choice("box:/" + "x" * 90 + "/log.jsonl", "3 d ago"),)),))
    assert rows(long, 44, 9)[1].endswith("log.jsonl  3 d ago")
    assert rows(long, 30, 9)[1].endswith("log.jsonl")


def test_nothing_foreign_is_obeyed() -> None:
    evil = Choices((Group("\x1b[2J", (Choice("\x1b[31m", "\x9b1m"),)),), None, "\x1b]0;x\x07")
    assert not {"\x1b", "\x9b", "\x07"} & set("".join(rows(evil, 60, 9)))
