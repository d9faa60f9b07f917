"""What is new in a text that is only ever seen through a window: its lines are matched with those seen before."""

from __future__ import annotations

from collections.abc import Sequence

KEPT_LINES = 60_000
"""How many lines are remembered: more than a pane's history is set to hold by all but the most careful."""

SURE_LINES = 3
"""So many lines in common make an overlap sure; where fewer were ever seen, all of them do."""


class Transcript:
    """The lines of a window that were handed on, and what of another look at it is new."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []

    def take(self, lines: Sequence[bytes], rewritable: int) -> Sequence[bytes] | None:
        """The lines that are new, which count as handed on from now; None where no overlap is sure.

        The longest end of the lines seen before that `lines` begin with is the overlap. The last `rewritable` lines
        may have been written over since, as a progress bar is: the fewest of them are given up that leave an overlap.
        """
        if not self._lines:
            return self._add(0, lines)
        for begin in (0, 1):  # the first may be the rest of a wrapped line, cut by the window's edge
            window = lines[begin:]
            seen = self._lines[-len(window) - rewritable :]  # no line before can be part of an overlap
            overlaps = _overlaps(seen, window)
            for given_up in range(min(rewritable, len(seen) - 1) + 1):
                overlap = overlaps[len(seen) - given_up]
                if _is_sure(window[:overlap], len(self._lines) - given_up):
                    return self._add(given_up, window[overlap:])
        return None

    def start_over(self, lines: Sequence[bytes]) -> Sequence[bytes]:
        """Hand on all lines: what was seen before is not known any more."""
        self._lines = []
        return self._add(0, lines)

    def _add(self, given_up: int, new: Sequence[bytes]) -> Sequence[bytes]:
        del self._lines[len(self._lines) - given_up :]
        self._lines += new
        del self._lines[:-KEPT_LINES]
        return new


def _is_sure(overlap: Sequence[bytes], seen: int) -> bool:
    return len(overlap) == seen or (len(overlap) >= SURE_LINES and any(line.strip() for line in overlap))


def _overlaps(text: Sequence[bytes], window: Sequence[bytes]) -> list[int]:
    """For each n from 0 to all of the text, the length of the longest end of its first n lines that begins the window.

    Knuth, Morris and Pratt (1977), section 2: time is linear in both lengths.
    """
    overlaps = [0]
    if not window:
        return overlaps * (len(text) + 1)
    border = _borders(window)
    length = 0
    for line in text:
        if length == len(window):
            length = border[length - 1]
        while length and window[length] != line:
            length = border[length - 1]
        length += window[length] == line
        overlaps.append(length)
    return overlaps


def _borders(window: Sequence[bytes]) -> list[int]:
    """For each beginning of the window, the length of its longest end, short of itself, that begins it too."""
    borders = [0]
    length = 0
    for line in window[1:]:
        while length and window[length] != line:
            length = borders[length - 1]
        length += window[length] == line
        borders.append(length)
    return borders
