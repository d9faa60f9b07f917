import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from widgets.cells import line_width
from widgets.drawing.fleet import (
    COLUMNS,
    STATES,
    Fleet,
    FleetRow,
    draw_fleet,
    draw_rows,
    keys_in_sight,
    list_rows,
    row_at,
    scroll_to_chosen,
)

COURSE = np.linspace(4.0, 1.0, 50)


def row(
    key: int, name: str = "run", host: str = "gpu-box", level: str = "healthy", **told: object
) -> FleetRow:
    usual = {
        "state": "live",
        "step": 21_784.0,
        "loss": 0.931,
        "course": COURSE,
        "age_s": 4.0,
        "fraction": 0.48,
    }
    return FleetRow(key, name, host, level, **{**usual, **told})  # type: ignore[arg-type]


def text(fleet: Fleet, cells: int, rows: int = 20, top: int = 0) -> list[str]:
    return ["".join(part for part, _ in line).rstrip() for line in draw_fleet(fleet, cells, rows, top)]


def test_a_wide_row_tells_everything() -> None:
    drawn = text(
        Fleet((row(1, "drafter", level="warning", alert="plateau", steps_per_s=0.16, eta_s=276_000.0),)), 140
    )
    assert drawn[0].startswith("1 run ─")
    assert drawn[0].endswith("▲ 1")
    for word in (
        "drafter",
        "gpu-box",
        "live",
        "21,784",
        "48%",
        "0.931",
        "0.160/s",
        "3d 4h",
        "4s",
        "● live",
        "plateau",
    ):
        assert word in drawn[2]


def test_a_pane_of_44_columns_has_name_step_loss_age_and_alert() -> None:
    drawn = text(Fleet((row(1, "v3-kpro6", level="critical", alert="cliff", eta_s=9.0),)), 44)
    for word in ("✖", "v3-kpro6", "21,784", "0.931", "4s", "cliff"):
        assert word in drawn[2]


def test_hosts_stand_over_their_runs_where_there_is_no_column_for_them() -> None:
    fleet = Fleet(
        (row(1, "a", "box-1"), row(2, "b", "box-1"), row(3, "c", "box-2")), columns=("loss", "step")
    )
    drawn = text(fleet, 44)
    assert [line.strip() for line in (drawn[2], drawn[5])] == ["box-1", "box-2"]
    assert row_at(fleet, 44, 20, 2) is None
    assert [row_at(fleet, 44, 20, y) for y in (3, 4, 6, 7)] == [1, 2, 3, None]


def test_the_chosen_run_stays_in_sight() -> None:
    rows = tuple(row(key, f"run-{key}") for key in range(200))
    fleet = Fleet(rows, chosen=150)
    top = scroll_to_chosen(fleet, 80, 12, 0)
    drawn = text(fleet, 80, 12, top)
    assert len(drawn) == 12
    assert drawn[0].startswith(f"200 runs  {top + 1}–151 ─")
    assert drawn[0].endswith("✓ 200")
    assert any(line.startswith("›✓ run-150") for line in drawn)


def test_the_rule_counts_the_runs_by_their_health() -> None:
    rows = tuple(
        row(key, level=level) for key, level in enumerate(["healthy", "critical", "healthy", "unknown"])
    )
    assert text(Fleet(rows, note="3 not shown by 'x'"), 100)[0].endswith("3 not shown by 'x'  ✖ 1 ? 1 ✓ 2")


def test_without_a_run_it_says_so() -> None:
    assert text(Fleet(), 60)[2] == "  no run yet"
    assert text(Fleet(note="4 not shown by 'x'"), 60)[2] == "  4 not shown by 'x'"


@pytest.mark.parametrize("level", ["healthy", "info", "warning", "critical", "unknown"])
def test_no_run_is_told_by_colour_alone(level: str) -> None:
    assert text(Fleet((row(1, level=level),)), 60)[2][1] in "✓•▲✖?"


