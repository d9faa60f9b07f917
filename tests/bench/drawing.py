"""What one redraw of six curves costs, and what it costs with ever more points: `python -m tests.bench.drawing`.

From the store to rows of styled cells, at 180 columns by 45 rows, with everything on: smoothing, extremes, marks and
axes. Beside it plain plotext: with all points, where anybody could wait for that, and with as many as its
canvas has dots across.
"""

from __future__ import annotations

import argparse
import math
import platform
import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from tests.recorded import make_feed
from tui.decode.batch import Column, Floats, Span
from tui.feed import Feed
from tui.screens.arrange import GAP
from tui.screens.curves import view_curves
from tui.screens.display import Display
from tui.store.stream import Incoming, Stream
from widgets.canvas import forget
from widgets.cells import Line
from widgets.drawing.curve import draw_curve

SIZE = (180, 45)
NAMES = ("loss", "accuracy", "grad_norm", "lr", "tok_per_sec", "avg_streak")
PIECE = 500_000
ROUNDS = 40
MOST_PLAIN = 10_000
"""Points that plain plotext is given at most; beyond, its time is told by the point."""


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
    return str(figure.build().string())


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


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, nargs="+", default=[10_000, 1_000_000, 10_000_000])
    options = parser.parse_args()
    machine = f"{platform.machine()}, Python {platform.python_version()}"
    print(f"six curves at {SIZE[0]} x {SIZE[1]}, ms of CPU a redraw ({machine})")
    names = ("as usual", "zoomed in", "unsmoothed", "log y", "unmoved")
    print(
        f"{'points a curve':>15}{'first':>9}" + "".join(f"{name:>12}" for name in names) + "   plain plotext"
    )
    feeds = [fill(entries) for entries in options.entries]
    first = [measure_first(feed) for feed in feeds]
    rows = [
        measure_ms([partial(redraw, feed, display(feed)) for feed in feeds])
        for display in (_usual, _zoomed, _unsmoothed, _logarithmic)
    ]
    rows.append(measure_ms([partial(redraw, feed, Display(), is_anew=False) for feed in feeds]))
    for number, entries in enumerate(options.entries):
        figures = "".join(f"{row[number]:>12.1f}" for row in rows)
        print(f"{entries:>15,}{first[number]:>9.1f}{figures}   {describe_plain(feeds[number])}")


def measure_first(feed: Feed) -> float:
    """The CPU time of the first redraw, which makes the buckets of all that is there."""
    started = time.process_time()
    redraw(feed, Display())
    return (time.process_time() - started) * 1000


def _usual(feed: Feed) -> Display:
    return Display()


def _zoomed(feed: Feed) -> Display:
    return Display(window=(feed.run.entries * 0.5, feed.run.entries * 0.51))


def _unsmoothed(feed: Feed) -> Display:
    return Display(span=0)


def _logarithmic(feed: Feed) -> Display:
    return Display(log_y=True)


def describe_plain(feed: Feed) -> str:
    """What plotext takes by itself for the same."""
    values = feed.run.points(NAMES[0]).values
    some, few = values[:MOST_PLAIN], values[: 2 * SIZE[0] // 3]
    all_ms, few_ms = measure_ms([partial(draw_plainly, some), partial(draw_plainly, few)], 2)
    whole = all_ms * len(NAMES) * len(values) / len(some)
    about = "" if len(values) == len(some) else "about "
    return f"{about}{whole:,.0f} with all points, {few_ms * len(NAMES):.1f} with {len(few)} a curve"


if __name__ == "__main__":
    main()
