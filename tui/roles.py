"""What a field means, guessed from its name: its role, its direction, and whether it is an evaluation's."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache


class Role(StrEnum):
    """What a metric is to a training run."""

    LOSS = "loss"  # lower is better
    QUALITY = "quality"  # higher is better
    GRAD_NORM = "grad_norm"
    LR = "lr"
    THROUGHPUT = "throughput"
    TIME = "time"
    PROGRESS = "progress"
    OTHER = "other"
    AXIS = "axis"  # what the others are drawn over; never guessed as a role, but may be given as one


STEP_NAMES = (
    "step", "global_step", "_step", "steps", "current_steps", "current_step", "iteration", "iter", "it", "num_updates",
    "updates", "update", "up", "train/global_step", "trainer/global_step", "step_count", "steps_done", "total/steps",
    "total_timesteps", "time/total_timesteps", "timesteps", "timestep", "total_env_interacts", "totalenvinteracts",
    "iterations", "iters", "train_step", "training_step", "env_step", "env_steps", "rl_step", "n_iter", "niter",
    "progress/kimg", "kimg", "progress/tick", "tick", "batch", "s", "i",
)  # fmt: skip
"""Names of the step, the most telling first; the first that an entry has is its axis."""

EPOCH_NAMES = (
    "epoch",
    "train/epoch",
    "total/epochs",
    "epochs",
    "epch",
    "ep",
    "episode",
    "episodes",
    "total/episodes",
)

LAST_NAMES = ("num_steps", "total_steps", "samples", "smpl", "nimg", "num_samples")
"""Names of what may be a position or a goal: an axis where there is nothing else."""

STAMP_NAMES = ("timestamp", "_timestamp", "ts", "created_at", "unix_time", "wall_time", "time")
"""UTC epoch seconds; a value below a billion is something else."""

FIRST_STAMP_S = 1e9
"""A time stamp below this (September 2001) is something else."""

ELAPSED_NAMES = (
    "elapsed", "_runtime", "elapsed_time", "elapsed_seconds", "elapsed_s", "elapsedtime", "wall", "wall_s", "wall_time",
    "train_wall", "runtime", "time/time_elapsed", "time_elapsed", "t",
)  # fmt: skip
"""Seconds since the start of the attempt."""

TOTAL_NAMES = ("total_steps", "max_steps", "num_steps_total", "total_iters", "max_iters")

TOTAL_EPOCHS_NAMES = ("total_epochs", "num_train_epochs", "num_epochs", "max_epochs", "n_epochs")
"""Names of how many epochs a run is to have."""

_STEPS = frozenset(STEP_NAMES)
_EPOCHS = frozenset(EPOCH_NAMES)
_AXES = (*STEP_NAMES, *EPOCH_NAMES, *LAST_NAMES)
_PREFIXED_STEP = re.compile(
    r"(?:train|training|trainer|global|progress|total|meta|counters?|rollout|data)[/.]"
    r"(?:global_step|steps?|iterations?|iter|timesteps|num_updates|n_updates|epochs?)$"
)

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

_PROGRESS = frozenset("step steps iteration iter epoch tokens samples percentage progress seen".split())
_TIME = frozenset("elapsed runtime timestamp ts wall eta rem time seconds secs sec duration dt ms".split())
_RATE = frozenset("tps wps ips fps sps throughput mfu tflops speed".split())
_LOSS = frozenset("loss ppl perplexity nll bpb bpc error err wer cer mse mae rmse ce trl tel".split())
_LOSS_NAMES = frozenset(
    "cost train_cost valid_cost val_cost ce_cost box obj cls dfl giou train_smoothl1 validation_smoothl1".split()
)
_KNOBS = frozenset(
    "scale scaler weight weights coef coeff coefficient window fn function type scaling smoothing".split()
)
_QUALITY = frozenset(
    "acc acc1 acc5 accuracy prec precision recall f1 auc map ap iou dice bleu rouge chrf psnr ssim em hella"
    " reward return ret score success streak accept accepted acceptance".split()
)
_EVAL = frozenset("eval val valid validation test dev tel heldout holdout".split())
_PLAIN_WORDS = _EVAL | frozenset(
    "train training set avg average mean best last final total running current so far top lm at metric epoch global"
    " reached smoothed moving".split()
)
_NORMS = frozenset("grad_norm gnorm grdn norm gradient_norm gradnorm global_grad_norm total_norm".split()) | {
    "grad norm"
}


@lru_cache(4096)
def normalize_name(name: str) -> str:
    """A name in lower case, with `_` for blanks and dashes; two spellings of one name become alike."""
    return name.lower().strip(" .").replace(" ", "_").replace("-", "_")


def is_step_name(name: str) -> bool:
    """Whether a field of this name counts steps."""
    return normalize_name(name) in _STEPS


def is_epoch_name(name: str) -> bool:
    """Whether a field of this name counts epochs."""
    return normalize_name(name) in _EPOCHS


@lru_cache(1024)
def find_axis(fields: tuple[str, ...]) -> str | None:
    """The field that holds the step: a step by name, else an epoch, else what else counts; None without any."""
    known = {normalize_name(name): name for name in reversed(fields)}
    plain = next((known[name] for name in _AXES if name in known), None)
    return plain or next((name for name in fields if _PREFIXED_STEP.match(name.lower())), None)


@lru_cache(4096)
def guess_role(name: str) -> Role:
    """The role of a field, by the words in its name; `OTHER` where they tell nothing.

    >>> guess_role("train/grad_norm"), guess_role("tok_per_sec"), guess_role("ddtree_streak8")
    (<Role.GRAD_NORM: 'grad_norm'>, <Role.THROUGHPUT: 'throughput'>, <Role.QUALITY: 'quality'>)
    """
    words = [word.lower() for word in _WORD.findall(name)] or [""]
    known = set(words)
    for role, is_it in _RULES:
        if is_it(name.lower(), words, known):
            return role
    return Role.OTHER


def is_evaluation(name: str) -> bool:
    """Whether a field's name says that it was measured on held-out data."""
    return any(word.lower() in _EVAL for word in _WORD.findall(name))


