"""The scripts that are sent to the far end, as they are sent."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def read_script(*names: str) -> str:
    """Scripts of this folder, one after the other as one, without comments and indentation."""
    lines = (line.strip() for name in names for line in read_source(name).splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("#"))


def read_source(name: str) -> str:
    """A script as it was written, for somebody to read."""
    return Path(__file__).with_name(name).read_text("utf-8")
