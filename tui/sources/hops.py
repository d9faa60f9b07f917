"""The hops: for each kind of container, the command that runs another command in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tui.sources.trouble import impossible
from tui.target import Hop, Target


def _kubectl(parts: Sequence[str]) -> list[str]:
    """`POD`, `NAMESPACE/POD` or `NAMESPACE/POD/CONTAINER`."""
    namespace = ["-n", parts[0]] if len(parts) > 1 else []
    container = ["-c", parts[2]] if len(parts) > 2 else []
    return ["kubectl", "exec", "-i", *namespace, parts[min(1, len(parts) - 1)], *container, "--"]


PREFIXES: dict[str, Callable[[Sequence[str]], list[str]]] = {
    "docker": lambda parts: ["docker", "exec", "-i", parts[0]],
    "podman": lambda parts: ["podman", "exec", "-i", parts[0]],
    "pct": lambda parts: ["pct", "exec", parts[0], "--"],
    "lxc": lambda parts: ["lxc-attach", "-n", parts[0], "--"],
    "incus": lambda parts: ["incus", "exec", "-T", parts[0], "--"],
    "kubectl": _kubectl,
}
"""What stands before a command to run it in a container; none of them allocates a terminal, all pass stdin on."""


def through(target: Target, command: Sequence[str]) -> list[str]:
    """The words that, run on the target's host, run `command` at the end of its hops.

    Raises:
        Trouble: A hop of a kind that can't be entered, or a name that its command would take for an option.
    """
    words = [word for prefix in target.via for word in prefix]
    for hop in target.hops:
        words += _prefix(hop)
    return [*words, *command]


def _prefix(hop: Hop) -> list[str]:
    if hop.kind not in PREFIXES:
        raise impossible(
            f"{hop} can't be followed; name a log file instead, e.g. HOST:/path/to/train_log.jsonl"
        )
    if any(part.startswith("-") for part in hop.parts):
        raise impossible(f"{hop} is no {hop.kind} name: names don't begin with -; check the address")
    return PREFIXES[hop.kind](hop.parts)
