"""Everything that can be configured: a frozen record for each table, a field for each key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from msgspec import Struct, field
from msgspec.structs import replace

from tui.config import values
from tui.config.declaring import Key, Nested, Problem, Section, keys_of
from tui.config.mistakes import Place, nowhere, suggest
from tui.config.values import Points
from tui.formula import parse_formula
from tui.roles import Role

ALERT_KINDS = (
    "plateau", "decline", "gradient_collapse", "gradient_explosion", "spike", "cliff", "divergence", "nonfinite",
    "frozen", "zero_loss", "stall", "slowdown", "restart", "discontinuity", "overfit", "clipped_gradient",
    "log_error", "straggler", "checkpoint_overdue", "disk_full",
)  # fmt: skip
"""The kinds of alerts, each of which `[health.KIND]` may configure."""

AXES = ("step", "tokens", "epoch", "relative", "wall")
"""What curves may be drawn over."""

FLEET_COLUMNS = ("host", "state", "step", "progress", "loss", "curve", "rate", "eta", "age", "alert")
"""What a row of the fleet may tell besides the run's name."""

PLACEHOLDERS = ("title", "message", "run", "target", "kind", "severity", "step")
"""What stands in braces in a command of the user's."""

DESKTOPS = ("auto", "osc9", "osc777", "off")
"""How a desktop notification may be sent through the terminal."""

MUTE = "Whether its alerts are listed as remarks and never count for the verdict."


class HealthConfig(Section, frozen=True):
    """What the configuration says of alerts: `[health.KIND]` for all runs, `[runs.NAME.health.KIND]` for one.

    The defaults need no tuning; None stands for them.
    """

    mute: Mapping[str, bool] = {}
    """`mute = true`, under any kind."""
    floor: Annotated[
        float | None,
        Key(
            values.positive,
            "A norm that stays below it has collapsed, whatever it was before.",
            "0.1",
            kind="gradient_collapse",
        ),
    ] = None
    pause_s: Annotated[
        float | None,
        Key(
            values.positive,
            "A silence up to so many seconds is no stall; for evaluations of over 5 minutes.",
            "900",
            kind="stall",
        ),
    ] = None
    shift: Annotated[
        float | None,
        Key(
            values.share,
            "The least lasting change that matters, as a share of the metric's level (0.005).",
            "0.01",
            kind="cliff",
        ),
    ] = None
    drop: Annotated[
        float | None,
        Key(
            values.share,
            "The least loss of throughput that matters, as a share of it (0.12).",
            "0.3",
            kind="slowdown",
        ),
    ] = None

    def with_those_of(self, run: HealthConfig) -> HealthConfig:
        """These settings, with those of one run put over them."""
        own = {
            each.attribute: value
            for each in keys_of(HealthConfig).values()
            if (value := getattr(run, each.attribute)) is not None
        }
        return replace(self, mute={**self.mute, **run.mute}, **own)

    def is_muted(self, kind: str) -> bool:
        """Whether alerts of this kind are muted."""
        return self.mute.get(kind, False)


def read_health(value: object, at: Place) -> HealthConfig:
    """The tables of all kinds in one: each kind knows `mute`, and some one number."""
    mute: dict[str, bool] = {}
    numbers: dict[str, float] = {}
    kinds = values.table(value, at)
    at.check_keys(kinds, ALERT_KINDS)
    for kind in filter(kinds.__contains__, ALERT_KINDS):
        spot = at.into(kind)
        with spot.noting():
            own = values.table(kinds[kind], spot)
            known = {each.name: each for each in keys_of(HealthConfig).values() if each.kind == kind}
            spot.check_keys(own, ("mute", *known))
            for name in own:
                with spot.into(name).noting():
                    if name == "mute":
                        mute[kind] = values.switch(own[name], spot.into(name))
                    elif name in known:
                        numbers[name] = known[name].read(own[name], spot.into(name))
    return HealthConfig(mute, **numbers)


class Goal(Struct, frozen=True):
    """A value that a metric is to have reached at some step."""

    step: float
    value: float


def read_goal(value: object, at: Place) -> Goal:
    """`[step, value]`."""
    return Goal(*values.points([value], at)[0])


