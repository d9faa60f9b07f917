"""What pictures of a long log need, made in small pieces between other work, so that drawing it never takes long."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from tui.store.run import Run

PIECE = 1 << 16
"""Values that are summarized at once: some 2 ms."""

FEW = 1 << 15
"""Entries that may be left to the drawing itself."""


class Readiness:
    """Keeps up with a run that is read in.

    Args:
        run: What is to be drawn.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._entries = 0
        self._task: asyncio.Task[None] | None = None

    @property
    def is_at_work(self) -> bool:
        """Whether a drawing had better wait."""
        return self._task is not None and not self._task.done()

    def keep_up(self, names: Sequence[str]) -> None:
        """Begin with what has come of these metrics, where that is much."""
        if self._run.entries - self._entries >= FEW and not self.is_at_work:
            self._entries = self._run.entries
            self._task = asyncio.create_task(self._take_in(names))

    def stop(self) -> None:
        """Leave what is not done yet."""
        if self._task is not None:
            self._task.cancel()

    async def _take_in(self, names: Sequence[str]) -> None:
        for name in names:
            if name in self._run.fields:
                while self._run.stream_of(name).standing(name, PIECE).behind:
                    await asyncio.sleep(0)
