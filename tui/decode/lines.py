"""What one line of text says about a run: where it stands, and what was measured there."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from tui.decode.keyvalues import (
    COUNT_MARK,
    Key,
    Skeleton,
    find_keys,
    leads,
    read_printed,
    read_total,
    read_value,
    scan,
)
from tui.decode.numbers import Printed
from tui.roles import (
    EPOCH_NAMES,
    STEP_NAMES,
    Role,
    guess_role,
    is_epoch_name,
    is_evaluation,
    is_plainly_measured,
    is_step_name,
    normalize_name,
)

TEMPLATES = 2048
"""How many different lines are remembered; a program prints a few dozen."""

TEMPLATE_CHARS = 8192
"""The longest line that is remembered."""

_MEASURED = frozenset((Role.LOSS, Role.QUALITY, Role.GRAD_NORM, Role.LR, Role.THROUGHPUT))
_CONTEXT = frozenset((Role.TIME, Role.PROGRESS))
_OTHERS_ENOUGH = 3
"""So many numbers of unknown meaning at a known step are an entry too, as RL and GAN statistics are."""

_OTHERS_AFTER_STEP = 2
"""So many are enough where the line begins with the step."""

_CHOSEN_DECIMALS = 2
"""Settings are seldom written with more."""

_FILLERS = frozenset(
    "train training trainer global current at the in on optimizer learner progress"
    " val valid validation eval test".split()
)
_SPLIT_TAG = re.compile(
    r"(?:^|[\[(\s])(valid|validation|val|eval|evaluation|test|testing)"
    r"(?:\]|\)|:\s*(?=[A-Za-z\[])|\s+(?:set|epoch)\b|\s+-\s|:?\t)",
    re.IGNORECASE,
)
_TAG_REACH = 80
_KEY_TAG = re.compile(r"\((?:train|val|test|eval|valid)\)$")
_SPLITS = frozenset("train training val valid validation test eval".split())
_FOREIGN = re.compile(
    r"\bNamespace\(|^\W*(?:args|config|configs|cmd|arguments|hyperparameters)\b\W*[:={(]|Configs?: \{"
    r"|^\s*(?:def|class|import|from|return|print|assert|if|for|while|with|raise|elif|else|try|except|parser)\b.*[:(=]"
    r"|\bself\.|\btorch\.\w+\(|\bnn\.\w+\(|\bf['\"]|\blambda\b|->|\bargs\.|^\s*#\s*\w+.*[=(]| [-+*=!]= "
    r"|^\s*File \"|https?://|\bTraceback\b|\bWarning\b|\bNCCL\b"
)


@dataclass(slots=True)
class Line:
    """A line that was read: its position as printed, and its metrics by name.

    `total` is the N of a step printed as `n/N`, `epochs` that of an epoch. `is_whole` marks a step that stands before
    the epoch, and so counts the whole run. `is_evaluation` marks a row of held-out data.
    """

    step: Printed | None = None
    epoch: Printed | None = None
    total: float | None = None
    epochs: float | None = None
    metrics: dict[str, float] = field(default_factory=dict)
    is_evaluation: bool = False
    is_whole: bool = False


@dataclass(slots=True)
class _Template:
    """What is known of all lines with one skeleton, by the indices of their numbers.

    `plain` are the metrics whose name alone says that they were measured. `is_sure`: there is a position, and a metric
    that no setting is called.
    """

    step: int | None = None
    epoch: int | None = None
    metrics: tuple[tuple[int, str], ...] = ()
    shares: frozenset[int] = frozenset()
    others: tuple[int, ...] = ()
    plain: tuple[int, ...] = ()
    is_leading: bool = False
    is_named: bool = False
    is_first: bool = False
    is_sure: bool = False
    is_whole: bool = False
    is_evaluation: bool = False
    is_bare: bool = False


class LineReader:
    """Reads lines, and remembers what the different ones look like."""

    def __init__(self) -> None:
        self._templates: dict[Skeleton, _Template | None] = {}

    def read(self, text: str) -> Line | None:
        """What a bare line says, or None where it is no entry: no number, or none that measures a run."""
        skeleton, numbers = scan(text)
        if not numbers:
            return None
        template = self._find_template(skeleton, len(text))
        if template is None:
            return None
        line = _fill(template, numbers)
        return line if _is_entry(template, line, numbers) else None

    def _find_template(self, skeleton: Skeleton, length: int) -> _Template | None:
        try:
            return self._templates[skeleton]
        except KeyError:
            template = _make_template(skeleton)
        if length <= TEMPLATE_CHARS:
            if len(self._templates) >= TEMPLATES:
                self._templates.clear()
            self._templates[skeleton] = template
        return template


def is_evaluation_line(text: str) -> bool:
    """Whether a line says at its beginning that it is about held-out data."""
    return _SPLIT_TAG.search(text, 0, _TAG_REACH) is not None


def label_evaluation(metrics: dict[str, float]) -> dict[str, float]:
    """The metrics of an evaluation's row, under names that say so."""
    return {_label(name): value for name, value in metrics.items()}


