from __future__ import annotations

import numpy as np

from tests.bench.silence import Writing, count_false, find_hang, make_writing


def test_a_log_written_evenly_is_never_stalled() -> None:
    every = np.arange(0.0, 5000.0, 5.0)
    writing = Writing(every, every, np.arange(1.0, len(every) + 1))
    assert count_false(writing) == 0
    assert find_hang(writing) == 300.0


def test_a_silence_twice_as_long_as_any_pause_before_is_a_stall() -> None:
    every = np.arange(0.0, 5000.0, 5.0)
    every[500:] += 700.0
    writing = Writing(every, every, np.arange(1.0, len(every) + 1))
    assert count_false(writing) == 1


def test_blocks_are_written_with_their_last_line() -> None:
    writing = make_writing(1, is_buffered=True)
    assert len(writing.written_s) == len(writing.logged_s) // 50
    assert writing.written_s[0] == writing.logged_s[49]
