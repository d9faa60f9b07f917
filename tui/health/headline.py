"""Which metrics speak for the run: *the* loss among its losses, and the plainest measure of quality."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tui.roles import is_evaluation

_NAMES = ("loss", "train_loss", "train/loss", "training_loss", "total_loss", "lm_loss", "lm loss", "trl")
_CONTESTS = {
    "actor",
    "critic",
    "policy",
    "value",
    "entropy",
    "kl",
    "gan",
    "adv",
    "adversarial",
    "g",
    "d",
    "q",
    "td",
}
_REWARDS = {"reward", "rewards", "return", "returns"}
_QUALITIES = ("accuracy", "acc", "train_accuracy", "train_acc", "reward")


def choose_main_loss(names: Iterable[str]) -> str | None:
    """The main loss among names of losses: trained before evaluated, then the plainest name, then by alphabet.

    >>> choose_main_loss(["val_loss", "loss_kl", "train/loss"])
    'train/loss'
    """
    return min(names, key=_rank, default=None)


def is_contest(name: str) -> bool:
    """Whether a loss is one side of a game (of a GAN, of an agent), which may well rise in a healthy run."""
    return bool(_CONTESTS & set(re.split(r"[^a-z]+", name.lower())))


def is_reward(name: str) -> bool:
    """Whether a metric is what an agent is rewarded by; the losses beside it have no direction of their own."""
    return bool(_REWARDS & set(re.split(r"[^a-z]+", name.lower())))


def is_headline(name: str) -> bool:
    """Whether a metric is by name the one that people would look at first."""
    return name.lower().rsplit("/", 1)[-1] in _QUALITIES


def _rank(name: str) -> tuple[bool, int, bool, int, str]:
    lower = name.lower()
    exact = _NAMES.index(lower) if lower in _NAMES else len(_NAMES)
    return (is_evaluation(name), exact, "loss" not in lower, len(name), name)
