from __future__ import annotations

import numpy as np

from tests.bench.noise import drift
from tests.health.curves import noise
from tui.decode.batch import Floats
from tui.health.schedule import Schedule
from tui.health.track import LEVEL_ROWS, Track, levels_before
from tui.roles import Role


def kappas(values: Floats, size: int) -> Floats:
    track, found = Track("loss", Role.LOSS, Schedule()), []
    for start in range(0, len(values), size):
        part = np.arange(start, min(start + size, len(values)))
        track.extend(part, part.astype(float), values[part])
        found.append(track.kappas)
    return np.concatenate(found)


def test_white_noise_hardly_inflates_and_a_slow_drift_does() -> None:
    rng = np.random.default_rng(0)
    white = kappas(noise(20_000), 4096)[500:]
    drifting = kappas(noise(20_000) + 0.6 * drift(rng, 20_000, 200), 4096)[500:]
    assert np.mean(white) < 1.5
    assert np.mean(drifting) > 2 * np.mean(white)


def test_inflation_is_the_same_in_any_portions() -> None:
    values = noise(3000)
    np.testing.assert_array_equal(kappas(values, 4096), kappas(values, 37))


def test_a_trend_does_not_inflate() -> None:
    assert np.mean(kappas(noise(20_000) - 0.002 * np.arange(20_000), 4096)[500:]) < 1.6


def test_levels_are_the_trimmed_mean_of_six_row_medians() -> None:
    track = Track("loss", Role.LOSS, Schedule())
    values = noise(400)
    track.extend(np.arange(400), np.arange(400.0), values)
    medians = np.median(values.reshape(-1, 8), axis=1)
    slow = [np.sort(medians[row - LEVEL_ROWS : row])[1:5].mean() for row in range(LEVEL_ROWS, 50)]
    levels = levels_before(track.octets, 50)
    assert np.isnan(levels[:LEVEL_ROWS]).all()
    np.testing.assert_allclose(levels[LEVEL_ROWS:], slow)
