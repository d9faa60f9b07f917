"""A run in one row."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.widgets.drawing.test_status import STATUS, STATUSES
from widgets.cells import width
from widgets.drawing.glance import Glance, draw_glance

GLANCE = Glance(
    replace(STATUS, verdict="warning", fraction=0.6, eta_s=273_600.0),
    (("loss", "0.931"), ("accuracy", "0.248"), ("grad_norm", "0.0580")),
    "plateau +1",
)


def test_a_wide_row_has_it_all() -> None:
    assert draw_glance(GLANCE, 200).split("  ")[:8] == [
        "▲ warning",
        "plateau +1",
        "v3-kpro6",
        "step 21,784",
        "60%",
        "ETA 3 d 4 h",
        "loss 0.931",
        "accuracy 0.248",
    ]


def test_what_matters_least_goes_first_and_no_number_is_cut() -> None:
    assert draw_glance(GLANCE, 60).rstrip() == "▲ warning  plateau +1  v3-kpro6  step 21,784  loss 0.931"
    assert draw_glance(GLANCE, 36).rstrip() == "▲ warning  plateau +1  step 21,784"
    assert draw_glance(GLANCE, 12).rstrip() == "▲ warning"


@pytest.mark.parametrize("cells", range(12, 200, 7))
def test_the_verdict_stands_there_at_every_width(cells: int) -> None:
    assert draw_glance(GLANCE, cells).startswith("▲ warning")


def test_a_lost_link_is_said() -> None:
    lost = Glance(replace(STATUS, link="retrying"), trouble="the host is down")
    assert "retrying  the host is down" in draw_glance(lost, 160)
    assert "retrying" in draw_glance(lost, 44)


@given(STATUSES, st.text(max_size=40), st.text(max_size=20), st.text(max_size=60), st.integers(1, 300))
def test_the_row_is_exactly_as_wide_as_allowed_and_harmless(
    status: object, alert: str, name: str, trouble: str, cells: int
) -> None:
    row = draw_glance(Glance(status, ((name, "1.0"),), alert, trouble), cells)  # type: ignore[arg-type]
    assert width(row) == cells
    assert not {char for char in row if ord(char) < 32 or ord(char) == 0x9B}
