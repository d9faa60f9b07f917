"""Waiting for something to become true, which is the only way in which tests wait."""

import asyncio
from collections.abc import Callable

PATIENCE_S = 20.0
"""How long a condition may take to come true on a busy machine; nothing is measured by it."""


async def eventually(condition: Callable[[], object], patience_s: float = PATIENCE_S) -> None:
    """Return as soon as `condition()` is true.

    Raises:
        TimeoutError: It did not become true in `patience_s` seconds.
    """
    async with asyncio.timeout(patience_s):
        while not condition():
            await asyncio.sleep(0.01)
