"""Runs a program without a shell, without input, for a limited time."""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from contextlib import suppress

from msgspec import Struct

TOLD_BYTES = 2000
"""How much of what it prints is kept."""

_LATE_S = 0.5  # a grandchild may hold the pipe open after the program's end; its words are not waited for


class ProgramError(Exception):
    """A program could not be started, or did not end in time; the message says which and why."""


class Ended(Struct, frozen=True):
    """How a program ended: its exit code, and the beginning of what it printed."""

    code: int
    out: bytes
    error: bytes


async def run_program(argv: Sequence[str], timeout_s: float) -> Ended:
    """Run a program to its end; it is killed with all its children when the time is over.

    Raises:
        ProgramError: There is no such program, it may not be run, or the time was over.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *argv, stdin=DEVNULL, stdout=PIPE, stderr=PIPE, start_new_session=True
        )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ProgramError(f"{argv[0]} can't be run: {reason}") from error
    try:
        async with asyncio.timeout(timeout_s):
            code = await process.wait()
    except TimeoutError:
        raise ProgramError(f"{argv[0]} did not end within {timeout_s:g} s, and was killed") from None
    finally:
        if process.returncode is None:
            await _kill(process)
    return Ended(code, await _read(process.stdout), await _read(process.stderr))


async def _read(stream: asyncio.StreamReader | None) -> bytes:
    assert stream is not None
    with suppress(TimeoutError):
        async with asyncio.timeout(_LATE_S):
            return await stream.read(TOLD_BYTES)
    return b""


async def _kill(process: Process) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
