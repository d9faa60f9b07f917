"""How excursions begin: with a sudden shift, with a level that has crept up, or with a loss that follows its norm."""

from __future__ import annotations

import numpy as np

from tui.health.accord import Joint
from tui.health.creep import Best
from tui.health.excursion import RECOVERED_SHARE, RECOVERED_SIGMAS, Baseline, Course, Excursion
from tui.health.octets import WIDTH, Octets
from tui.health.sight import Sight
from tui.health.theilsen import fit_slope
from tui.health.track import Track
from tui.ordered import median

COURSE_ROWS, FEWEST_COURSE_ROWS = 32, 12
"""Rows before an onset that say where the metric would have gone, and the fewest of them."""


def begin_shift(track: Track, row: Sight, first: int, factor: float) -> Excursion:
    """The excursion of a shift with the bound times `factor`, whose values begin at a position among those kept."""
    octets = track.octets
    since = octets.values[: row.at + 1].ravel()[first:]
    return Excursion(
        int(octets.entries.ravel()[first]), float(octets.steps.ravel()[first]), row.before,
        recent=median(since), peak=float(np.max(since)), statistic=row.statistic * track.sign,
        threshold=row.bound * factor * track.sign, age=len(since), course=find_course(octets, first // WIDTH),
    )  # fmt: skip


def begin_creep(track: Track, row: Sight, best: Best, bound: float) -> Excursion:
    """The excursion of a level that lies above the best one by more than a bound."""
    before = Baseline(best.level, row.before.sigma, row.before.kappa)
    return Excursion(
        best.entry, best.step, before, recent=best.level, peak=best.level,
        statistic=track.sign * (row.level - best.level) / before.sigma,
        threshold=track.sign * bound / before.sigma, crept=True,
    )  # fmt: skip


def begin_joint(track: Track, joint: Joint) -> Excursion:
    """The excursion of a loss that has risen with its gradient norm; with less proof, it is also sooner over."""
    held = joint.held
    return Excursion(
        held.rise.onset_entry, held.onset_step, held.baseline, recent=joint.recent, peak=joint.recent,
        statistic=track.sign * joint.difference, threshold=track.sign * joint.bound, age=joint.age,
        norm=held.rise.norm, back_sigmas=min(RECOVERED_SIGMAS, RECOVERED_SHARE * joint.difference),
    )  # fmt: skip


def find_course(octets: Octets, row: int) -> Course | None:
    """Where a metric was surely going before a row (a position); None where too little is known.

    The pace is the cautious end of Theil and Sen's interval, for noise with a memory seems to go somewhere.
    """
    before = octets.medians[max(row - COURSE_ROWS, 0) : row]
    if len(before) < FEWEST_COURSE_ROWS:
        return None
    ages = WIDTH * np.arange(-len(before), 0.0)
    pace = min(fit_slope(ages, before).high, 0.0)
    return Course(median(before - pace * ages), pace)