class DerivedConfig(Section, frozen=True):
    """A metric that is worked out from logged ones, `[runs.NAME.derived.METRIC]`.

    It is one of three: `source` through `points`, the mean of the last `average` entries of `source`, or `expr`.
    """

    source: Annotated[
        str | None, Key(values.text, "The metric that it is worked out from.", '"accuracy"', name="from")
    ] = None
    points: Annotated[
        Points,
        Key(
            values.points,
            "Its values at some of that metric's: linear between them, flat outside.",
            "[[0.17, 3.1], [0.30, 5.2], [0.35, 6.0]]",
        ),
    ] = ()
    average: Annotated[
        int | None, Key(values.count, "Over how many of that metric's last entries its mean is taken.", "50")
    ] = None
    expr: Annotated[
        str | None,
        Key(
            values.text,
            "A formula of metrics and numbers with + - * / and parentheses, instead of `from`.",
            '"ddtree_streak8 / avg_streak"',
        ),
    ] = None
    place: Place = field(default_factory=nowhere)

    def problems(self) -> Iterable[Problem]:
        """One way to work it out, not none and not two."""
        is_moved = bool(self.points) + (self.average is not None)
        if self.expr is not None:
            if self.source is not None or is_moved:
                yield ("expr",), "stands alone; leave out from, points and average"
            try:
                parse_formula(self.expr)
            except ValueError as error:
                yield ("expr",), f"is no formula: {error}"
        elif self.source is None:
            yield (), "needs expr, or from with points or average"
        elif is_moved != 1:
            yield ("from",), "needs points or average, one of them"


class ReferenceConfig(Section, frozen=True):
    """What a run is compared with, `[runs.NAME.reference.OTHER]`: another log, or points typed from a paper."""

    source: Annotated[
        str | None, Key(values.text, "Where its numbers come from, in a few words.", '"paper, table 2"')
    ] = None
    target: Annotated[
        str | None,
        Key(
            values.address,
            "The address or the name of another run, instead of points.",
            '"gpu-box:/runs/b/log.jsonl"',
        ),
    ] = None
    curves: Annotated[
        Mapping[str, Points],
        Key(
            values.each(values.points),
            "The values of a metric, by its name, at some steps.",
            "[[1000, 0.11], [20000, 0.31]]",
            name="METRIC",
            is_rest=True,
        ),
    ] = {}
    place: Place = field(default_factory=nowhere)

    def problems(self) -> Iterable[Problem]:
        """Either of the two."""
        if self.target is None and not self.curves:
            yield (), "needs target, or points of a metric: accuracy = [[1000, 0.11], [20000, 0.31]]"
        elif self.target is not None and self.curves:
            yield (
                ("target",),
                f"can't stand beside points of {next(iter(self.curves))}; make them two references",
            )


