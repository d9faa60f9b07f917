from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bench.noise import drift, skewed
from tests.health.curves import noise
from tui.decode.batch import Floats
from tui.health.contrast import running_sums
from tui.health.octets import Octets
from tui.health.scale import Scale
from tui.health.shift import QUICK, STRONG, Shift, locate_onset, mostly_zero


def shifts(values: Floats, size: int, what: str) -> Floats:
    octets, scale, shift, found = Octets(), Scale(), Shift(), []
    every = np.arange(len(values))
    for start in range(0, len(values), size):
        part = slice(start, start + size)
        if octets.extend(values[part], every[part].astype(float), every[part]):
            found.append(getattr(shift.extend(octets, scale.extend(octets)), what))
    return np.concatenate(found)


def scores(values: Floats, size: int = 4096) -> Floats:
    return shifts(values, size, "scores")


def stepped(sigmas: float, row: int = 200, n: int = 4000, seed: int = 0) -> Floats:
    values = noise(n, seed)
    values[8 * row :] += sigmas
    return values


def test_noise_is_no_shift() -> None:
    assert np.nanmax(scores(skewed(np.random.default_rng(0), 200_000, 60))) < 1


def test_a_step_of_four_sigma_shows_in_the_third_row_and_one_of_two_within_eight() -> None:
    assert (scores(stepped(4)) > 1).argmax() <= 202
    assert (scores(stepped(2)) > 1).argmax() <= 207


def test_a_step_down_is_none() -> None:
    assert not (scores(stepped(-5))[:210] > 1).any()


def test_one_bad_row_is_not_enough() -> None:
    values = noise(4000)
    values[1600:1608] += 100
    assert np.nanmax(scores(values)) < 1


@pytest.mark.parametrize("seed", range(5))
def test_two_rows_of_a_large_shift_are_enough_even_where_the_noise_is_not_known_yet(seed: int) -> None:
    early = stepped(10, row=100, n=1200, seed=seed)
    assert (scores(early) > 1).argmax() == 101


def test_a_run_that_drifts_is_given_what_it_needs() -> None:
    wandering = noise(100_000) + 0.6 * drift(np.random.default_rng(3), 100_000, 200)
    assert (scores(wandering) > 1).mean() < 1e-3


def inflations(values: Floats, size: int = 4096) -> Floats:
    return shifts(values, size, "inflations")[500:]


def test_a_mean_over_drifting_data_varies_more() -> None:
    white, drifting = noise(20_000), 0.6 * drift(np.random.default_rng(7), 20_000, 200)
    assert np.mean(inflations(white)) < 1.5
    assert np.mean(inflations(white + drifting)) > 2 * np.mean(inflations(white))
    assert np.mean(inflations(white - 0.002 * np.arange(20_000))) < 1.5


def test_steady_progress_takes_nothing_from_its_power() -> None:
    learning = stepped(3) - 0.001 * np.arange(4000)
    assert (scores(learning) > 1).argmax() <= 205


def test_it_is_armed_as_soon_as_both_stretches_are_full() -> None:
    known = ~np.isnan(scores(noise(800)))
    assert known.argmax() == QUICK.recent + QUICK.before - 1


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 700))
def test_shifts_are_the_same_in_any_portions(size: int) -> None:
    values = stepped(3, row=100, n=1600)
    for what in ("scores", "differences", "bounds", "levels", "inflations"):
        np.testing.assert_array_equal(shifts(values, size, what), shifts(values, 1600, what))


@pytest.mark.parametrize("count", [1, 3, QUICK.before, STRONG.before, 7])
def test_running_sums_are_those_of_neighbours(count: int) -> None:
    values = noise(50)
    slow = [values[at : at + count].sum() for at in range(50 - count + 1)]
    np.testing.assert_allclose(running_sums(values, count), slow)


def test_the_onset_is_where_the_values_begin_to_lie_higher() -> None:
    octets, every = Octets(), np.arange(400)
    values = 0.1 * noise(400)
    values[381:] += 1
    octets.extend(values, every.astype(float), every)
    assert locate_onset(octets, 49, 0.0) == 381


def test_a_metric_that_is_zero_in_a_fifth_of_all_entries_has_no_level() -> None:
    rows = np.ones((64, 8))
    rows[40:, :3] = 0
    assert not mostly_zero(rows)[:57].any()
    assert mostly_zero(rows)[-1]
