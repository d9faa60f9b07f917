"""What an address means, in one line, while it is typed: where it leads, or what is wrong with it."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

from msgspec import Struct

from tui.errors import TargetError
from tui.target import HOP_KINDS, Hop, Target, parse_target

_NO_HOP = re.compile(r"([a-z]+)/[^:/]+:")
_CONTAINER = {"kubectl": "pod", "tmux": "tmux pane"}


class Meaning(Struct, frozen=True):
    """What an address means.

    `level` is `good` where it can be opened as it stands, `warning` where it can but most likely should not, `wrong`
    where it is no address, `empty` where there is nothing yet.
    """

    text: str
    level: str


def explain_address(text: str) -> Meaning:
    """Where an address leads, in words.

    >>> explain_address("gpu-box:pct/200:/w/log.jsonl").text
    'over SSH to gpu-box, in container pct/200, the file /w/log.jsonl'
    """
    text = text.strip()
    if not text:
        return Meaning("", "empty")
    try:
        target = parse_target(text)
    except TargetError as error:
        return Meaning(str(error).removeprefix(f"{text}: "), "wrong")
    if target.host and target.host.user and ":" in target.host.user:
        return Meaning(
            "an address can't hold a password; leave it out, it is asked for when it is needed", "wrong"
        )
    if target.is_stdin:
        return Meaning("standard input can be read only where milepost is started: … | milepost -", "wrong")
    return _doubt(target) or Meaning(", ".join([*_way(target), _what(target)]), "good")


def _way(target: Target) -> list[str]:
    steps = [f"over SSH to {target.host}"] if target.host else []
    if not target.host:
        steps.append("on this machine")
    return steps + [_step(hop) for hop in target.hops]


def _step(hop: Hop) -> str:
    return f"in {_CONTAINER.get(hop.kind, 'container')} {hop}"


def _what(target: Target) -> str:
    if target.is_pane:
        return "what it prints"
    home = "" if target.is_plain or target.path.startswith(("/", "~/")) else ", from its home"
    if target.has_pattern:
        return f"all that match {target.path}{home}"
    if target.path.endswith("/") or (target.is_plain and Path(target.path).expanduser().is_dir()):
        return f"the newest log in {target.path}{home}"
    return f"the file {target.path}{home}"


def _doubt(target: Target) -> Meaning | None:
    """What is an address, but hardly the one that was meant."""
    if target.host and (match := _NO_HOP.match(target.path)):
        near = difflib.get_close_matches(match[1], HOP_KINDS, 1)
        known = f"did you mean {near[0]}/?" if near else f"there are {', '.join(HOP_KINDS)}"
        return Meaning(f"{match[1]}/ is no kind of container; {known}", "warning")
    if target.is_plain and not target.has_pattern and not _is_there(target.path):
        return Meaning(
            f"there is no {target.path} on this machine (yet); elsewhere: HOST:/path/to/log", "warning"
        )
    return None


def _is_there(path: str) -> bool:
    try:
        return Path(path).expanduser().exists()
    except (OSError, RuntimeError):  # a name too long to be one, a home that there is not
        return False
