"""From the command line and the configuration to feeds that are ready to read."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from tui.config import Config, HealthConfig, RunConfig, load_config
from tui.errors import UsageError
from tui.feed import Feed, FeedOptions
from tui.listener import Listener
from tui.names import name_runs
from tui.roles import Role
from tui.sources.open import open_source
from tui.sources.ssh import Connections
from tui.target import Target, parse_target

_SCALES = {"": 1, "k": 1e3, "m": 1e6, "g": 1e9}


@dataclass(frozen=True, slots=True)
class Plan:
    """One run that is to be read: where it is, and what it is watched with."""

    target: Target
    options: FeedOptions
    is_named: bool = False
    """Whether its name is the configuration's."""

    def make_feed(
        self,
        connections: Connections,
        listener: Listener | None = None,
        *,
        stdin: int = 0,
        has_glimpses: bool = False,
    ) -> Feed:
        """A feed for it, over connections that it may share; nothing is connected yet.

        `stdin` is the descriptor that `-` stands for; `has_glimpses` asks that the end of a long log comes first.
        """
        source = open_source(
            self.target,
            connections,
            stdin=stdin,
            has_glimpses=has_glimpses,
            last_bytes=self.options.last_bytes,
        )
        return Feed(self.target, source, self.options, listener)


def plan_runs(args: argparse.Namespace) -> list[Plan]:
    """The runs that a command line names, by address or by their name in the configuration.

    Raises:
        UsageError: No target was given.
        TargetError: One of them is no address.
        ConfigError: The configuration has a mistake.
    """
    config = load_config(Path(args.config) if args.config else None)
    if not args.targets:
        raise UsageError("no target; give a log, for example: milepost gpu-box:/runs/a/train_log.jsonl")
    found = [_find(text, tuple(args.via or ()), config) for text in args.targets]
    names = name_runs([target for target, _ in found])
    named = [text if text in config.runs else name for text, name in zip(args.targets, names, strict=True)]
    return [
        Plan(target, _options(args, name, run, config.health), is_named=run is not None)
        for (target, run), name in zip(found, named, strict=True)
    ]


def choose_metrics(fields: Sequence[str], patterns: Sequence[str] | None) -> tuple[str, ...]:
    """The fields that patterns name, in the order of the patterns; all of them without any.

    >>> choose_metrics(["loss", "acc1", "acc5"], ["acc*", "loss"])
    ('acc1', 'acc5', 'loss')
    """
    if patterns is None:
        return tuple(fields)
    return tuple(dict.fromkeys(name for pattern in patterns for name in fields if fnmatchcase(name, pattern)))


def parse_steps(text: str) -> tuple[float, ...]:
    """Steps from a list such as `100,500,1_000,2k`.

    Raises:
        argparse.ArgumentTypeError: One of them is no step.
    """
    return tuple(_parse_step(part.strip()) for part in text.split(",") if part.strip())


def parse_size(text: str) -> int:
    """Bytes from a size such as `50MB`, in powers of a thousand.

    >>> parse_size("50MB"), parse_size("1.5 GB"), parse_size("4096")
    (50000000, 1500000000, 4096)

    Raises:
        argparse.ArgumentTypeError: It is no size.
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kMG]?)B?", text.strip(), re.IGNORECASE)
    size = int(float(match[1]) * _SCALES[match[2].lower()]) if match else 0
    if not size:
        raise argparse.ArgumentTypeError(f"{text!r} is no size; give one such as 50MB")
    return size


def parse_patterns(text: str) -> tuple[str, ...]:
    """Metric names and patterns from a list such as `loss,acc*`."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def parse_role(text: str) -> tuple[str, Role]:
    """A field and its role, from `FIELD=ROLE`.

    Raises:
        argparse.ArgumentTypeError: There is no such role.
    """
    name, _, role = text.rpartition("=")
    try:
        return name, Role(role.strip())
    except ValueError:
        known = ", ".join(Role)
        raise argparse.ArgumentTypeError(f"{text!r} names no role; give FIELD=ROLE, of {known}") from None


def _parse_step(text: str) -> float:
    scale = {"k": 1e3, "M": 1e6}.get(text[-1:], 1.0)
    try:
        step = float(text if scale == 1.0 else text[:-1]) * scale
    except ValueError:
        step = math.nan
    if not math.isfinite(step) or step < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no step; give steps such as 100,500,1000")
    return step


def _find(text: str, via: tuple[str, ...], config: Config) -> tuple[Target, RunConfig | None]:
    run = config.runs.get(text)
    if run is None:
        return parse_target(text, via), None
    return parse_target(run.target, via or run.via), run


def _options(args: argparse.Namespace, name: str, run: RunConfig | None, health: HealthConfig) -> FeedOptions:
    return FeedOptions(
        name=name,
        log_format=args.log_format,
        metrics=args.metrics or (run.metrics if run else None),
        milestones=args.at or (run.milestones if run else None),
        roles=(dict(run.roles) if run else {}) | dict(getattr(args, "role", None) or ()),
        total_steps=run.total_steps if run else None,
        is_finished=getattr(args, "finished", False),
        last_bytes=getattr(args, "last", None),
        health=health.with_those_of(run.health) if run else health,
    )