def is_plainly_measured(name: str) -> bool:
    """Whether a name says a loss or a quality and nothing else, so that it can't be a setting."""
    words = [word.lower() for word in _WORD.findall(name) if not word.isdigit()]
    telling = _LOSS | _QUALITY
    return any(word in telling for word in words) and all(word in telling | _PLAIN_WORDS for word in words)


def direction(role: Role) -> int:
    """-1 where lower is better, +1 where higher is, 0 where neither."""
    return {Role.LOSS: -1, Role.QUALITY: 1}.get(role, 0)


def _is_grad_norm(name: str, words: list[str], known: set[str]) -> bool:
    return name.rsplit("/", 1)[-1] in _NORMS  # `grad/norm_x` is that of a single parameter


def _is_lr(name: str, words: list[str], known: set[str]) -> bool:
    return "lr" in known or {"learning", "rate"} <= known or name in ("l.r", "l.r.")


def _is_rate(name: str, words: list[str], known: set[str]) -> bool:
    is_per_second = words[-2:] in (["per", "sec"], ["per", "second"], ["per", "s"])
    return is_per_second or name.endswith(("/s", "/sec", "/second")) or bool(known & _RATE)


def _is_progress(name: str, words: list[str], known: set[str]) -> bool:
    return normalize_name(name) in _AXES or words[-1] in _PROGRESS


def _is_time(name: str, words: list[str], known: set[str]) -> bool:
    if name in STAMP_NAMES or name in ELAPSED_NAMES:
        return True
    is_in_seconds = len(words) > 1 and words[-1] == "s" and not known & _LOSS
    return (
        words[-1] in _TIME or is_in_seconds or name in ("sec/tick", "sec/kimg", "batch_cost", "reader_cost")
    )


def _is_quality(name: str, words: list[str], known: set[str]) -> bool:
    return (bool(known & _QUALITY) and "loss" not in known) or name == "r"


def _is_loss(name: str, words: list[str], known: set[str]) -> bool:
    if known & _KNOBS and _is_knob(words):
        return False
    is_pixel_loss = words[0] == "l" and "_" in name  # l_pix, l_g_total
    is_named = normalize_name(name) in _LOSS_NAMES or name.endswith("loss") or "loss_" in name
    return bool(known & _LOSS) or is_named or is_pixel_loss


def _is_knob(words: list[str]) -> bool:
    """Whether a name is that of a setting: `loss_scale`, but not `value function loss`."""
    behind = 0
    for number, word in enumerate(words):
        if word in _LOSS:
            behind = number
    return any(word in _KNOBS for word in words[behind:])


_RULES = (
    (Role.GRAD_NORM, _is_grad_norm),
    (Role.LR, _is_lr),
    (Role.THROUGHPUT, _is_rate),
    (Role.PROGRESS, _is_progress),
    (Role.TIME, _is_time),
    (Role.QUALITY, _is_quality),
    (Role.LOSS, _is_loss),
)
