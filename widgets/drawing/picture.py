"""The canvas of a curve, layer over layer: what was replaced, raw extremes, a reference, the smoothed line."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from widgets.canvas import plot
from widgets.cells import Line
from widgets.drawing.axes import Mark, Scale, mark_columns, mark_style
from widgets.envelope import Envelope, envelope
from widgets.raster import BLANK, DOTS_ACROSS, DOTS_DOWN, Codes, draw_bands, to_codes, to_text
from widgets.samples import Path, Samples
from widgets.scale import Floats

_STYLES: tuple[str, ...] = ("plain", "faint", "raw", "smooth", "info", "warning", "critical", "dim", "accent")
_STYLES += tuple(f"series-{number}" for number in range(1, 9))
_NUMBERS = {name: number for number, name in enumerate(_STYLES)}

_LEFT_DOTS = 0x2800 | 0x47
"""Only the left dots of a cell: a line of them reads as dotted."""

_FLAT_DOTS = 0.3
"""A point this near, in dots, to the straight line between its neighbours need not be drawn."""

_THINNINGS = 3
"""How often every second point is looked at."""


class Picture(Struct, frozen=True, eq=False):
    """Characters and styles (rows, columns) of a canvas."""

    codes: Codes
    styles: npt.NDArray[np.uint8]

    def paint(self, layer: Codes, style: str) -> None:
        """Put a layer over what is there."""
        is_drawn = layer != BLANK
        self.codes[is_drawn] = layer[is_drawn]
        self.styles[is_drawn] = _NUMBERS[style]

    def stamp(self, row: int, columns: Sequence[int], char: str, style: str) -> None:
        """Put a character into these columns of a row."""
        at = list(columns)
        self.codes[row, at] = ord(char)
        self.styles[row, at] = _NUMBERS[style]

    def with_line(self, column: int) -> Picture:
        """A copy with a vertical line, which what is drawn shows through."""
        codes, styles = self.codes.copy(), self.styles.copy()
        codes[codes[:, column] == BLANK, column] = ord("│")
        styles[:, column] = _NUMBERS["accent"]
        return Picture(codes, styles)

    def with_range(self, first: int, last: int) -> Picture:
        """A copy with the columns from `first` to `last` marked as chosen."""
        codes, styles = self.codes.copy(), self.styles.copy()
        part = (slice(None), slice(first, last + 1))
        codes[part] = np.where(codes[part] == BLANK, ord("░"), codes[part])
        styles[part] = _NUMBERS["accent"]
        return Picture(codes, styles)

    def lines(self) -> list[Line]:
        """The rows as spans of one style each; a blank takes that of what is drawn before it."""
        rows, columns = self.codes.shape
        drawn = np.where(self.codes.ravel() != BLANK, np.arange(rows * columns), 0)
        styles = self.styles.ravel()[np.maximum.accumulate(drawn)].reshape(rows, columns)
        edges = np.ones((rows, columns), np.bool_)
        edges[:, 1:] = styles[:, 1:] != styles[:, :-1]
        starts = np.flatnonzero(edges)
        names = [_STYLES[number] for number in styles.ravel()[starts]]
        stops = [*starts[1:].tolist(), rows * columns]
        text, lines = to_text(self.codes), list[Line]()
        for start, stop, name in zip(starts.tolist(), stops, names, strict=True):
            if start % columns == 0:
                lines.append([])
            lines[-1].append((text[start:stop], name))
        return lines


def make_picture(
    samples: Samples,
    scale: Scale,
    marks: Sequence[Mark] = (),
    *,
    ghosts: Path | None = None,
    reference: Path | None = None,
    band: Samples | None = None,
) -> Picture:
    """Draw a series and what belongs to it; a band stands in for the raw extremes around a smoothed line."""
    shape = (scale.rows, scale.columns)
    picture = Picture(np.full(shape, BLANK, np.uint32), np.zeros(shape, np.uint8))
    for column, level in mark_columns(marks, scale).items():
        picture.codes[:, column] = ord("┊")
        picture.styles[:, column] = _NUMBERS[mark_style(level)]
    if ghosts is not None:
        picture.paint(_trace_path(ghosts, scale), "faint")
    shown = _columns(samples, scale, scale.columns * DOTS_ACROSS)
    if band is not None:
        range_of_all = _columns(band, scale, scale.columns * DOTS_ACROSS)
        picture.paint(_shade(range_of_all, scale), "raw")
    if samples.smoothed is not None:
        if band is None:
            picture.paint(_shade(shown, scale), "raw")
    elif (shown.low == shown.high).all():
        picture.paint(_line(shown, scale, scale.columns * DOTS_ACROSS), "smooth")
    else:  # a line through all extremes would cover the same dots, at four times the cost
        picture.paint(_shade(shown, scale), "smooth")
    if reference is not None:
        dotted = _trace_path(reference, scale)
        picture.paint(np.where(dotted & 0x47, dotted & _LEFT_DOTS, BLANK).astype(np.uint32), "info")
    if samples.smoothed is not None:
        picture.paint(_strong_line(samples, scale), "smooth")
    _stamp_clipped(picture, shown, scale)
    return picture


def paint_series(picture: Picture, samples: Samples, scale: Scale, style: str) -> int | None:
    """Draw one of several series over what is there: its smoothed line, else what it is; its last column, if any."""
    shown = _columns(samples, scale, scale.columns * DOTS_ACROSS)
    if not len(shown.columns):
        return None
    layer = _shade(shown, scale) if samples.smoothed is None else _strong_line(samples, scale)
    picture.paint(layer, style)
    return int(shown.columns[-1]) // DOTS_ACROSS


def _columns(samples: Samples, scale: Scale, columns: int) -> Envelope:
    """The extremes of each column; what has no place on a logarithmic axis is a hole."""
    x, low, high = samples.x, samples.low, samples.high
    is_in = (x >= scale.x.low) & (x <= scale.x.high)
    if not is_in.all():
        x, low, high = x[is_in], low[is_in], high[is_in]
    if scale.y.is_log:
        high = np.where(high > 0, high, np.nan)
        low = np.where(low > 0, low, np.where(high > 0, scale.y.low, np.nan))
    lost = samples.lost[(samples.lost >= scale.x.low) & (samples.lost <= scale.x.high)]
    return envelope(scale.x.cells(x, columns), low, high, mean=None, holes=scale.x.cells(lost, columns))


def _shade(shape: Envelope, scale: Scale) -> Codes:
    dots = scale.rows * DOTS_DOWN
    low, high = scale.y.levels(shape.low, dots), scale.y.levels(shape.high, dots)
    codes = draw_bands(shape.columns, low, high, (scale.columns, scale.rows), shape.gaps())
    return _with_lone_point(codes, shape)


def _with_lone_point(codes: Codes, shape: Envelope) -> Codes:
    """A single point is hard to find as one braille dot."""
    if len(shape.columns) == 1:
        codes[codes != BLANK] = ord("•")
    return codes


def _strong_line(samples: Samples, scale: Scale) -> Codes:
    """The smoothed line, a point a column, and fewer where it is straight."""
    assert samples.smoothed is not None
    x, y = samples.x, samples.smoothed
    is_in = (x >= scale.x.low) & (x <= scale.x.high)
    y = y[is_in] if not scale.y.is_log else np.where(y[is_in] > 0, y[is_in], np.nan)
    return _line(envelope(scale.x.cells(x[is_in], scale.columns), y, y), scale, scale.columns)


def _line(shape: Envelope, scale: Scale, columns: int) -> Codes:
    """A line through the means of so many columns, with no more points than it has bends."""
    gaps, heights = shape.gaps(), scale.y.fractions(shape.mean)
    kept = _bends(shape.columns, heights * scale.rows * DOTS_DOWN, gaps)
    across = (shape.columns[kept] + 0.5) / columns
    breaks = np.searchsorted(kept, gaps).tolist()
    rows = plot(across, heights[kept], (0.0, 1.0, 0.0, 1.0), (scale.columns, scale.rows), breaks)
    return _with_lone_point(to_codes(rows, scale.columns).copy(), shape)


def _bends(x: npt.NDArray[np.int64], dots: Floats, gaps: Sequence[int]) -> npt.NDArray[np.int64]:
    """The indices of points that a line through the others would miss; the ends of each piece are among them."""
    kept = np.arange(len(x))
    fixed = np.zeros(len(x), np.bool_)
    fixed[[0, *gaps, *(gap - 1 for gap in gaps), len(x) - 1] if len(x) else []] = True
    for _ in range(_THINNINGS):
        if len(kept) < 3:
            break
        before, here, after = kept[:-2], kept[1:-1], kept[2:]
        share = (x[here] - x[before]) / (x[after] - x[before])
        away = np.abs(dots[before] + share * (dots[after] - dots[before]) - dots[here])
        is_flat = (away < _FLAT_DOTS) & ~fixed[here]
        is_flat[1::2] = False
        kept = np.concatenate((kept[:1], here[~is_flat], kept[-1:]))
    return kept


def _trace_path(path: Path, scale: Scale) -> Codes:
    """A plain line as dots; what is beyond the range is not drawn, and has no say in what the range is."""
    is_seen = (path.y >= scale.y.low) & (path.y <= scale.y.high)
    y = np.where(is_seen, path.y, np.nan)
    shape = _columns(Samples(path.x, y, y, lost=path.x[~is_seen]), scale, scale.columns * DOTS_ACROSS)
    dots = scale.y.levels(shape.mean, scale.rows * DOTS_DOWN)
    return draw_bands(shape.columns, dots, dots, (scale.columns, scale.rows), shape.gaps())


def _stamp_clipped(picture: Picture, shape: Envelope, scale: Scale) -> None:
    """Arrows in the outermost rows over the columns whose extremes are beyond the range."""
    cells = shape.columns // DOTS_ACROSS
    over, under = cells[shape.high > scale.y.high], cells[shape.low < scale.y.low]
    if len(over):
        picture.stamp(0, over.tolist(), "▴", "warning")
    if len(under):
        picture.stamp(-1, under.tolist(), "▾", "warning")
