"""How cost grows with the size of what is watched, as a picture: `python -m tests.bench growth`.

Three things grow, each by itself: the entries of a log, the metrics of an entry, the width of the screen. The slope of
the cost in a plot of logarithms is the exponent: 0 where size does not matter, 1 where cost is in proportion.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from tests.bench.drawing import fill, measure_ms
from tests.bench.longlog import write_log
from tests.bench.row import Row
from tests.recorded import make_feed
from tui.events import Received
from tui.feed import Feed
from tui.screens.curves import view_curves
from tui.screens.display import Display
from tui.sources.gather import GATHER_BYTES
from widgets.canvas import forget
from widgets.drawing.curve import draw_curve

ENTRIES = (10_000, 100_000, 1_000_000)
DRAWN_ENTRIES = (10_000, 100_000, 1_000_000, 10_000_000)
METRICS = (5, 20, 100, 300, 1_000)
METRIC_ENTRIES = 2_000
WIDTHS = (40, 80, 160, 300)
PICTURE = Path(".github/growth.svg")

_PANEL, _HIGH, _LEFT, _BOTTOM, _TOP = 250, 190, 46, 44, 34


@dataclass(frozen=True, slots=True)
class Growth:
    """What grew, in which unit cost is told, and the cost at each size."""

    what: str
    unit: str
    sizes: tuple[int, ...]
    costs: tuple[float, ...]

    @property
    def exponent(self) -> float:
        """The slope of the line through the costs, both axes logarithmic."""
        return float(np.polyfit(np.log(self.sizes), np.log(self.costs), 1)[0])

    @property
    def in_words(self) -> str:
        """The exponent, and what it means."""
        limits = ((0.1, "size does not matter"), (0.9, "less than in proportion"), (1.1, "in proportion"))
        meaning = next((words for limit, words in limits if self.exponent < limit), "more than in proportion")
        return f"size^{self.exponent:.2f}, {meaning}"


def measure(
    entries: Sequence[int] = ENTRIES,
    drawn: Sequence[int] = DRAWN_ENTRIES,
    metrics: Sequence[int] = METRICS,
    widths: Sequence[int] = WIDTHS,
    picture: Path | None = PICTURE,
) -> Iterable[Row]:
    """The exponents; draws the picture too."""
    growths = (
        Growth("catch up, by entries", "s", tuple(entries), tuple(map(_catch_up_s, entries))),
        Growth("a redraw, by entries", "ms", tuple(drawn), _redraw_ms(drawn)),
        Growth("catch up, by metrics", "s", tuple(metrics), tuple(map(_many_metrics_s, metrics))),
        Growth("one curve, by width", "ms", tuple(widths), _widths_ms(widths)),
    )
    if picture is not None:
        picture.parent.mkdir(exist_ok=True)
        picture.write_text(draw(growths))
    for growth in growths:
        first, last = (f"{growth.costs[at]:.3g} {growth.unit} at {growth.sizes[at]:,}" for at in (0, -1))
        yield Row(f"growth: {growth.what}", f"{first}, {last}; {growth.in_words}")


def _catch_up_s(entries: int) -> float:
    """Seconds of CPU to take in a log of so many entries."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.jsonl"
        write_log(log, entries)
        return _feed_s(log.read_bytes())


def _many_metrics_s(metrics: int) -> float:
    """Seconds of CPU to take in entries of so many metrics, as a model's layers have them."""
    values = np.random.default_rng(0).normal(1.0, 0.1, (METRIC_ENTRIES, metrics))
    line = (
        '{"step": %d, ' + ", ".join(f'"layer{number}/grad_norm": %.6g' for number in range(metrics)) + "}\n"
    )
    return _feed_s("".join(line % (step, *row) for step, row in enumerate(values.tolist())).encode())


def _feed_s(data: bytes) -> float:
    feed, began_s = make_feed(), time.process_time()
    for at in range(0, len(data), GATHER_BYTES):
        feed.consume(Received(data[at : at + GATHER_BYTES], at))
    assert feed.verdict
    return time.process_time() - began_s


def _redraw_ms(entries: Sequence[int]) -> tuple[float, ...]:
    """Milliseconds of CPU to draw one curve anew, at each length."""
    return tuple(measure_ms([partial(_draw, fill(count, ("loss",)), 120)], 10)[0] for count in entries)


def _widths_ms(widths: Sequence[int]) -> tuple[float, ...]:
    feed = fill(100_000, ("loss",))
    works: list[Callable[[], object]] = [partial(_draw, feed, width) for width in widths]
    return tuple(measure_ms(works, 10))


def _draw(feed: Feed, width: int) -> object:
    forget()
    return [draw_curve(curve, width, 20) for curve in view_curves(feed, Display(), ("loss",)).curves]


# The picture


def draw(growths: Sequence[Growth]) -> str:
    """One panel for each, both axes logarithmic, and a dashed line for cost in proportion to size."""
    panels = "".join(_panel(growth, number * _PANEL) for number, growth in enumerate(growths))
    size = f'viewBox="0 0 {_PANEL * len(growths)} {_HIGH}" width="{_PANEL * len(growths)}" height="{_HIGH}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="system-ui, sans-serif" font-size="11"'
        f' fill="#667085">{panels}</svg>\n'
    )


def _panel(growth: Growth, left: int) -> str:
    x, y = np.log10(growth.sizes), np.log10(growth.costs)
    middle, reach = (y.min() + y.max()) / 2, max(x[-1] - x[0], np.ptp(y), 0.1)
    across = left + _LEFT + (x - x[0]) / reach * (_PANEL - _LEFT - 14)
    down = (_HIGH - _BOTTOM + _TOP) / 2 - (y - middle) / reach * (_HIGH - _BOTTOM - _TOP)
    points = [f"{one:.1f} {two:.1f}" for one, two in zip(across.tolist(), down.tolist(), strict=True)]
    dots = "".join(
        f'<circle cx="{point.split()[0]}" cy="{point.split()[1]}" r="3" fill="#1f6feb"/>' for point in points
    )
    even = down[0] - (across - across[0]) / (_PANEL - _LEFT - 14) * (_HIGH - _BOTTOM - _TOP)
    low = max(float(even[-1]), float(_TOP))
    until = float(across[0]) + (float(down[0]) - low) / (_HIGH - _BOTTOM - _TOP) * (_PANEL - _LEFT - 14)
    return "".join(
        (
            f'<path d="M{across[0]:.1f} {down[0]:.1f}L{until:.1f} {low:.1f}" stroke="#b9c0cc" stroke-dasharray="3 3"/>',
            f'<path d="M{"L".join(points)}" fill="none" stroke="#1f6feb" stroke-width="1.8"/>',
            dots,
            _say(left + 8, 14, growth.what, "#1c2330"),
            _say(left + 8, 27, growth.in_words),
            _say(left + 8, float(down[0]) + 4, f"{growth.costs[0]:.2g} {growth.unit}"),
            _say(left + _PANEL - 66, float(down[-1]) - 8, f"{growth.costs[-1]:.2g} {growth.unit}"),
            _say(left + _LEFT, _HIGH - 14, f"{growth.sizes[0]:,}"),
            _say(left + _PANEL - 74, _HIGH - 14, f"{growth.sizes[-1]:,}"),
        )
    )


def _say(x: float, y: float, text: str, colour: str = "#667085") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" fill="{colour}">{text}</text>'
