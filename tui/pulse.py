"""When a log was last written to, and last had an entry; how long that usually takes, and how fast its run goes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np

from tui.events import Observed
from tui.health.stall import MEMORY_GAPS, Cadence, block_time_s, measure_cadence
from tui.store.rate import entry_times
from tui.store.stream import Stream

CADENCE_GAPS = 200
"""Over how many of the last gaps between entries the run's cadence is measured."""

_SAME_WRITE_S = 2.0
"""Seconds by which a look at the file may put its last write before the bytes that came of it: stamps are coarse."""

_FEWEST_ARRIVALS = 3
"""So many entries that came tell a rate."""

Clock = Callable[[], float]


class Pulse:
    """Follows what a log is written with, by our own clock; what was there before we came tells nothing of it.

    Args:
        clock: Monotonic seconds.

    Attributes:
        observed: How the file stood at the last look at it, by the far end's word.
    """

    def __init__(self, clock: Clock) -> None:
        self.observed: Observed | None = None
        self._clock = clock
        self._observed_at = 0.0
        self._byte_at: float | None = None
        self._entry_at: float | None = None
        self._arrivals: deque[tuple[float, float]] = deque(maxlen=CADENCE_GAPS + 1)  # when, and the step then
        self._gaps: deque[float] = deque(maxlen=MEMORY_GAPS)

    def note_bytes(self, *, is_live: bool) -> None:
        """Bytes came: just now, or of a log that is still read in."""
        self._byte_at = self._clock() if is_live else None

    def note_entries(self, step: float, *, is_live: bool) -> None:
        """Entries came, the last of them with this step."""
        before, self._entry_at = self._entry_at, self._clock() if is_live else None
        if self._entry_at is not None:
            self._arrivals.append((self._entry_at, step))
            if before is not None:
                self._gaps.append(self._entry_at - before)

    def observe(self, observed: Observed) -> None:
        """Somebody looked at the file."""
        now = self._clock()
        age_s = max(0.0, observed.remote_now_s - observed.modified_s)
        if (
            self._byte_at is not None and now - self._byte_at > age_s + _SAME_WRITE_S
        ):  # touched, without new bytes
            self._byte_at = None
        self.observed, self._observed_at = observed, now

    @property
    def byte_age_s(self) -> float | None:
        """The age of the last write, by the clock of the machine that it is on; None where nothing tells it."""
        now = self._clock()
        if self._byte_at is not None:
            return now - self._byte_at
        if self.observed is None:
            return None
        return max(0.0, self.observed.remote_now_s - self.observed.modified_s) + now - self._observed_at

    @property
    def entry_age_s(self) -> float | None:
        """The age of the last entry; that of the last write for one that was there before we came."""
        return self.byte_age_s if self._entry_at is None else self._clock() - self._entry_at

    @property
    def steps_per_s(self) -> float | None:
        """The rate at which entries have been arriving, where several have."""
        if len(self._arrivals) < _FEWEST_ARRIVALS:
            return None
        (first_at, first_step), (last_at, last_step) = self._arrivals[0], self._arrivals[-1]
        rate = (last_step - first_step) / max(last_at - first_at, 1e-9)
        return rate if rate > 0 else None

    def measure_cadence(self, main: Stream | None, pause_s: float, held_line_bytes: float | None) -> Cadence:
        """How the log is written, as its entries arrived and by its own time.

        Args:
            main: The run's main stream.
            pause_s: A silence that is known to be usual.
            held_line_bytes: The usual length of a line, where the log ends in the middle of one: its writer has a
                buffer.
        """
        logged = main and (entry_times(main, MEMORY_GAPS) or entry_times(main, CADENCE_GAPS))
        gaps = np.diff(logged[1]) if logged else np.empty(0)
        block_s = 0.0 if held_line_bytes is None else block_time_s(gaps, held_line_bytes)
        return measure_cadence(np.array(self._gaps), gaps, pause_s, block_s)
