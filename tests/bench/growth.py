"""How cost grows with the size of what is watched, as a picture: `python -m tests.bench growth`.

Each thing grows by itself: the entries of a log, the points of a curve, the metrics of an entry, the runs of a fleet,
the width of the screen. The slope of the cost in a plot of logarithms is the exponent: 0 where size does not matter,
1 where cost is in proportion. Cost is processor time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from tests.bench.drawing import fill, measure_ms
from tests.bench.fleet import follow
from tests.bench.longlog import pieces
from tests.bench.row import Row
from tests.bench.scaling import Growth, draw
from tests.recorded import make_feed
from tui.events import CaughtUp, Observed, Received
from tui.feed import Feed
from tui.screens.curves import view_curves
from tui.screens.display import Display
from tui.sources.base import CHUNK_BYTES
from widgets.canvas import forget
from widgets.drawing.curve import draw_curve

ENTRIES = (10_000, 100_000, 1_000_000, 10_000_000)
METRICS = (5, 20, 100, 300, 1_000)
METRIC_ENTRIES = 2_000
RUNS, RUNS_S = (1, 5, 20, 60, 200), 8.0
WIDTHS = (40, 80, 160, 300)
WIDTH_ENTRIES = 100_000
PICTURE = Path(".github/growth.svg")

_USUAL_WIDE, _HIGH = 120, 20
_ROUNDS = 10

_ENDLESS = 1 << 60
"""The size of a log that is made while it is read."""


def measure(
    entries: Sequence[int] = ENTRIES,
    metrics: Sequence[int] = METRICS,
    runs: Sequence[int] = RUNS,
    widths: Sequence[int] = WIDTHS,
    runs_s: float = RUNS_S,
    picture: Path | None = PICTURE,
) -> Iterable[Row]:
    """The exponents; draws the picture too."""
    growths = (
        Growth(
            "catch up, by entries", "s", tuple(entries), tuple(_feed_s(pieces(count)) for count in entries)
        ),
        Growth("redraw a curve, by entries", "ms", tuple(entries), _redraw_ms(entries)),
        Growth(
            "catch up, by metrics", "s", tuple(metrics), tuple(_feed_s([wide_log(many)]) for many in metrics)
        ),
        Growth("a second of live runs, by runs", "ms", tuple(runs), tuple(_second_ms(runs, runs_s))),
        Growth("redraw a curve, by columns", "ms", tuple(widths), _widths_ms(widths)),
    )
    if picture is not None:
        picture.parent.mkdir(exist_ok=True)
        picture.write_text(draw(growths))
    for growth in growths:
        first, last = (f"{growth.costs[at]:.3g} {growth.unit} at {growth.sizes[at]:,}" for at in (0, -1))
        yield Row(f"growth: {growth.what}", f"{first}, {last}; {growth.in_words}")


def wide_log(metrics: int, entries: int = METRIC_ENTRIES) -> bytes:
    """A log of so many metrics, as a model's layers have them."""
    values = np.random.default_rng(0).normal(1.0, 0.1, (entries, metrics))
    names = (f'"layer{number}/grad_norm": %.6g' for number in range(metrics))
    line = '{"step": %d, ' + ", ".join(names) + "}\n"
    return "".join(line % (step, *row) for step, row in enumerate(values.tolist())).encode()


def _feed_s(log: Iterable[bytes]) -> float:
    """Seconds to take in a log until its verdict, whatever making it takes."""
    feed, at, taken_s = make_feed(), 0, 0.0
    feed.consume(Observed(0.0, 0.0, _ENDLESS))
    for data in _cut(log):
        began_s = time.process_time()
        feed.consume(Received(data, at))
        taken_s += time.process_time() - began_s
        at += len(data)
    began_s = time.process_time()
    feed.consume(CaughtUp())
    assert feed.verdict
    return taken_s + time.process_time() - began_s


def _cut(log: Iterable[bytes]) -> Iterator[bytes]:
    for piece in log:
        for at in range(0, len(piece), CHUNK_BYTES):
            yield piece[at : at + CHUNK_BYTES]


def _redraw_ms(entries: Sequence[int]) -> tuple[float, ...]:
    """Milliseconds to draw one curve anew, at each length."""
    works = [partial(_draw, fill(count, ("loss",)), _USUAL_WIDE) for count in entries]
    return tuple(measure_ms(works, _ROUNDS))


def _widths_ms(widths: Sequence[int]) -> tuple[float, ...]:
    feed = fill(WIDTH_ENTRIES, ("loss",))
    works: list[Callable[[], object]] = [partial(_draw, feed, width) for width in widths]
    return tuple(measure_ms(works, _ROUNDS))


def _draw(feed: Feed, width: int) -> object:
    forget()
    return [draw_curve(curve, width, _HIGH) for curve in view_curves(feed, Display(), ("loss",)).curves]


def _second_ms(runs: Sequence[int], span_s: float) -> Iterator[float]:
    """Milliseconds that a second of the whole application takes, with an entry a second of each run."""
    for count in runs:
        yield 1e3 * follow(count, span_s).cpu_s
