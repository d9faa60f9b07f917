"""What a run is to take, and what its steps are worth, as far as somebody has said."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from tui.decode.batch import Floats


class Budget(Struct, frozen=True):
    """A run's plan.

    `last_step` is the step at which it is done, `counted_from` the one at which its count began (where a new script
    took over), `steps_per_epoch` batches by accumulation. `tokens_per_step` holds pairs of a step and of the tokens
    that each step takes from there on, in rising order.
    """

    last_step: float | None = None
    counted_from: float = 0.0
    epochs: float | None = None
    steps_per_epoch: float | None = None
    tokens_per_step: tuple[tuple[float, float], ...] = ()
    tokens_per_epoch: float | None = None

    def tokens_at(self, steps: Floats) -> Floats:
        """The tokens that were seen when these steps (n,) were done: one axis over regimes of different batches.

        A step before the first regime counts nothing; NaN stays NaN. All NaN where nothing is said of tokens.
        """
        if not self.tokens_per_step:
            return np.full(len(steps), np.nan)
        tokens = np.where(np.isnan(steps), np.nan, 0.0)
        starts = [max(start, 1.0) - 1 for start, _ in self.tokens_per_step]  # the first step is number 1
        stops = [*starts[1:], np.inf]
        for (_, each), start, stop in zip(self.tokens_per_step, starts, stops, strict=True):
            tokens += each * np.clip(np.minimum(steps, stop) - start, 0, None)
        return tokens

    def tokens_per_step_at(self, step: float) -> float | None:
        """What one step takes at this step."""
        taken = [each for start, each in self.tokens_per_step if start <= step]
        return taken[-1] if taken else None

    def epoch_at(self, step: float) -> float | None:
        """How many epochs are done by a step, with their fraction; None where nothing is said of them."""
        return float(self.epochs_at(np.array([step]))[0]) if self.tells_epochs else None

    @property
    def tells_epochs(self) -> bool:
        """Whether epochs follow from steps, by tokens or by batches."""
        return bool((self.tokens_per_epoch and self.tokens_per_step) or self.steps_per_epoch)

    def epochs_at(self, steps: Floats) -> Floats:
        """How many epochs are done by each of these steps (n,): by tokens, else by batches; all NaN by neither."""
        if self.tokens_per_epoch and self.tokens_per_step:
            return self.tokens_at(steps) / self.tokens_per_epoch
        if self.steps_per_epoch:
            return np.clip(steps - self.counted_from, 0, None) / self.steps_per_epoch
        return np.full(len(steps), np.nan)