class RunConfig(Section, frozen=True):
    """What the configuration says of one named run, `[runs.NAME]`."""

    target: Annotated[
        tuple[str, ...],
        Key(
            values.addresses,
            "The address of its log; a list of addresses is one run in several files.",
            '"gpu-box:pct/200:/workspace/train_log.jsonl"',
        ),
    ] = ()
    join: Annotated[
        bool, Key(values.switch, "Whether all files that a pattern in target matches are one run.")
    ] = False
    ranks: Annotated[
        bool,
        Key(values.switch, "Whether each file that target names or matches is that of one rank of the run."),
    ] = False
    via: Annotated[
        tuple[str, ...],
        Key(
            values.prefixes,
            "Command prefixes in front of the containers, as with --via.",
            '["srun --jobid=42 --overlap"]',
        ),
    ] = ()
    metrics: Annotated[
        tuple[str, ...] | None,
        Key(
            values.texts,
            "The metrics to show, in this order, patterns allowed; all, where it is left out.",
            '["loss", "accuracy", "ddtree_*"]',
        ),
    ] = None
    milestones: Annotated[
        tuple[float, ...] | None,
        Key(values.steps, "The steps of the milestone table, instead of automatic ones.", "[100, 500, 1000]"),
    ] = None
    roles: Annotated[
        Mapping[str, Role],
        Key(
            values.each(values.role),
            f"What a field is, where the guess is wrong: {', '.join(Role)}.",
            '{ score = "quality" }',
        ),
    ] = {}
    rename: Annotated[
        Mapping[str, str],
        Key(
            values.each(values.text),
            "Other names of fields; joins curves that two scripts named differently.",
            '{ ce = "loss" }',
        ),
    ] = {}
    total_steps: Annotated[
        float | None, Key(values.positive, "How many steps the run has, from counted_from on.", "45375")
    ] = None
    batches_per_epoch: Annotated[
        float | None,
        Key(values.positive, "With epochs, makes total_steps: batches × epochs ÷ accumulation.", "30250"),
    ] = None
    epochs: Annotated[float | None, Key(values.positive, "How many epochs the run has.", "6")] = None
    gradient_accumulation: Annotated[float, Key(values.positive, "Batches in one step.", "4")] = 1.0
    counted_from: Annotated[
        float, Key(values.step, "The step at which this count began, where a script began anew.", "15000")
    ] = 0.0
    tokens_per_step: Annotated[
        Points,
        Key(
            values.number_by_step,
            "Tokens in one step: a number, or pairs of a step and the number from there on.",
            "[[1, 12000], [15001, 260000]]",
        ),
    ] = ()
    tokens_per_epoch: Annotated[
        float | None, Key(values.positive, "Tokens in one epoch.", "1_880_000_000")
    ] = None
    goal: Annotated[
        Mapping[str, Goal],
        Key(
            values.each(read_goal),
            "A value of a metric to reach by a step: [step, value].",
            "{ accuracy = [45000, 0.30] }",
        ),
    ] = {}
    checkpoints: Annotated[
        str | None,
        Key(
            values.text,
            "The folder of its checkpoints, on the log's machine; looked for beside the log, where it is left out.",
            '"/workspace/checkpoints"',
        ),
    ] = None
    best: Annotated[
        str | None,
        Key(
            values.text, "The metric by which a checkpoint is the best; a quality, else a loss.", '"accuracy"'
        ),
    ] = None
    gpus: Annotated[
        bool, Key(values.switch, "Whether its machine's GPUs are shown, where it has nvidia-smi or rocm-smi.")
    ] = True
    derived: Annotated[
        Mapping[str, DerivedConfig],
        Key(values.each(Nested(DerivedConfig)), "Metrics that are worked out from logged ones."),
    ] = {}
    reference: Annotated[
        Mapping[str, ReferenceConfig],
        Key(
            values.each(Nested(ReferenceConfig)),
            "What it is compared with: another log, or points from a paper.",
        ),
    ] = {}
    health: Annotated[
        HealthConfig, Key(read_health, "Alerts of this run, over what [health.KIND] says of all.")
    ] = HealthConfig()
    place: Place = field(default_factory=nowhere)

    @property
    def last_step(self) -> float | None:
        """The step at which the run will be done: its steps, or batches × epochs ÷ accumulation, from its start on."""
        steps = self.total_steps
        if steps is None and self.batches_per_epoch is not None and self.epochs is not None:
            steps = self.batches_per_epoch * self.epochs / self.gradient_accumulation
        return None if steps is None else self.counted_from + steps

    def problems(self) -> Iterable[Problem]:
        """It has a target, and its numbers belong together."""
        if not self.target:
            yield (), 'has no target; add target = "HOST:/path/to/log"'
        if self.ranks and self.join:
            yield ("ranks",), "can't stand beside join; leave out one of them"
        if (self.batches_per_epoch is None) != (self.epochs is None):
            given, lacking = ("epochs", "batches_per_epoch")
            if self.epochs is None:
                given, lacking = lacking, given
            yield (given,), f"says nothing without {lacking}"