@lru_cache(4096)
def position_kind(key: str) -> str:
    """`step`, `epoch` or `filler`, where a key says a position, else nothing.

    >>> [position_kind(key) for key in ("Train Epoch", "global step", "Iter(train)", "Training", "loss")]
    ['epoch', 'step', 'step', 'filler', '']
    """
    key = _KEY_TAG.sub("", key).strip()
    if is_step_name(key):
        return "step"
    if is_epoch_name(key):
        return "epoch"
    words = [word for word in re.split(r"[ _]", key.lower()) if word]
    rest = [word for word in words if word not in _FILLERS]
    if not rest:
        return "filler"
    if len(rest) > 1 or len(rest[0]) < 2:
        return ""
    return "step" if is_step_name(rest[0]) else "epoch" if is_epoch_name(rest[0]) else ""


def _make_template(skeleton: Skeleton) -> _Template | None:
    """Find out what the numbers of a line are; None where it is no line about a run."""
    if _FOREIGN.search("0".join(skeleton[::2])):
        return None
    keys = find_keys(skeleton)
    kinds = [position_kind(key.text) if key.text else "filler" for key in keys]
    template = _Template(is_evaluation=_is_evaluation(skeleton, keys, kinds))
    epochs = [number for number, kind in enumerate(kinds) if kind == "epoch"]
    template.epoch = min(epochs, key=lambda number: _epoch_rank(keys[number].text), default=None)
    steps = [number for number, kind in enumerate(kinds) if kind == "step"]
    if steps:
        template.step = min(steps, key=lambda number: _rank(keys[number].text))
        template.is_whole = template.epoch is None or template.step < template.epoch
    else:
        _take_bare_step(template, skeleton, kinds)
    template.is_named = bool(steps) or template.epoch is not None
    template.is_first = bool(steps) and steps[0] == 0 and not skeleton[0].strip()[:-1].count(" ")
    _take_metrics(template, skeleton, keys, kinds)
    return template


def _is_evaluation(skeleton: Skeleton, keys: Sequence[Key], kinds: Sequence[str]) -> bool:
    by_key = any(
        kind and key.text.endswith(("(val)", "(test)")) for key, kind in zip(keys, kinds, strict=True)
    )
    return by_key or is_evaluation_line("0".join(skeleton[::2]))


def _rank(key: str) -> int:
    name = normalize_name(key)
    return STEP_NAMES.index(name) if name in STEP_NAMES else 2


def _epoch_rank(key: str) -> int:
    name = normalize_name(key)
    return EPOCH_NAMES.index(name) if name in EPOCH_NAMES else 0


