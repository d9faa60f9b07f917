"""The scripts that are sent to the far end, as they are sent."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def read_script(*names: str) -> str:
    """Scripts of this folder, one after the other as one, without comments and indentation."""
    folder = files("tui.sources")
    text = "".join(folder.joinpath(name).read_text("utf-8") for name in names)
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("#"))
