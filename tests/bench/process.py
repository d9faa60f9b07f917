"""What a process of its own takes: processor time, memory, and the time on the clock."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

KILOBYTE = 1 if sys.platform == "darwin" else 1024
"""The unit of the peak that the kernel tells."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Processor time of user and kernel and time on the clock, in seconds; the peak of resident memory, in bytes."""

    cpu_s: float
    wall_s: float
    peak_bytes: int
    code: int = 0


def run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Usage:
    """Run a command to its end; what it prints is dropped."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall_s = time.monotonic() - began
    return Usage(usage.ru_utime + usage.ru_stime, wall_s, usage.ru_maxrss * KILOBYTE, process.returncode)


def least(
    commands: Mapping[str, Sequence[str]], rounds: int, environment: Mapping[str, str]
) -> dict[str, Usage]:
    """Run commands in turn, several times; of each the round that took the least, for the machine has other work."""
    found: dict[str, Usage] = {}
    for _ in range(rounds):
        for name, command in commands.items():
            usage = run(command, environment)
            if name not in found or usage.cpu_s < found[name].cpu_s:
                found[name] = usage
    return found
