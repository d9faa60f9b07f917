"""How a cost grows with a size: the exponent, what it means, and a picture of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_PANEL_WIDE, _PANEL_HIGH, _COLUMNS = 280, 212, 3
_LEFT, _RIGHT, _TOP, _BOTTOM = 16, 16, 50, 40
"""Pixels of a panel around its frame."""

_INSET = 12
"""Pixels between the frame and the diagonal."""

_WIDE, _HIGH = _PANEL_WIDE - _LEFT - _RIGHT, _PANEL_HIGH - _TOP - _BOTTOM
_LEGEND = (
    "dashed: in proportion to size",
    "both axes logarithmic, of as many decades",
    "cost is processor time",
)

_STYLE = """\
text{font:11px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#57606a}
.title{font-size:12.5px;font-weight:600;fill:#1f2328}
.frame{fill:none;stroke:#d0d7de}
.even{fill:none;stroke:#8c959f;stroke-dasharray:4 4}
.cost{fill:none;stroke:#0969da;stroke-width:2;stroke-linejoin:round}
.dot{fill:#0969da}
tspan{fill:#0969da;font-weight:600}
@media (prefers-color-scheme:dark){
text{fill:#9198a1}
.title{fill:#f0f6fc}
.frame{stroke:#3d444d}
.even{stroke:#656c76}
.cost{stroke:#4493f8}
.dot,tspan{fill:#4493f8}
}"""


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


def draw(growths: Sequence[Growth]) -> str:
    """An SVG with a panel for each, for a light page and a dark one.

    Both axes are logarithmic and cover as many decades, from the first cost at the lower left corner on; so the
    diagonal, dashed, is cost in proportion to size.
    """
    wide, high = _PANEL_WIDE * _COLUMNS, _PANEL_HIGH * -(-len(growths) // _COLUMNS)
    texts = [*map(_panel, growths), *([_legend()] if len(growths) % _COLUMNS else [])]
    panels = [
        f'<g transform="translate({number % _COLUMNS * _PANEL_WIDE} {number // _COLUMNS * _PANEL_HIGH})">{text}</g>'
        for number, text in enumerate(texts)
    ]
    size = f'viewBox="0 0 {wide} {high}" width="{wide}" height="{high}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><title>Cost by size</title>'
    return "\n".join((head, f"<style>{_STYLE}</style>", *panels, "</svg>")) + "\n"


def _panel(growth: Growth) -> str:
    x, y = (np.log10(each) for each in (growth.sizes, growth.costs))
    decades = max(x[-1] - x[0], np.ptp(y), 0.1)
    wide, high, floor = _WIDE - 2 * _INSET, _HIGH - 2 * _INSET, _TOP + _HIGH
    across, down = _LEFT + _INSET + (x - x[0]) / decades * wide, floor - _INSET - (y - y[0]) / decades * high
    points = [f"{one:.1f} {two:.1f}" for one, two in zip(across.tolist(), down.tolist(), strict=True)]
    first, last = (
        f"{_shorten(growth.sizes[at])}: <tspan>{_round(growth.costs[at])} {growth.unit}</tspan>"
        for at in (0, -1)
    )
    return "".join(
        (
            f'<rect class="frame" x="{_LEFT}" y="{_TOP}" width="{_WIDE}" height="{_HIGH}" rx="4"/>',
            f'<path class="even" d="M{_LEFT + _INSET} {floor - _INSET}l{wide} {-high}"/>',
            f'<path class="cost" d="M{"L".join(points)}"/>',
            *(_dot(point) for point in points),
            _say(_LEFT, 22, growth.what, "title"),
            _say(_LEFT, 40, growth.in_words),
            _say(_LEFT, floor + 18, first),
            _say(_LEFT + _WIDE, floor + 18, last, "", "end"),
        )
    )


def _legend() -> str:
    return "".join(_say(_LEFT, _TOP + 16 + 18 * number, text) for number, text in enumerate(_LEGEND))


def _dot(point: str) -> str:
    across, down = point.split()
    return f'<circle class="dot" cx="{across}" cy="{down}" r="3.2"/>'


def _say(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" class="{kind}" text-anchor="{anchor}">{text}</text>'


def _round(cost: float) -> str:
    return f"{cost:.0f}" if cost >= 10 else f"{cost:.2g}"


def _shorten(size: int) -> str:
    for unit, text in ((1_000_000, "M"), (1_000, "k")):
        if size >= unit:
            return f"{size / unit:g}{text}"
    return str(size)
