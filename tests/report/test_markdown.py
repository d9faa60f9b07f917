import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.report.document import Bullets, Figures, Grid, Heading, Paragraph
from tui.report.markdown import escape, to_markdown


def test_each_piece_has_its_form() -> None:
    document = (
        Heading("run: ● healthy", 1),
        Paragraph("As read."),
        Bullets(("one", "two")),
        Grid(("metric", "last", "verdict"), (("loss", "0.93", "flat"),), is_left=frozenset({2})),
    )
    assert to_markdown(document) == (
        "# run: ● healthy\n\nAs read.\n\n- one\n- two\n\n"
        "| metric | last | verdict |\n| :--- | ---: | :--- |\n| loss | 0.93 | flat |\n"
    )


def test_pictures_are_left_out_with_their_heading() -> None:
    assert to_markdown((Paragraph("a"), Figures("Curves", ()))) == "a\n"


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("grad_norm", "grad_norm"),
        ("_step", r"\_step"),
        ("a|b", r"a\|b"),
        ("<b>", r"\<b\>"),
        ("# no heading", r"\# no heading"),
        ("- no bullet", r"\- no bullet"),
        ("two\nlines", "two lines"),
    ],
)
def test_foreign_text_stands_for_itself(text: str, escaped: str) -> None:
    assert escape(text) == escaped


@given(st.text())
def test_a_cell_never_breaks_its_row(text: str) -> None:
    row = to_markdown((Grid(("a", "b"), ((text, "x"),)),)).splitlines()[2]
    assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) == 3
