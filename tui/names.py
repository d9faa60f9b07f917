"""Names: a short one for each run, and those of the metrics that patterns ask for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fnmatch import fnmatchcase

from tui.target import Target


def name_runs(targets: Sequence[Target]) -> list[str]:
    """A name for each target, in order.

    A single run is called by its file; where files are named alike, the folder joins it, then the container, then the
    host.

    >>> from tui.target import parse_target
    >>> name_runs([parse_target("box:/runs/a/log.jsonl"), parse_target("box:/runs/b/log.jsonl")])
    ['a/log.jsonl', 'b/log.jsonl']
    """
    parts = [_parts(target) for target in targets]
    lengths = [1] * len(parts)
    while True:
        names = [_join(each[-length:]) for each, length in zip(parts, lengths, strict=True)]
        shared = Counter(names)
        longer = [
            length + (shared[name] > 1 and length < len(each))
            for name, length, each in zip(names, lengths, parts, strict=True)
        ]
        if longer == lengths:
            return names
        lengths = longer


def _parts(target: Target) -> list[str]:
    """The address from its far end to its near one: host, hops, then the parts of the path."""
    hops = [str(target.host)] if target.host else []
    hops += [str(hop) for hop in target.hops]
    path = [part for part in target.path.split("/") if part not in ("", ".")]
    return [f"{hop}:" for hop in hops] + path or [target.text]


def _join(parts: Sequence[str]) -> str:
    text = ""
    for part in parts:
        text += part if part.endswith(":") or part is parts[-1] else part + "/"
    return text.rstrip(":") or text


def choose_metrics(fields: Sequence[str], patterns: Sequence[str] | None) -> tuple[str, ...]:
    """The fields that patterns name, in the order of the patterns; all of them without any.

    >>> choose_metrics(["loss", "acc1", "acc5"], ["acc*", "loss"])
    ('acc1', 'acc5', 'loss')
    """
    if patterns is None:
        return tuple(fields)
    return tuple(dict.fromkeys(name for pattern in patterns for name in fields if fnmatchcase(name, pattern)))
