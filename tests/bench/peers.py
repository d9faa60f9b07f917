"""Programs for the terminal that people have open all day: ours, and others to be measured beside it.

`lnav` comes from the distribution, `wandb` (LEET) and `nvitop` from the extra `bench`. Nothing of them reaches the
network: W&B is told to stay offline.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from tests.bench.terminal import CAN_SEE


def quiet_environment(home: Path) -> dict[str, str]:
    """An environment in which a program finds a home of its own, leaves nothing elsewhere and calls nobody."""
    return {
        **os.environ,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "XDG_STATE_HOME": str(home),
        "WANDB_MODE": "offline",
        "WANDB_ERROR_REPORTING": "false",
    }


def milepost(address: str) -> list[str]:
    """The command that watches a log as if for the first time."""
    return [sys.executable, "-m", "tui", "watch", "--fresh", address]


def lnav(log: Path) -> list[str]:
    """The command that follows a log in lnav.

    Raises:
        FileNotFoundError: It is not installed.
    """
    if (command := shutil.which("lnav")) is None:
        raise FileNotFoundError("lnav is not installed")
    return [command, str(log)]


def leet(run: Path) -> list[str]:
    """The command that shows a W&B run in LEET.

    Raises:
        FileNotFoundError: It is not installed, or its screen can't be read.
    """
    if find_spec("wandb") is None or not CAN_SEE:
        raise FileNotFoundError("LEET is not installed (the extra `bench`)")
    return [sys.executable, "-m", "wandb", "leet", "run", str(run)]


def nvitop(home: Path) -> list[str]:
    """The command that shows the GPUs in nvitop.

    Raises:
        FileNotFoundError: It is not installed, or does not start here, as where there is no driver of NVIDIA.
    """
    if find_spec("nvitop") is None:
        raise FileNotFoundError("nvitop is not installed (the extra `bench`)")
    command = [sys.executable, "-m", "nvitop"]
    once = subprocess.run(
        [*command, "--once"], capture_output=True, check=False, env=quiet_environment(home), timeout=60
    )
    if once.returncode:
        reason = (once.stderr or once.stdout).decode(errors="replace").strip().partition("\n")[0]
        raise FileNotFoundError(f"nvitop does not start here ({reason.rstrip('.')})")
    return command
