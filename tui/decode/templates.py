"""What all lines of one skeleton have in common: which number is the step, which are metrics, and which are nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from tui.decode.keyvalues import COUNT_MARK, Key, Skeleton, find_keys, leads
from tui.decode.numbers import SCALES
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

_MEASURED = frozenset((Role.LOSS, Role.QUALITY, Role.GRAD_NORM, Role.LR, Role.THROUGHPUT))
_CONTEXT = frozenset((Role.TIME, Role.PROGRESS))
_FILLERS = frozenset(
    "train training trainer global current at the in on of after end optimizer learner learning progress completed"
    " finished done"
    " val valid validation eval test".split()
)
_SPLIT_TAG = re.compile(
    r"(?:^|[\[(\s])(valid|validation|val|eval|evaluation|test|testing)"
    r"(?:\]|\)|:\s*(?=[A-Za-z\[])|\s+(?:set|epoch)\b|\s+-\s|:?\t)",
    re.IGNORECASE,
)
_TAG_REACH = 80
_KEY_TAG = re.compile(r"\((?:train|val|test|eval|valid)\)$")
_PLURALS = frozenset("steps iterations iters updates epochs episodes".split())
_SPLITS = frozenset("learn train training val valid validation test eval".split())
_FOREIGN = re.compile(
    r"\bNamespace\(|^\W*(?:args|config|configs|cmd|arguments|hyperparameters)\b\W*[:={(]|Configs?: \{"
    r"|^\s*(?:def|class|import|from|return|print|assert|if|for|while|with|raise|elif|else|try|except|parser)\b.*[:(=]"
    r"|\bself\.|\btorch\.\w+\(|\bnn\.\w+\(|\bf['\"]|\blambda\b|->|\bargs\.|^\s*#\s*\w+.*[=(]| [-+*=!]= "
    r"|^\s*File \"|https?://|\bTraceback\b|\bWarning\b|\bNCCL\b"
)


class Template(Struct):
    """What is known of all lines with one skeleton, by the indices of their numbers.

    `plain` are the metrics whose name alone says that they were measured. `is_sure`: there is a position, and a metric
    that no setting is called.
    """

    step: int | None = None
    epoch: int | None = None
    metrics: tuple[tuple[int, str], ...] = ()
    shares: frozenset[int] = frozenset()
    memory: frozenset[int] = frozenset()
    others: tuple[int, ...] = ()
    plain: tuple[int, ...] = ()
    is_leading: bool = False
    is_named: bool = False
    is_first: bool = False
    is_sure: bool = False
    is_whole: bool = False
    is_evaluation: bool = False
    is_bare: bool = False


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


def make_template(skeleton: Skeleton) -> Template | None:
    """Find out what the numbers of a line are; None where it is no line about a run."""
    if _FOREIGN.search("0".join(skeleton[::2])):
        return None
    keys = find_keys(skeleton)
    kinds = [position_kind(key.text) if key.text else "filler" for key in keys]
    template = Template(is_evaluation=_is_evaluation(skeleton, keys, kinds))
    if _opens_with_epoch(skeleton, keys, kinds):
        kinds[0] = "epoch"
    epochs = [number for number, kind in enumerate(kinds) if kind == "epoch" and not _is_plural(keys[number])]
    template.epoch = min(epochs, key=lambda number: _epoch_rank(keys[number].text), default=None)
    steps = [
        number
        for number, kind in enumerate(kinds)
        if kind == "step" and _is_position(keys[number], number, skeleton, has_epoch=bool(epochs))
    ]
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


def _is_plural(key: Key) -> bool:
    """Whether a key names a number of steps or epochs, which may be a setting as well."""
    return key.text.lower() in _PLURALS


def _is_position(key: Key, number: int, skeleton: Skeleton, *, has_epoch: bool) -> bool:
    """Whether a key that names steps says where the run is: not as `steps: 1000 lr: 0.1` does, nor as `s=8`."""
    if len(key.text) == 1:
        return number == 0 and skeleton[0].rstrip().endswith(":")
    return has_epoch or not _is_plural(key)


def _opens_with_epoch(skeleton: Skeleton, keys: Sequence[Key], kinds: Sequence[str]) -> bool:
    """Whether a line opens as `Train: 3 [10/500]`, with an epoch that only its place tells."""
    is_pair = len(kinds) > 1 and skeleton[3] == COUNT_MARK and skeleton[2].strip() in ("[", "][", "(")
    return is_pair and bool(keys[0].text) and kinds[0] == "filler" and skeleton[1] == ""


def _epoch_rank(key: str) -> int:
    name = normalize_name(key)
    return EPOCH_NAMES.index(name) if name in EPOCH_NAMES else 0


def _take_bare_step(template: Template, skeleton: Skeleton, kinds: Sequence[str]) -> None:
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


def _take_metrics(template: Template, skeleton: Skeleton, keys: Sequence[Key], kinds: Sequence[str]) -> None:
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
    template.memory = frozenset(
        number
        for name, number in metrics.items()
        if "mem" in name.lower() and skeleton[2 * number + 1] in SCALES
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
    is_told = is_evaluation(name) or "train" in name.lower() or is_step_name(name) or is_epoch_name(name)
    return name if is_told else f"val/{name}"
