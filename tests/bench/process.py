"""What processes take: processor time, memory, and the time on the clock."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

KILOBYTE = 1 if sys.platform == "darwin" else 1024
"""The unit of the peak that the kernel tells."""

_TICK_S = 1 / os.sysconf("SC_CLK_TCK")


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


def family(pid: int) -> list[int]:
    """A process and all that it and they have started, as far as they live."""
    found = [pid]
    for one in found:
        with suppress(OSError):
            for thread in Path(f"/proc/{one}/task").iterdir():
                found += [int(word) for word in (thread / "children").read_text().split()]
    return found


def cpu_s(pid: int) -> float:
    """The user and system CPU seconds of a process and its family so far."""
    total_s = 0.0
    for one in family(pid):
        with suppress(OSError):
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            total_s += (int(fields[11]) + int(fields[12])) * _TICK_S
    return total_s


def peak_bytes(pid: int) -> int:
    """The peaks of resident memory of a process and its family, added up."""
    total = 0
    for one in family(pid):
        with suppress(OSError):
            peak = re.search(r"^VmHWM:\s+(\d+) kB", Path(f"/proc/{one}/status").read_text(), re.MULTILINE)
            total += int(peak[1]) * 1024 if peak else 0
    return total


def resident_bytes() -> int:
    """The resident memory of this process now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
