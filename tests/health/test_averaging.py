from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bench.noise import drift
from tests.health.curves import noise
from tui.decode.batch import Floats
from tui.health.averaging import REFRESH, Averaging, undo
from tui.health.octets import Octets


def averaged(values: Floats, memory: float) -> Floats:
    """What a logger shows that takes in 1 - memory of each new value."""
    shown = values.copy()
    for at in range(1, len(shown)):
        shown[at] = memory * shown[at - 1] + (1 - memory) * values[at]
    return shown


def follow(values: Floats, size: int) -> tuple[Floats, Floats]:
    """The memory as of each row, and the rows as they were before they were averaged."""
    octets, averaging, memories, rows = Octets(), Averaging(), [], []
    every = np.arange(len(values))
    for start in range(0, len(values), size):
        part = slice(start, start + size)
        if octets.extend(values[part], every[part].astype(float), every[part]):
            memories.append(averaging.extend(octets))
            rows.append(undo(octets, memories[-1]))
    return np.concatenate(memories), np.concatenate(rows)


def test_noise_with_two_humps_is_not_averaged() -> None:
    rng = np.random.default_rng(0)
    humps = np.where(rng.random(20_000) < 0.5, -1.0, 1.0) + 0.2 * noise(20_000)
    memories, _ = follow(humps, 4096)
    assert np.mean(memories > 0) < 0.05


@pytest.mark.parametrize("memory", [0.5, 0.8, 0.95])
def test_the_memory_of_an_average_is_found(memory: float) -> None:
    memories, _ = follow(averaged(noise(20_000), memory), 4096)
    assert memories[-1] == pytest.approx(memory, abs=0.07)


def test_values_that_nobody_averaged_have_none() -> None:
    assert not follow(noise(20_000), 4096)[0][REFRESH:].any()


def test_data_that_drift_slowly_are_no_average() -> None:
    wandering = noise(20_000) + 0.6 * drift(np.random.default_rng(1), 20_000, 200)
    assert not follow(wandering, 4096)[0][REFRESH:].any()


def test_progress_is_none() -> None:
    learning = noise(20_000) + 100 * (1 + np.arange(20_000) / 2000) ** -0.3
    assert not follow(learning, 4096)[0][REFRESH:].any()


def test_undoing_an_average_gives_back_what_it_was_made_of() -> None:
    values = noise(800)
    octets, every = Octets(), np.arange(800)
    octets.extend(averaged(values, 0.9), every.astype(float), every)
    np.testing.assert_allclose(undo(octets, np.full(100, 0.9)).ravel()[1:], values[1:], atol=1e-9)


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 700))
def test_both_are_the_same_in_any_portions(size: int) -> None:
    values = averaged(noise(1600), 0.7)
    for found, expected in zip(follow(values, size), follow(values, 1600), strict=True):
        np.testing.assert_array_equal(found, expected)
