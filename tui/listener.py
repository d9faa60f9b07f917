"""Who is told what comes in: entry by entry, with the alerts and the changes of file between them."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from tui.decode.batch import Batch, Floats
from tui.events import FileReplaced, LinkChanged
from tui.health.alerts import AlertChange
from tui.health.watch import RunChange
from tui.store.run import Run


class Listener(Protocol):
    """Is told what comes in, as it comes, in the order of the log."""

    def entry_decoded(self, step: float, values: Mapping[str, float]) -> None:
        """One entry was read; its step is NaN where the log gave none that is a number."""

    def alert_changed(self, change: AlertChange) -> None:
        """An alert was raised, changed or cleared by the entry that was told last."""

    def link_changed(self, link: LinkChanged) -> None:
        """The way to the log is in another state."""

    def file_replaced(self, replaced: FileReplaced) -> None:
        """What comes from now on is of another file, or of this one begun anew."""


class Replacement(Struct, frozen=True):
    """A change of file in the middle of a run; `step` is that of the first entry after it, None before one came.

    `gap` is true where bytes of the old file may have gone unread.
    """

    reason: str
    gap: bool
    step: float | None = None


_REASONS = {
    "truncated": "the log was cut short",
    "rotated": "the log was rotated",
    "replaced": "the log was replaced by another file",
    "scrolled": "the pane was cleared, or printed more than its history holds",
}


def describe_reason(reason: str) -> str:
    """What happened to the file, for a person; a reason that is a sentence says it itself."""
    return _REASONS.get(reason, reason)


def tell_batch(listener: Listener, run: Run, batch: Batch, steps: Floats, changes: list[RunChange]) -> None:
    """Tell a batch entry by entry, each followed by what it did to the alerts."""
    rows: list[tuple[int, tuple[str, ...], Floats]] = []
    for group in batch.rows:
        rows += zip(group.at.tolist(), [group.fields] * len(group.at), group.values, strict=True)
    rows.sort(key=lambda row: row[0])
    pending = deque(changes)
    for at, fields, values in rows:
        named = dict(zip(fields, values.tolist(), strict=True))
        named.pop(run.axis_of(fields) or "", None)
        listener.entry_decoded(float(steps[at]), named)
        while pending and pending[0].at <= at:
            listener.alert_changed(pending.popleft().change)
