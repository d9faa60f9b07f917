from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.health.curves import noise
from tui.health.blocks import CAPACITY, Blocks
from tui.health.octets import Octets


def fill(n: int, size: int) -> tuple[Blocks, int]:
    values, octets, blocks, closed = noise(n), Octets(), Blocks(), 0
    for start in range(0, n, size):
        part = np.arange(start, min(start + size, n))
        octets.extend(values[part], part.astype(float), part)
        closed += sum(1 for _ in blocks.extend(octets))
    return blocks, closed


@settings(deadline=None)
@given(st.integers(1, 20_000), st.integers(8, 5000))
def test_blocks_are_means_of_row_medians_of_equal_length(n: int, size: int) -> None:
    blocks, _ = fill(n, size)
    medians = np.median(noise(n)[: n // 8 * 8].reshape(-1, 8), axis=1)
    whole = len(medians) // blocks.rows
    slow = medians[: whole * blocks.rows].reshape(-1, blocks.rows).mean(axis=1)
    assert len(blocks) < CAPACITY
    np.testing.assert_allclose(blocks.values, slow)


def test_after_a_merge_there_are_half_as_many_twice_as_long() -> None:
    blocks, _ = fill(CAPACITY * 8, 100)
    assert (len(blocks), blocks.rows) == (CAPACITY // 2, 2)


def test_a_block_lies_in_the_middle_of_its_steps() -> None:
    blocks, closed = fill(16, 16)
    assert blocks.steps == [3.5, 11.5]
    assert closed == 2