def test_the_list_moves_no_more_than_the_choice_needs() -> None:
    rows = tuple(row(key, f"run-{key}") for key in range(200))
    room = list_rows(24)
    assert scroll_to_chosen(Fleet(rows, chosen=room - 1), 80, 24, 0) == 0
    assert scroll_to_chosen(Fleet(rows, chosen=room), 80, 24, 0) == 1
    assert scroll_to_chosen(Fleet(rows, chosen=50), 80, 24, 45) == 45
    assert scroll_to_chosen(Fleet(rows, chosen=44), 80, 24, 45) == 44
    assert keys_in_sight(Fleet(rows, chosen=50), 80, 24, 45) == set(range(45, 45 + room))


def test_no_digit_moves_a_column() -> None:
    """Of the same run a moment later every number stands where it stood."""
    before = row(1, step=9_999.0, loss=0.999, age_s=9.0, steps_per_s=9.99, eta_s=3_599.0)
    after = row(1, step=10_000.0, loss=1.0, age_s=10.0, steps_per_s=10.0, eta_s=3_600.0, fraction=1.0)
    heads = [text(Fleet((each,)), cells)[1] for each in (before, after) for cells in (30, 44, 80, 120)]
    assert heads[:4] == heads[4:]


def test_why_a_run_is_out_of_reach_is_told_in_full_below() -> None:
    reason = "the host key of gpu-9 has changed; if that was meant to be, run ssh-keygen -R gpu-9"
    barred = row(
        1, level="unknown", state="refused", alert=reason, detail=reason, address="gpu-9:/a.jsonl", step=None
    )
    wide = text(Fleet((barred,), chosen=1), 120, 24)
    assert wide[-4:] == ["─" * 120, " gpu-9:/a.jsonl", f" {reason}", ""]
    narrow = text(Fleet((barred,), chosen=1), 44, 24)
    assert "✖ refused" in narrow[2]
    assert " ".join(line.strip() for line in narrow[-2:]).startswith("the host key of gpu-9 has changed; if")


def test_a_marked_run_has_a_star_and_is_counted() -> None:
    drawn = text(Fleet((row(1, is_marked=True), row(2)), chosen=2), 60)
    assert drawn[0].startswith("2 runs  1 marked ─")
    assert drawn[2].startswith(" ✓*run")
    assert drawn[3].startswith("›✓ run")


def test_on_paper_all_rows_are_told() -> None:
    rows = tuple(row(key, f"run-{key}") for key in range(200))
    assert len(draw_rows(Fleet(rows), 120)) == 201


def test_every_state_has_a_sign() -> None:
    assert all(len(glyph) == 1 for glyph, _ in STATES.values())


rows = st.builds(
    row,
    key=st.integers(0, 5),
    name=st.text(max_size=40),
    host=st.text(max_size=40),
    level=st.sampled_from(["healthy", "warning", "critical", "unknown"]),
    state=st.text(max_size=20),
    step=st.none() | st.floats(),
    loss=st.none() | st.floats(),
    fraction=st.none() | st.floats(0, 1),
    age_s=st.none() | st.floats(0, 1e12),
    alert=st.text(max_size=40),
    detail=st.text(max_size=200),
    address=st.text(max_size=60),
)


@settings(max_examples=40)
@given(st.lists(rows, max_size=4), st.integers(1, 300), st.integers(1, 60), st.sets(st.sampled_from(COLUMNS)))
def test_every_row_fits_whatever_it_says(
    found: list[FleetRow], cells: int, height: int, columns: set[str]
) -> None:
    fleet = Fleet(tuple(found), chosen=3, columns=tuple(name for name in COLUMNS if name in columns))
    drawn = draw_fleet(fleet, cells, height)
    assert len(drawn) <= height
    assert all(line_width(line) <= cells for line in drawn)
    assert not any(
        unicodedata.category(char)[0] == "C" for line in drawn for part, _ in line for char in part
    )
    top = scroll_to_chosen(fleet, cells, height, 3)
    told = {row_at(fleet, cells, height, y, top) for y in range(height)} - {None}
    assert told == keys_in_sight(fleet, cells, height, top)
