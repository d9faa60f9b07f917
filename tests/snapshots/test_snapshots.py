"""Kept pictures of the screen, and what a person must be able to read in each within five seconds.

Where a picture has changed on purpose: `python -m tests.snapshots`, look at it, keep it.
"""

import pytest

from tests.snapshots.capture import RUNS, SIZES, capture, path_of

Size = tuple[int, int]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", RUNS)
async def test_the_screen_is_as_it_was_kept(name: str, size: Size) -> None:
    text = await capture(name, size)
    assert text == path_of(name, size).read_text("utf-8")


@pytest.mark.parametrize("size", SIZES)
def test_it_says_whether_the_run_is_well_where_it_is_and_what_is_wrong_since_when(size: Size) -> None:
    text = " ".join(path_of("warning", size).read_text("utf-8").split())
    assert "▲ warning" in text
    assert "step 27,415" in text
    assert "▲ WARNING cliff" in text
    assert "step 26,000" in text
    assert all(name in text for name in ("loss", "accuracy", "grad"))


@pytest.mark.parametrize("size", SIZES)
def test_a_run_that_is_well_says_so_and_nothing_shouts(size: Size) -> None:
    text = path_of("healthy", size).read_text("utf-8")
    assert "✓ healthy" in text
    assert not any(word in text for word in ("WARNING", "CRITICAL", "▲", "✖"))


def test_a_pane_of_44_columns_has_the_numbers_that_matter_and_the_alert() -> None:
    rows = path_of("warning", (44, 24)).read_text("utf-8").split("\n")
    text = "\n".join(rows)
    assert "ETA" in text
    assert "60%" in text
    for name, number in (("loss", "1.26"), ("accuracy", "0.264"), ("grad_norm", "0.0700")):
        assert any(row.startswith(name) and f"{number} " in row for row in rows)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", RUNS)
def test_no_number_is_cut(name: str, size: Size) -> None:
    rows = path_of(name, size).read_text("utf-8").split("\n")
    assert all(len(row) <= size[0] for row in rows)
    told = [row for row in rows if "{" not in row and '"' not in row]  # the log's own lines may be long
    assert not [
        row for row in told if any(f"{digit}…" in row or f"…{digit}" in row for digit in "0123456789")
    ]
