"""All detectors, one line each: which metrics it watches, and what makes it."""

from __future__ import annotations

from collections.abc import Callable

from tui.health.clipped import ClippedGradient
from tui.health.discontinuity import Discontinuity
from tui.health.early import EarlyBreak
from tui.health.early_norm import EarlyNorm
from tui.health.findings import Detector, Entrywise
from tui.health.floor import GradientFloor
from tui.health.frozen import Frozen
from tui.health.gradient import GradientCollapse
from tui.health.instability import Instability
from tui.health.nonfinite import Nonfinite
from tui.health.overfit import Overfit
from tui.health.plateau import Plateau
from tui.health.track import Track
from tui.roles import Role, is_evaluation

Watches = Callable[[Track], bool]


def _directed(track: Track) -> bool:
    return track.role in (Role.LOSS, Role.QUALITY)


def _loss_or_norm(track: Track) -> bool:
    return track.role in (Role.LOSS, Role.GRAD_NORM)


def _loss(track: Track) -> bool:
    return track.role is Role.LOSS and not is_evaluation(track.name)


def _evaluation(track: Track) -> bool:
    return _directed(track) and is_evaluation(track.name)


def _norm(track: Track) -> bool:
    return track.role is Role.GRAD_NORM


def _norm_with_floor(track: Track) -> bool:
    return track.role is Role.GRAD_NORM and track.settings.floor is not None


def _measured(track: Track) -> bool:
    return _directed(track) or track.role in (Role.GRAD_NORM, Role.THROUGHPUT)


REGISTRY: tuple[tuple[Watches, Callable[[Track], Detector]], ...] = (
    (_loss_or_norm, Nonfinite),
    (_measured, Instability),
    (_directed, Plateau),
    (_norm, GradientCollapse),
    (_norm_with_floor, GradientFloor),
    (_norm, ClippedGradient),
    (_loss, EarlyBreak),
    (_norm, EarlyNorm),
    (_loss_or_norm, Frozen),
    (_loss, Discontinuity),
    (_evaluation, Overfit),
)
"""A new detector is one module, one line here, and one test file."""


ENTRYWISE = (Nonfinite, Frozen, Overfit)
"""Those that judge every value as it is logged; all others have nothing to say before a row is complete."""


def make_detectors(track: Track) -> list[Detector]:
    """The detectors of a metric, in the order in which their findings at one entry are entered."""
    return [make(track) for watches, make in REGISTRY if watches(track)]


def pick_entrywise(detectors: list[Detector]) -> list[Entrywise]:
    """Those of a metric's detectors that judge every value as it is logged."""
    return [each for each in detectors if isinstance(each, ENTRYWISE)]