class NotifyConfig(Section, frozen=True):
    """Who is told when nobody looks, `[notify]`."""

    bell: Annotated[
        bool, Key(values.switch, "Ring the terminal's bell, which also flags the window in tmux.")
    ] = True
    desktop: Annotated[
        str,
        Key(values.choice(DESKTOPS), f"A desktop notification through the terminal: {', '.join(DESKTOPS)}."),
    ] = "auto"
    tmux: Annotated[
        bool, Key(values.switch, "A message in tmux's status line, where Milepost runs inside tmux.")
    ] = True
    on_alert: Annotated[
        tuple[str, ...],
        Key(
            values.command(PLACEHOLDERS),
            f"A command, run without a shell; knows {', '.join('{' + name + '}' for name in PLACEHOLDERS)}.",
            '["notify-send", "{title}", "{message}"]',
        ),
    ] = ()
    repeat_s: Annotated[
        float,
        Key(
            values.seconds,
            "The least time between two notifications of one kind for one metric of a run, in seconds.",
        ),
    ] = 600.0
    link_s: Annotated[
        float, Key(values.seconds, "How long a link must be lost or refused before that is told, in seconds.")
    ] = 60.0


class DisplayConfig(Section, frozen=True):
    """How runs are shown at first, `[display]`; what a person changes on the screen goes over it."""

    metrics: Annotated[
        tuple[str, ...] | None,
        Key(
            values.texts,
            "The metrics to show, in this order, patterns allowed, for runs that name none.",
            '["loss", "acc*"]',
        ),
    ] = None
    milestones: Annotated[
        tuple[float, ...] | None,
        Key(values.steps, "The steps of the milestone table, for runs that name none.", "[100, 500, 1000]"),
    ] = None
    x: Annotated[str, Key(values.choice(AXES), f"What curves are drawn over: {', '.join(AXES)}.")] = "step"
    smooth: Annotated[int, Key(values.span, "Over how many entries curves are smoothed; 0 for none.")] = 100
    log_x: Annotated[bool, Key(values.switch, "Whether curves are drawn over a logarithmic axis.")] = False
    log_y: Annotated[
        bool, Key(values.switch, "Whether values are drawn on a logarithmic axis, where they are positive.")
    ] = False


class FleetConfig(Section, frozen=True):
    """The overview of many runs, `[fleet]`."""

    columns: Annotated[
        tuple[str, ...], Key(values.choices(FLEET_COLUMNS), "What a row tells, in this order.")
    ] = FLEET_COLUMNS


class Config(Section, frozen=True):
    """The whole configuration."""

    theme: Annotated[
        str | None, Key(values.text, "The palette; milepost --theme list names them.", '"dark"')
    ] = None
    display: Annotated[DisplayConfig, Key(Nested(DisplayConfig), "How runs are shown at first.")] = (
        DisplayConfig()
    )
    keys: Annotated[
        Mapping[str, values.Binding],
        Key(values.bindings, 'Other keys for actions, by the names that the help shows: run.smooth = "S".'),
    ] = {}
    notify: Annotated[NotifyConfig, Key(Nested(NotifyConfig), "Who is told when nobody looks.")] = (
        NotifyConfig()
    )
    fleet: Annotated[FleetConfig, Key(Nested(FleetConfig), "The overview of many runs.")] = FleetConfig()
    groups: Annotated[
        Mapping[str, tuple[str, ...]],
        Key(
            values.each(values.members),
            "Several runs under one name, as names or addresses.",
            '["drafter", "gpu-box:/runs/b.jsonl"]',
        ),
    ] = {}
    runs: Annotated[
        Mapping[str, RunConfig], Key(values.each(Nested(RunConfig)), "Runs that have a name.")
    ] = {}
    health: Annotated[HealthConfig, Key(read_health, "Alerts of all runs.")] = HealthConfig()
    place: Place = field(default_factory=nowhere)

    def problems(self) -> Iterable[Problem]:
        """A name stands for one thing."""
        for name in self.groups:
            if name in self.runs:
                yield ("groups", name), "is also the name of a run; call the group otherwise"
        for name, members in self.groups.items():
            for member in filter(self._is_unknown, members):
                yield ("groups", name), f"names {member}, which is no run; {suggest(member, self.runs)}"
        for name, run in self.runs.items():
            for other, reference in run.reference.items():
                if reference.target is not None and self._is_unknown(reference.target):
                    path = ("runs", name, "reference", other, "target")
                    yield (
                        path,
                        f"is {reference.target}, which is no run; {suggest(reference.target, self.runs)}",
                    )

    def _is_unknown(self, text: str) -> bool:
        """Whether a word can only be meant as the name of a run, and is none: it has nothing of an address."""
        return text not in self.runs and not any(sign in text for sign in "/:.") and text != "-"
