"""From the command line and the configuration to feeds that are ready to read."""

from __future__ import annotations

import argparse
import math
import re
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from tui.beside import Beside
from tui.comparison import Comparison, Other
from tui.config import Config, ReferenceConfig, RunConfig, default_path, load_config
from tui.config.files import working_folder
from tui.errors import UsageError
from tui.feed import Feed, FeedOptions
from tui.listener import Listener
from tui.names import choose_metrics as choose_metrics  # the commands' own door to it
from tui.names import name_runs
from tui.roles import Role
from tui.sources.base import Source
from tui.sources.open import open_source
from tui.sources.ssh import Connections
from tui.store.budget import Budget
from tui.store.reference import from_points
from tui.target import Target, expand_range, join_targets, parse_target

_SCALES = {"": 1, "k": 1e3, "m": 1e6, "g": 1e9}


class Plan(Struct, frozen=True):
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
        looks_beside: bool = True,
    ) -> Feed:
        """A feed for it, over connections that it may share; nothing is connected yet.

        `stdin` is the descriptor that `-` stands for; `has_glimpses` asks that the end of a long log comes first,
        `looks_beside` whether checkpoints and GPUs are looked at.
        """
        source = self._join(connections) or open_source(
            self.target,
            connections,
            stdin=stdin,
            has_glimpses=has_glimpses,
            last_bytes=self.options.last_bytes,
        )
        return Feed(
            self.target,
            source,
            self.options,
            listener,
            comparison=self._comparison(connections),
            beside=self.make_beside(connections) if looks_beside else None,
        )

    def make_beside(self, connections: Connections) -> Beside:
        """Looks at the run's checkpoints and, unless it is over, at its GPUs."""
        has_gpus = self.options.has_gpus and not self.options.is_finished
        return Beside(self.target, connections, folder=self.options.checkpoints, has_gpus=has_gpus)

    def _join(self, connections: Connections) -> Source | None:
        """The source of a run that is logged in several files; None for one in a single file."""
        if not self.target.parts:
            return None
        if self.options.last_bytes:
            raise UsageError("--last is for one file; leave it out where several are joined")
        from tui.sources.joined import Joined
        from tui.sources.search import Search
        from tui.store.sequels import arrange_files

        return Joined(
            self.target.parts,
            lambda part: open_source(part, connections),
            lambda part: Search(part, connections),
            lambda heads, sizes: arrange_files(heads, sizes, self.options.log_format),
        )

    def _comparison(self, connections: Connections) -> Comparison:
        """What the run is compared with; the logs of other runs are not read yet."""
        typed, others = [], []
        for name, reference in self.options.reference.items():
            if reference.target is None:
                typed.append(from_points(name, reference.source or "", reference.curves))
            else:
                other = replace(
                    self, target=parse_target(reference.target), options=self._options_of_other(name)
                )
                source = reference.source or other.target.place
                others.append(Other(name, source, other.make_feed(connections, looks_beside=False)))
        return Comparison(typed, others, self.options.goals)

    def _options_of_other(self, name: str) -> FeedOptions:
        return replace(self.options, name=name, reference={}, goals={}, milestones=None, is_finished=True)

    def at(self, target: Target) -> Plan:
        """The same for one of the logs that its pattern matches."""
        return replace(self, target=target)


def plan_runs(args: argparse.Namespace) -> list[Plan]:
    """The runs that a command line names: by address, or by the name of a run or a group of the configuration.

    Raises:
        UsageError: No target was given.
        TargetError: One of them is no address.
        ConfigError: The configuration has a mistake.
    """
    config = read_configuration(args)
    texts = _find_targets(args, config)
    if getattr(args, "ranks", False):
        texts = [each for text in texts for each in expand_range(text)]
    found = [_find(text, tuple(args.via or ()), config) for text in texts]
    if getattr(args, "join", False) or getattr(args, "ranks", False):
        target = join_targets([part for target, _ in found for part in target.parts or (target,)])
        texts, found = [target.text], [(target, found[0][1])]
    names = name_runs([target for target, _ in found])
    named = [text if text in config.runs else name for text, name in zip(texts, names, strict=True)]
    return [
        Plan(target, _options(args, name, run, config), is_named=run is not None)
        for (target, run), name in zip(found, named, strict=True)
    ]


