"""Unwraps the lines that a container runtime keeps as JSON: Docker's json-file logs."""

from __future__ import annotations

from tui.decode.jsonl import load_object


def unwrap(line: bytes) -> bytes:
    """The line that a container runtime wrote down as JSON, with its time in front; any other line as it is."""
    if not line.startswith(b'{"log":'):
        return line
    row = load_object(line)
    if row is None or not isinstance(row.get("log"), str) or "stream" not in row:
        return line
    text, time = str(row["log"]).rstrip("\r\n"), row.get("time")
    is_object = text.lstrip().startswith("{")
    return (text if is_object or not isinstance(time, str) else f"{time} {text}").encode("utf-8", "replace")
