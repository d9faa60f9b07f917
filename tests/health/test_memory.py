"""The state of health does not grow with the run: a hundred metrics for a week are as many bytes as for an hour."""

from __future__ import annotations

import numpy as np

from tests.bench.cost import size_of
from tests.health.curves import make_span, noise
from tui.decode.batch import Span
from tui.health.engine import Engine

SHORT, LONG, CHUNK, METRICS = 20_000, 200_000, 2_000, 6


def portion(start: int) -> Span:
    """The next entries of a healthy run with six metrics and its learning rate."""
    steps = np.arange(float(start), float(start + CHUNK))
    loss = 1 + 3 * (1 + steps / 50) ** -0.4 + 0.05 * noise(CHUNK, start)
    return make_span(
        steps,
        loss=loss,
        top5_acc=0.9 - 0.1 * loss,
        accuracy=0.6 - 0.1 * loss,
        grad_norm=np.exp(0.1 * noise(CHUNK, start + 2)),
        lr=np.full(CHUNK, 1e-3),
        timestamp=1.7e9 + 2 * steps,
    )


def test_the_state_is_no_larger_after_ten_times_as_many_entries() -> None:
    engine, sizes = Engine(), {}
    for start in range(0, LONG, CHUNK):
        engine.extend(portion(start))
        if start + CHUNK in (SHORT, LONG):
            sizes[start + CHUNK] = size_of(engine)
    assert engine.alerts == ()
    assert sizes[LONG] < 1.05 * sizes[SHORT]  # the history is kept in 64 to 128 blocks
    assert sizes[LONG] < METRICS * 200_000


def test_the_size_counts_what_is_held() -> None:
    assert size_of([np.zeros(1000)]) > 8000
    assert size_of({"a": [1.0] * 1000}) > 8000
