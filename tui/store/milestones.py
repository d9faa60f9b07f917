"""The milestone table: what the run said at chosen steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from tui.decode.batch import Floats, Indices
from tui.roles import Role
from tui.store.hidden import ROLES, Happening, Hidden, find_hidden
from tui.store.stream import Stream


class Row(Struct, frozen=True):
    """One milestone and the logged entry nearest to it; ties go to the earlier step.

    `step` is that entry's real step, None where the milestone is not reached yet. `values` holds what the entry
    logged; a field that it lacks is not in there. `steps` names the real step of a value that comes from another
    stream's entry, where it differs. `per_1000_steps` is the change since the row above, over the two real steps,
    in the metric's own sign, and `change` that in all. `is_dim`: the entry is nearer to a neighbouring milestone.
    `hidden` tells what happened since the row above that the values of both do not show. `differences` holds, by
    reference and then by metric, the value less that of the reference at the same step. `checkpoint` is the name of
    the one that was saved there.
    """

    milestone: float
    step: float | None
    values: Mapping[str, float] = field(default_factory=dict)
    per_1000_steps: Mapping[str, float] = field(default_factory=dict)
    steps: Mapping[str, float] = field(default_factory=dict)
    is_dim: bool = False
    change: Mapping[str, float] = field(default_factory=dict)
    hidden: tuple[Hidden, ...] = ()
    differences: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    checkpoint: str | None = None

    @property
    def is_reached(self) -> bool:
        """Whether the run has come to this milestone."""
        return self.step is not None

    def step_of(self, name: str) -> float | None:
        """The real step of a value."""
        return self.steps.get(name, self.step)


class Recent(Struct, frozen=True):
    """The means of the last `entries` entries, of finite values; NaN where there was nothing else."""

    entries: int
    values: Mapping[str, float]


class Table(Struct, frozen=True):
    """The milestone table: rows in rising order of milestones, columns in the order asked for."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    recent: Recent


class Nearest:
    """Finds the standing row of a stream that is nearest to a step; the later of several rows of one step."""

    def __init__(self, steps: Floats, rows: Indices | None = None) -> None:
        if bool((steps[1:] >= steps[:-1]).all()):  # as nearly every log has them
            self._steps, self._rows = steps, rows
            return
        order = np.argsort(steps, kind="stable")
        self._steps = steps[order]
        self._rows = order if rows is None else rows[order]

    def find(self, step: float) -> tuple[int, float] | None:
        """The row and its step; None where there is no row."""
        if not len(self._steps):
            return None
        after = int(np.searchsorted(self._steps, step))
        candidates = [index for index in (after - 1, after) if 0 <= index < len(self._steps)]
        best = min(candidates, key=lambda index: abs(float(self._steps[index]) - step))
        real = float(self._steps[best])
        last = int(np.searchsorted(self._steps, real, side="right")) - 1
        return last if self._rows is None else int(self._rows[last]), real


def automatic_milestones(stream: Stream) -> tuple[float, ...]:
    """1, 2, 5, 10, 20, 50, … from the stream's first step to the first milestone that is still ahead."""
    steps = stream.standing_steps()
    if not len(steps):
        return ()
    low, high = float(steps.min()) - (stream.cadence or 0.0) / 2, float(steps.max())
    found: list[float] = []
    for exponent in range(16):
        for digit in (1, 2, 5):
            milestone = float(digit * 10**exponent)
            if milestone >= low:
                found.append(milestone)
            if milestone > high:
                return tuple(found)
    return tuple(found)


def build_table(
    main: Stream,
    milestones: Sequence[float],
    columns: tuple[str, ...],
    sources: Mapping[str, Stream],
    recent: Recent,
    roles: Mapping[str, Role] | None = None,
    happenings: Sequence[Happening] = (),
) -> Table:
    """Put together the table.

    Args:
        main: The stream whose steps the milestones are.
        milestones: In any order; equal ones count once.
        columns: The fields to show.
        sources: The stream that each of them comes from.
        recent: What stands under the table.
        roles: The role of each column; without them excursions are not looked for.
        happenings: What began at some step, such as alerts.
    """
    points = watched_points(sources, roles, happenings) if roles else {}
    at = sorted(set(milestones))
    finders = {
        id(stream): Nearest(stream.standing_steps(), stream.standing_rows)
        for stream in (main, *sources.values())
    }
    rows: list[Row] = []
    for milestone in at:
        found = finders[id(main)].find(milestone)
        if found is None or not _is_reached(main, milestone, found[1]):
            rows.append(Row(milestone, None))
            continue
        values: dict[str, float] = {}
        steps: dict[str, float] = {}
        for name in columns:
            stream = sources[name]
            place = found if stream is main else _find_alike(main, stream, finders[id(stream)], milestone)
            value = stream.series[name].value_at(place[0]) if place else None
            if place and value is not None:
                values[name] = value
                if place[1] != found[1]:
                    steps[name] = place[1]
        above = next((row for row in reversed(rows) if row.is_reached), None)
        row = Row(milestone, found[1], values, {}, steps, _is_nearer_to_another(found[1], milestone, at))
        rows.append(row if above is None else _with_change(row, above))
        if roles and above is not None and above.step is not None:
            hidden = find_hidden(points, above.step, found[1], roles, happenings)
            rows[-1] = replace(rows[-1], hidden=hidden)
    return Table(columns, tuple(rows), recent)


def watched_points(
    sources: Mapping[str, Stream], roles: Mapping[str, Role], happenings: Sequence[Happening]
) -> dict[str, tuple[Floats, Floats]]:
    """Steps and values, by rising steps, of those metrics of which something may be hidden."""
    told = {name for each in happenings for name in each.metrics}
    watched = [name for name in sources if name in told or roles[name] in ROLES]
    return {name: _in_order(*sources[name].point_steps(name)) for name in watched}


def _find_alike(main: Stream, stream: Stream, finder: Nearest, milestone: float) -> tuple[int, float] | None:
    """The entry of another stream, where its steps are of the same kind as the main stream's."""
    return finder.find(milestone) if stream.axis == main.axis else None


def _is_reached(main: Stream, milestone: float, nearest: float) -> bool:
    """Whether no entry to come is expected to be nearer to the milestone than the nearest one so far."""
    if nearest >= milestone:
        return True
    following = nearest + (main.cadence or 0.0)
    return float(main.standing_steps().max()) >= milestone or milestone - nearest <= abs(
        following - milestone
    )


def _is_nearer_to_another(step: float, milestone: float, milestones: Sequence[float]) -> bool:
    return any(abs(step - other) < abs(step - milestone) for other in milestones)


def _with_change(row: Row, above: Row) -> Row:
    changes, in_all = {}, {}
    for name, value in row.values.items():
        before, step, step_before = above.values.get(name), row.step_of(name), above.step_of(name)
        if before is None or step is None or step_before is None or step == step_before:
            continue
        if np.isfinite(value - before):
            in_all[name] = value - before
            changes[name] = (value - before) / (step - step_before) * 1000
    return replace(row, per_1000_steps=changes, change=in_all)


def _in_order(steps: Floats, values: Floats) -> tuple[Floats, Floats]:
    """The points by rising steps."""
    if (steps[1:] >= steps[:-1]).all():
        return steps, values
    order = np.argsort(steps, kind="stable")
    return steps[order], values[order]