def _take_bare_step(template: _Template, skeleton: Skeleton, kinds: Sequence[str]) -> None:
    """The step of a line that has no word for it: an `n/N`, or a count that opens the line."""
    counts = [
        number
        for number, kind in enumerate(kinds)
        if kind == "filler" and skeleton[2 * number + 1] == COUNT_MARK
    ]
    is_leading = bool(kinds) and kinds[0] == "filler" and skeleton[1] == "" and leads(skeleton)
    if counts:
        template.step = counts[0]
    elif is_leading:
        template.step, template.is_leading = 0, True


def _take_metrics(template: _Template, skeleton: Skeleton, keys: Sequence[Key], kinds: Sequence[str]) -> None:
    taken = {template.step, template.epoch}
    metrics: dict[str, int] = {}
    for number, (key, kind) in enumerate(zip(keys, kinds, strict=True)):
        if number in taken or not key.text or kind == "epoch":
            continue
        metrics.setdefault(f"{key.text} loss" if key.text.lower() in _SPLITS else key.text, number)
    if len(skeleton) == 5 and template.is_leading and not "".join(skeleton).strip():
        template.is_bare = (
            True  # two numbers and nothing else are a step and what such a file is kept for, the loss
        )
        metrics["loss"] = 1
    roles = {name: guess_role(name) for name in metrics}
    template.shares = frozenset(
        number
        for name, number in metrics.items()
        if skeleton[2 * number + 1] == COUNT_MARK and roles[name] in (Role.QUALITY, Role.LOSS)
    )
    template.others = tuple(number for name, number in metrics.items() if roles[name] not in _CONTEXT)
    template.plain = tuple(number for name, number in metrics.items() if is_plainly_measured(name))
    has_position = template.step is not None or template.epoch is not None
    template.is_sure = has_position and any(
        role in _MEASURED and not name.endswith(("/s", "s/it", "ms/step")) for name, role in roles.items()
    )
    names = {name: _label(name) if template.is_evaluation else name for name in metrics}
    template.metrics = tuple((number, names[name]) for name, number in metrics.items())


def _label(name: str) -> str:
    return name if is_evaluation(name) or "train" in name.lower() else f"val/{name}"


def _fill(template: _Template, numbers: Sequence[re.Match[str]]) -> Line:
    line = Line(is_evaluation=template.is_evaluation, is_whole=template.is_whole)
    if template.step is not None:
        line.step, line.total = read_printed(numbers[template.step]), read_total(numbers[template.step])
        if template.is_leading and not (line.step.value.is_integer() and line.step.value >= 0):
            line.step = None
    if template.epoch is not None:
        line.epoch, line.epochs = read_printed(numbers[template.epoch]), read_total(numbers[template.epoch])
    line.metrics = {name: read_value(numbers[number]) for number, name in template.metrics}
    if template.shares:
        for number, name in template.metrics:
            if number in template.shares:
                line.metrics[name] /= read_total(numbers[number]) or math.nan  # `Accuracy: 9820/10000`
    return line


def _is_entry(template: _Template, line: Line, numbers: Sequence[re.Match[str]]) -> bool:
    if not line.metrics:
        return False
    if template.is_bare:
        return line.step is not None and not read_value(numbers[1]).is_integer()
    if line.step is None and line.epoch is None:
        return any(_is_measurement(numbers[number]) for number in template.plain)
    if template.is_sure:
        return True
    others = [read_value(numbers[number]) for number in template.others]
    enough = _OTHERS_AFTER_STEP if template.is_first else _OTHERS_ENOUGH
    return template.is_named and len(others) >= enough and not all(map(float.is_integer, others))


def _is_measurement(found: re.Match[str]) -> bool:
    """Whether a number without a position was measured, and not chosen: it has many decimals, or is none at all."""
    value = read_value(found)
    if not math.isfinite(value) or not (value * 100).is_integer() or found["of"] is not None:
        return True
    return len((found["digits"] or "").partition(".")[2]) > _CHOSEN_DECIMALS
