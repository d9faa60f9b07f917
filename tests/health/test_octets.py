from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tui.health.octets import HISTORY, WIDTH, Octets


@given(st.lists(st.integers(0, 40), max_size=30))
def test_rows_are_the_same_however_the_values_came(sizes: list[int]) -> None:
    n = sum(sizes)
    values = np.random.default_rng(n).standard_normal(n)
    octets, at, fresh = Octets(), 0, []
    for size in sizes:
        part = slice(at, at + size)
        octets.extend(values[part], np.arange(n, dtype=float)[part], np.arange(n)[part])
        fresh += octets.values[len(octets.values) - octets.fresh :].ravel().tolist()
        at += size
    whole = n // WIDTH
    assert octets.count == whole
    assert octets.total == n
    assert fresh == values[: whole * WIDTH].tolist()
    kept = octets.values[-HISTORY:]
    np.testing.assert_array_equal(
        kept.ravel(), values[max(whole - HISTORY, 0) * WIDTH : whole * WIDTH][-kept.size :]
    )


def test_a_row_knows_its_median_its_steps_and_its_entries() -> None:
    octets = Octets()
    octets.extend(np.array([8.0, 1, 7, 2, 6, 3, 5, 4, 99]), np.arange(9.0) * 10, np.arange(100, 109))
    assert octets.fresh == 1
    assert octets.medians.tolist() == [4.5]
    assert octets.steps[0].tolist() == [0, 10, 20, 30, 40, 50, 60, 70]
    assert octets.entries[0, -1] == 107
