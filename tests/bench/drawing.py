"""What one redraw of six curves costs, and what it costs with ever more points: `python -m tests.bench drawing`.

From the store to rows of styled cells, at 180 columns by 45 rows, with everything on: smoothing, extremes, marks and
axes. Beside it plain plotext: with all points where anybody could wait for that, and with as many as its canvas has
dots across.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import numpy as np

from tests.bench.row import Row, at_most
from tests.recorded import make_feed
from tui.decode.batch import Column, Floats, Span
from tui.feed import Feed
from tui.screens.arrange import GAP
from tui.screens.curves import view_curves
from tui.screens.display import Display
from tui.store.pieces import Incoming
from tui.store.stream import Stream
from widgets.canvas import forget, lay_out_anew
from widgets.cells import Line
from widgets.drawing.curve import draw_curve

SIZE = (180, 45)
NAMES = ("loss", "accuracy", "grad_norm", "lr", "tok_per_sec", "avg_streak")
PIECE = 500_000
ROUNDS = 40
FEW, MANY = 10_000, 10_000_000
LIMIT_MS, GROWTH_LIMIT = 25.0, 1.2

DISPLAYS: Mapping[str, Callable[[int], Display]] = {
    "zoomed in": lambda entries: Display(window=(entries * 0.5, entries * 0.51)),
    "unsmoothed": lambda _: Display(span=0),
    "log y": lambda _: Display(log_y=True),
}
"""Other ways to show a run of so many entries."""


def fill(entries: int, names: tuple[str, ...] = NAMES) -> Feed:
    """A feed whose run has so many entries of these metrics, put into its store as they are."""
    feed, rng = make_feed(), np.random.default_rng(0)
    stream = Stream("step", is_step_axis=True)
    feed.run.streams.append(stream)
    for start in range(0, entries, PIECE):
        steps = np.arange(start, min(start + PIECE, entries), dtype=np.float64) + 1
        rows = np.arange(len(steps))
        columns = {name: Column(rows, make_values(steps, entries, rng)) for name in names}
        sets, zeros = (frozenset(names),), np.zeros(len(steps), np.int64)
        for _ in stream.append(Incoming(rows, Span(steps, columns), zeros, sets, zeros)):
            pass
        feed.run._entries += len(steps)
    return feed


def make_values(steps: Floats, entries: int, rng: np.random.Generator) -> Floats:
    """A curve that falls, with noise and a few spikes."""
    values = 1.0 + 3.0 * np.exp(-12 * steps / entries) + rng.normal(size=len(steps)) * 0.1
    values[rng.integers(0, len(values), max(len(values) // 5000, 1))] += 2.0
    return values


def redraw(feed: Feed, display: Display, *, is_anew: bool = True) -> list[list[Line]]:
    """One redraw of all six, three side by side; anew, or as it is where no line has moved by a dot."""
    if is_anew:
        forget()
    width, height = (SIZE[0] - 2 * GAP) // 3, (SIZE[1] - 1) // 2
    curves = view_curves(feed, display, NAMES, [1000.0, 5000.0]).curves
    return [draw_curve(curve, width, height) for curve in curves]


def draw_plainly(values: Floats) -> str:
    """One curve by plotext alone, axes and all, at the same size."""
    import plotext

    plotext.terminal.limit(False, False)
    figure = plotext.figure
    figure.clear()
    figure.plot_size((SIZE[0] - 2 * GAP) // 3, (SIZE[1] - 1) // 2)
    line = figure.signal(list(range(len(values))), values.tolist(), marker="braille").density("full")
    figure.draw(line.lines(True))
    text = str(figure.build().string())
    lay_out_anew()
    return text


def measure_ms(works: Sequence[Callable[[], object]], rounds: int = ROUNDS) -> list[float]:
    """The CPU time of each, in milliseconds: the least of several rounds, for the machine may have other work."""
    for work in works:
        work()
    found = [math.inf] * len(works)
    for _ in range(rounds):
        for number, work in enumerate(works):
            started = time.process_time()
            work()
            found[number] = min(found[number], (time.process_time() - started) * 1000)
    return found


def measure(few: int = FEW, many: int = MANY, rounds: int = ROUNDS) -> Iterable[Row]:
    """A redraw with few points and with many, beside plain plotext; then in other ways, and where nothing moved."""
    feeds = [fill(entries) for entries in (few, many)]
    usual, first_ms = Display(), measure_first_ms(feeds[1])
    few_ms, many_ms, unmoved_ms = measure_ms(
        [*(partial(redraw, feed, usual) for feed in feeds), partial(redraw, feeds[1], usual, is_anew=False)],
        rounds,
    )
    what, plain_ms = f"a redraw of six curves at {SIZE[0]}×{SIZE[1]}", measure_plain_ms(feeds[0])
    theirs = f"plain plotext: {plain_ms:,.0f} ms with all points"
    yield at_most(f"{what}, {few:,} points each", f"{few_ms:.1f} ms of CPU", few_ms, LIMIT_MS, theirs, " ms")
    few_plain_ms = measure_plain_ms(feeds[0], 2 * SIZE[0] // 3)
    theirs = f"itself at {few:,}; plain plotext with {2 * SIZE[0] // 3} of them: {few_plain_ms:.0f} ms"
    told, ratio = f"{many_ms / few_ms:.2f} × ({many_ms:.1f} ms)", many_ms / few_ms
    yield at_most(f"the same, {many:,} points each", told, ratio, GROWTH_LIMIT, theirs, " ×")
    yield Row("the same, where nothing moved", f"{unmoved_ms:.1f} ms; the very first {first_ms:.0f} ms")
    shown = {name: display(many) for name, display in DISPLAYS.items()}
    taken = measure_ms([partial(redraw, feeds[1], display) for display in shown.values()], rounds)
    told = ", ".join(f"{name} {each_ms:.1f} ms" for name, each_ms in zip(shown, taken, strict=True))
    yield Row("the same, otherwise", told)


def measure_first_ms(feed: Feed) -> float:
    """The CPU time of the first redraw, which makes the buckets of all that is there."""
    started = time.process_time()
    redraw(feed, Display())
    return (time.process_time() - started) * 1000


def measure_plain_ms(feed: Feed, points: int | None = None) -> float:
    """What plotext takes by itself for so many points of each curve; for all where nothing is said."""
    values = feed.run.points(NAMES[0]).values[:points]
    return measure_ms([partial(draw_plainly, values)], 2)[0] * len(NAMES)