def plan_run(args: argparse.Namespace) -> Plan:
    """The one run that a command line names.

    Raises:
        MilepostError: As of `plan_runs`, or it names several.
    """
    plan, *others = plan_runs(args)
    if others:
        names = ", ".join(each.options.name for each in (plan, *others))
        raise UsageError(f"{args.targets[0]} is a group, and only one run can be shown here: one of {names}")
    return plan


def read_configuration(args: argparse.Namespace) -> Config:
    """The configuration that a command line names, or the usual one, with what folder and options say of display.

    Raises:
        ConfigError: It has a mistake.
    """
    config = load_config(Path(args.config) if args.config else None, working_folder())
    asked = {"x": getattr(args, "x", None), "smooth": getattr(args, "smooth", None)}
    given = {name: value for name, value in asked.items() if value is not None}
    if given.get("x") == "time":
        given["x"] = "relative"
    return replace(config, display=replace(config.display, **given)) if given else config


def revise_options(args: argparse.Namespace, options: FeedOptions, config: Config) -> FeedOptions:
    """What a run would be watched with by another configuration; its name stays."""
    return _options(args, options.name, config.runs.get(options.name), config)


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


def parse_screen(text: str) -> tuple[int, int]:
    """Columns and rows of a screen, from `120x40`.

    Raises:
        argparse.ArgumentTypeError: It is none, or not between 20x8 and 400x200.
    """
    match = re.fullmatch(r"(\d+)x(\d+)", text.strip())
    size = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (20 <= size[0] <= 400 and 8 <= size[1] <= 200):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no screen; give one from 20x8 to 400x200, such as 120x40"
        )
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


def _find_targets(args: argparse.Namespace, config: Config) -> list[str]:
    """The addresses and names of runs that are asked for; a group is its members, and nothing comes twice."""
    asked = list(config.runs) if getattr(args, "all", False) else args.targets
    if not asked and getattr(args, "all", False):
        raise UsageError(f"--all: no run has a name; add one to {args.config or default_path()}: [runs.NAME]")
    if not asked:
        raise UsageError("no target; give a log, for example: milepost gpu-box:/runs/a/train_log.jsonl")
    return list(dict.fromkeys(each for text in asked for each in config.groups.get(text, (text,))))


def _find(text: str, via: tuple[str, ...], config: Config) -> tuple[Target, RunConfig | None]:
    run = config.runs.get(text)
    if run is None:
        return parse_target(text, via), None
    texts = [each for text in run.target for each in (expand_range(text) if run.ranks else (text,))]
    targets = [parse_target(each, via or run.via) for each in texts]
    return join_targets(targets) if len(targets) > 1 or run.join or run.ranks else targets[0], run


def _options(args: argparse.Namespace, name: str, run: RunConfig | None, config: Config) -> FeedOptions:
    display, health = config.display, config.health
    return FeedOptions(
        name=name,
        log_format=args.log_format,
        metrics=args.metrics or (run.metrics if run else None) or display.metrics,
        milestones=args.at or (run.milestones if run else None) or display.milestones,
        roles=(dict(run.roles) if run else {}) | dict(getattr(args, "role", None) or ()),
        total_steps=run.last_step if run else None,
        budget=_budget(run) if run else Budget(),
        rename=run.rename if run else {},
        derived=run.derived if run else {},
        reference=_references(args, run),
        goals=run.goal if run else {},
        is_finished=getattr(args, "finished", False),
        last_bytes=getattr(args, "last", None),
        health=health.with_those_of(run.health) if run else health,
        checkpoints=run.checkpoints if run else None,
        best=run.best if run else None,
        has_gpus=run.gpus if run else True,
        has_ranks=getattr(args, "ranks", False) or (run is not None and run.ranks),
    )


def _references(args: argparse.Namespace, run: RunConfig | None) -> dict[str, ReferenceConfig]:
    """Those of the configuration, and the logs that the command line names."""
    given = getattr(args, "reference", None) or ()
    named = name_runs([parse_target(text) for text in given])
    asked = {name: ReferenceConfig(target=text) for name, text in zip(named, given, strict=True)}
    return {**(run.reference if run else {}), **asked}


def _budget(run: RunConfig) -> Budget:
    per_epoch = None if run.batches_per_epoch is None else run.batches_per_epoch / run.gradient_accumulation
    return Budget(
        last_step=run.last_step,
        counted_from=run.counted_from,
        epochs=run.epochs,
        steps_per_epoch=per_epoch,
        tokens_per_step=tuple(sorted(run.tokens_per_step)),
        tokens_per_epoch=run.tokens_per_epoch,
    )
