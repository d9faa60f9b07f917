"""The adapter to plotext."""

import subprocess
import sys
import time

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from widgets.canvas import is_loading, load, plot

UNIT = (0.0, 1.0, 0.0, 1.0)
NUMBER = st.floats(allow_nan=True, allow_infinity=True)


def test_a_rising_line_goes_from_corner_to_corner() -> None:
    rows = plot(np.array([0.0, 1.0]), np.array([0.0, 1.0]), UNIT, (10, 3))
    assert rows[0].lstrip()[-1] != " "
    assert rows[2][0] != " "
    assert rows[0][0] == rows[2][-1] == " "


def test_a_break_leaves_a_gap() -> None:
    x, y = np.array([0.0, 0.3, 0.7, 1.0]), np.full(4, 0.5)
    assert " " not in plot(x, y, UNIT, (20, 1))[0]
    assert " " in plot(x, y, UNIT, (20, 1), breaks=[2])[0]


def test_a_nan_between_two_points_leaves_a_gap() -> None:
    row = plot(np.array([0.0, 0.3, 0.5, 0.7, 1.0]), np.array([0.5, 0.5, np.nan, 0.5, 0.5]), UNIT, (20, 1))[0]
    assert row[10] == " "
    assert row[0] != " " != row[-1]


def test_no_points_give_an_empty_canvas() -> None:
    assert plot(np.zeros(0), np.zeros(0), UNIT, (4, 2)) == ["    ", "    "]


def test_the_magnitude_of_the_axis_does_not_matter() -> None:
    small = plot(np.arange(20.0), np.arange(20.0), (0.0, 19.0, 0.0, 19.0), (20, 5))
    x = 9.4e12 + np.arange(20.0)
    assert plot(x, np.arange(20.0), (float(x[0]), float(x[-1]), 0.0, 19.0), (20, 5)) == small


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(NUMBER, NUMBER), max_size=30), st.integers(1, 30), st.integers(1, 8))
def test_nothing_breaks_it_and_the_size_is_exact(
    points: list[tuple[float, float]], width: int, height: int
) -> None:
    rows = plot(np.array([x for x, _ in points]), np.array([y for _, y in points]), UNIT, (width, height))
    assert len(rows) == height
    assert all(len(row) == width for row in rows)


def test_plotext_is_loaded_in_a_thread_and_then_ready() -> None:
    load()
    while is_loading():
        time.sleep(0.001)
    assert plot(np.array([0.0, 1.0]), np.array([0.0, 1.0]), UNIT, (4, 1))[0].strip()


def test_a_line_that_is_drawn_while_plotext_is_loaded_has_no_axes() -> None:
    script = (
        "import numpy; from widgets.canvas import load, plot\n"
        "load()\n"
        "print(plot(numpy.array([0.0, 1.0]), numpy.array([0.0, 1.0]), (0, 1, 0, 1), (4, 1)))\n"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert told == f"{plot(np.array([0.0, 1.0]), np.array([0.0, 1.0]), UNIT, (4, 1))}\n"
