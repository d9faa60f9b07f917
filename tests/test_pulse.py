"""What is known of how a log is written."""

from __future__ import annotations

import pytest

from tui.events import Observed
from tui.health.stall import FLOOR_S
from tui.pulse import Pulse


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pulse(clock: Clock) -> Pulse:
    return Pulse(clock)


def arrive(pulse: Pulse, clock: Clock, gaps_s: list[float], step: float = 10.0) -> None:
    for number, gap_s in enumerate(gaps_s):
        clock.now_s += gap_s
        pulse.note_bytes(is_live=True)
        pulse.note_entries(number * step, is_live=True)


def test_nothing_is_known_before_anybody_looked(pulse: Pulse) -> None:
    assert pulse.byte_age_s is None
    assert pulse.steps_per_s is None
    assert not pulse.measure_cadence(None, 0.0, None).is_known


def test_what_was_there_before_is_as_old_as_the_far_end_says(pulse: Pulse, clock: Clock) -> None:
    pulse.observe(Observed(5_000.0, 4_990.0, 1_000))
    pulse.note_bytes(is_live=False)
    pulse.note_entries(7.0, is_live=False)
    clock.now_s += 3.0
    assert (pulse.byte_age_s, pulse.entry_age_s) == (13.0, 13.0)


def test_what_comes_is_as_old_as_it_has_been_here(pulse: Pulse, clock: Clock) -> None:
    pulse.observe(Observed(5_000.0, 4_990.0, 1_000))
    arrive(pulse, clock, [1.0])
    clock.now_s += 2.0
    pulse.note_bytes(is_live=True)
    clock.now_s += 1.0
    assert (pulse.byte_age_s, pulse.entry_age_s) == (1.0, 3.0)


def test_a_file_that_is_touched_was_written_to_though_nothing_came(pulse: Pulse, clock: Clock) -> None:
    arrive(pulse, clock, [1.0])
    clock.now_s += 60.0
    pulse.observe(Observed(5_000.0, 4_999.0, 1_000))
    assert pulse.byte_age_s == 1.0


def test_the_rate_is_that_of_the_entries_that_came(pulse: Pulse, clock: Clock) -> None:
    arrive(pulse, clock, [1.0, 2.0, 2.0, 2.0])
    assert pulse.steps_per_s == pytest.approx(5.0)


def test_the_cadence_is_by_the_gaps_between_entries(pulse: Pulse, clock: Clock) -> None:
    arrive(pulse, clock, [2.0] * 12)
    cadence = pulse.measure_cadence(None, 0.0, None)
    assert (cadence.expected_s, cadence.limit_s, cadence.is_known) == (2.0, FLOOR_S, True)


def test_a_pause_that_is_known_to_be_usual_is_no_silence(pulse: Pulse, clock: Clock) -> None:
    arrive(pulse, clock, [2.0] * 12)
    assert pulse.measure_cadence(None, 900.0, None).limit_s == 900.0
