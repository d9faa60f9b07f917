"""Zooming, panning and following."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.screens.display import Display
from tui.screens.window import choose, pan, reset, shown, zoom

WHOLE = (0.0, 1000.0)


def test_zooming_in_keeps_the_middle_and_out_again_shows_all() -> None:
    near = zoom(Display(), WHOLE, 1)
    assert near.window == pytest.approx((100.0, 900.0))
    assert zoom(near, WHOLE, -1).window is None


def test_zooming_at_a_place_keeps_it_where_it_is() -> None:
    low, high = zoom(Display(), WHOLE, 1, at=250.0).window or WHOLE
    assert (250.0 - low) / (high - low) == pytest.approx(0.25)


def test_zooming_on_a_logarithmic_axis_goes_by_decades() -> None:
    found = zoom(Display(log_x=True), (1.0, 10_000.0), 1, at=100.0).window
    assert found == pytest.approx((10**0.4, 10**3.6))


def test_panning_stops_at_the_ends() -> None:
    display = Display(window=(100.0, 300.0))
    assert pan(display, WHOLE, 0.5).window == (200.0, 400.0)
    assert pan(display, WHOLE, -5).window == (0.0, 200.0)
    assert pan(display, WHOLE, 50).window == (800.0, 1000.0)
    assert pan(Display(), WHOLE, 1) == Display()


def test_a_window_that_touches_the_newest_entry_moves_along_with_it() -> None:
    display = pan(Display(window=(100.0, 300.0)), WHOLE, 50)
    assert display.is_following
    assert shown(display, (0.0, 1100.0)) == (900.0, 1100.0)
    assert not pan(display, WHOLE, -1).is_following
    assert shown(pan(display, WHOLE, -1), (0.0, 1100.0)) == (600.0, 800.0)


def test_following_on_a_logarithmic_axis_keeps_the_ratio() -> None:
    assert shown(Display(window=(10.0, 100.0), is_following=True, log_x=True), (1.0, 1000.0)) == (
        100.0,
        1000.0,
    )


def test_a_chosen_range_is_shown_in_either_order() -> None:
    assert choose(Display(), WHOLE, 700.0, 200.0).window == (200.0, 700.0)
    assert reset(choose(Display(), WHOLE, 700.0, 200.0)) == Display()


@given(
    st.lists(
        st.tuples(st.sampled_from(["zoom", "pan", "choose"]), st.floats(-30, 30), st.floats(-2e3, 2e3)),
        max_size=12,
    ),
    st.booleans(),
    st.sampled_from([WHOLE, (5.0, 5.0001), (1e13, 1.2e13), (1.7e9, 1.7e9 + 3600)]),
)
def test_whatever_is_done_the_window_is_a_range_within_the_whole(
    deeds: list[tuple[str, float, float]], log_x: bool, whole: tuple[float, float]
) -> None:
    display = Display(log_x=log_x)
    slack = (whole[1] - whole[0]) * 1e-6 + whole[1] * 1e-9
    for deed, amount, x in deeds:
        if deed == "zoom":
            display = zoom(display, whole, amount, x)
        elif deed == "pan":
            display = pan(display, whole, amount)
        else:
            display = choose(display, whole, x, x + amount)
        low, high = shown(display, whole) or whole
        assert low < high
        assert high <= whole[1] + slack
        assert low >= (min(whole[0], 0.001) if log_x else whole[0]) - slack
