from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.decode.batch import Floats
from tui.health.schedule import GUESSED_ENTRY, SETTLED_ENTRIES, Phase, Schedule


def phases(lr: Floats | None, n: int, size: int) -> list[Phase]:
    """The phase as of every entry, each asked for while its portion is the latest."""
    schedule, found, steps = Schedule(), [], np.arange(float(n)) * 2
    for start in range(0, n, size):
        at = np.arange(start, min(start + size, n))
        schedule.extend(start, steps[at])
        if lr is not None:
            schedule.extend_lr(at, steps[at], lr[at])
        found += [schedule.phase(int(entry)) for entry in at]
    return found


def cosine(n: int, warmup: int) -> Floats:
    time = np.arange(1, n + 1)
    return 6e-4 * np.minimum(time / warmup, 0.5 * (1 + np.cos(np.pi * np.clip((time - warmup) / n, 0, 1))))


@settings(deadline=None)
@given(st.integers(1, 900))
def test_phases_are_the_same_in_any_portions(size: int) -> None:
    lr = cosine(900, 200)
    lr[[3, 500]] = 0, np.nan
    assert phases(lr, 900, size) == phases(lr, 900, 900)


def test_the_warm_up_ends_at_the_peak_once_twenty_entries_have_not_exceeded_it() -> None:
    found = phases(cosine(900, 200), 900, 100)
    ended = next(entry for entry, phase in enumerate(found) if phase.warm_end is not None)
    assert found[-1].warm_end == pytest.approx(2 * 199, abs=12)
    assert ended == pytest.approx(199 + SETTLED_ENTRIES, abs=6)


def test_without_a_learning_rate_it_is_guessed() -> None:
    found = phases(None, 400, 64)
    assert found[GUESSED_ENTRY - 1].warm_end is None
    assert found[GUESSED_ENTRY].warm_end == 2.0 * GUESSED_ENTRY


def test_the_rate_is_hot_until_it_falls_below_a_twentieth_of_its_peak() -> None:
    lr = np.where(np.arange(500) < 300, 1e-3, 1e-5)
    assert phases(lr, 500, 70)[-1].hot_until == 2.0 * 299


def test_the_share_of_the_peak_is_told() -> None:
    lr = np.where(np.arange(500) < 300, 1e-3, 2.5e-4)
    assert phases(lr, 500, 70)[-1].lr_share == pytest.approx(0.25, rel=1e-3)
