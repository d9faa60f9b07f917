"""Which metrics of a stream are watched, by which detectors, and in which order these speak."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from tui.config import HealthConfig
from tui.decode.batch import Column, Span
from tui.health.alerts import Trend
from tui.health.beside import Beside, TrainingLoss
from tui.health.findings import Detector, Entrywise, Explanation, Finding, OpenIncidents
from tui.health.headline import choose_main_loss, is_reward
from tui.health.plateau import Plateau
from tui.health.registry import make_detectors, pick_entrywise
from tui.health.rises import Rises
from tui.health.schedule import Schedule
from tui.health.track import Track
from tui.roles import Role, guess_role, is_evaluation

PORTION = 4096
"""The most entries that are judged at once: enough for numpy, little enough for the processor's cache."""

_ROLE_ORDER = tuple(Role)


class Roster:
    """The metrics that are watched; each joins with its first entry.

    Attributes:
        tracks: The values of each, by name.
        lr_name: The metric that is the learning rate, None without one.
    """

    def __init__(
        self,
        roles: Mapping[str, Role],
        schedule: Schedule,
        settings: HealthConfig | None,
        training: TrainingLoss | Beside | None = None,
    ) -> None:
        self._told = training if isinstance(training, TrainingLoss) else None
        self._beside = training if isinstance(training, Beside) else None
        self._training: Track | None = None
        self._fed = 0  # entries, those that are judged again not counted
        self._roles = roles
        self._schedule = schedule
        self._settings = settings
        self.tracks: dict[str, Track] = {}
        self.lr_name: str | None = None
        self._detectors: dict[str, list[Detector]] = {}
        self._entrywise: dict[str, list[Entrywise]] = {}
        self._known: set[str] = set()
        self._rises = Rises()

    @property
    def room(self) -> int:
        """How many entries can come before any metric's row of eight is complete."""
        return min((track.octets.missing for track in self.tracks.values()), default=1) - 1

    @property
    def entrywise(self) -> Iterable[tuple[str, list[Entrywise]]]:
        """The metrics of which every value is judged as it is logged, and by what."""
        return ((name, detectors) for name, detectors in self._entrywise.items() if detectors)

    def knows(self, columns: Mapping[str, Column]) -> bool:
        """Whether all these metrics have been there before."""
        return columns.keys() <= self._known

    def portions(self, span: Span) -> Iterator[Span]:
        """Cut where a metric appears for the first time, for that may change which loss is the main one."""
        unknown = [column for name, column in span.columns.items() if name not in self._known]
        if not unknown and len(span) <= PORTION:
            yield span
            return
        news = {int(column.at[0]) for column in unknown if len(column.at)}
        cuts = sorted(news | set(range(0, len(span), PORTION)) | {0, len(span)})
        for portion in span.cut(cuts):
            self._admit(portion)
            yield portion

    def feed(self, part: Span, first_entry: int, *, is_repeated: bool = False) -> Iterator[Finding]:
        """Feed a part whose first entry has this index to every detector; their findings, metric by metric."""
        entries = np.arange(first_entry, first_entry + len(part))
        fed: list[
            str
        ] = []  # one metric's detector may look at another, so all of them know these entries first
        for name, column in part.columns.items():
            track = self.tracks.get(name)
            if track is None or not len(column.at):
                continue
            if len(column.at) == len(part):
                track.extend(entries, part.steps, column.values)
            else:
                track.extend(entries[column.at], part.steps[column.at], column.values)
            if track.role is Role.GRAD_NORM:  # the loss is judged by what its norm is seen to do
                fed.insert(0, name)
            else:
                fed.append(name)
        if not is_repeated:
            self._fed = first_entry + len(part)
        if self._told is not None and self._training is not None and self._training.name in fed:
            self._told.extend(self._training)
        for name in fed:
            detectors = self._detectors if self.tracks[name].octets.fresh else self._entrywise
            for detector in detectors[name]:
                if detector.has_baseline or not is_repeated:
                    yield from detector.feed()

    def restart(
        self, still_open: OpenIncidents, metrics: Iterable[str] | None = None, *, resumes: bool
    ) -> None:
        """Start the baselines of these metrics afresh, or all; what is in `still_open` goes on."""
        for name in self.tracks if metrics is None else metrics:
            for detector in self._detectors[name]:
                detector.restart(still_open, resumes=resumes)
            self.tracks[name].restart()
            if self._told is not None and self.tracks[name] is self._training:
                self._told.begin(self._fed - 1)

    def order(self, finding: Finding) -> tuple[int, bool, int, str]:
        """By entry; at one entry the main loss first, then by role and name."""
        track = self.tracks.get(finding.metric)
        if track is None:
            return (finding.entry, False, -1, "")
        return (finding.entry, not track.is_loss, _ROLE_ORDER.index(track.role), finding.metric)

    def trends(self) -> dict[str, Trend]:
        """How each metric that has a direction moves of late, by name; those with too few values are left out."""
        found = {
            name: detector.trend()
            for name, detectors in self._detectors.items()
            for detector in detectors
            if isinstance(detector, Plateau)
        }
        return {name: trend for name, trend in found.items() if trend is not None}

    def explain(self) -> list[Explanation]:
        """What each detector sees now, metric by metric."""
        return [detector.explain() for detectors in self._detectors.values() for detector in detectors]

    def _admit(self, portion: Span) -> None:
        news = sorted(name for name in portion.columns if name not in self._known)
        self._known.update(news)
        for name in news:
            role = self._roles.get(name) or guess_role(name)
            track = Track(name, role, self._schedule, self._settings)
            detectors = make_detectors(track)
            if role is Role.LR and self.lr_name is None:
                self.lr_name = name
            elif detectors:
                self.tracks[name], self._detectors[name] = track, detectors
                self._entrywise[name] = pick_entrywise(detectors)
        if news:
            losses = [name for name, track in self.tracks.items() if track.role is Role.LOSS]
            main = choose_main_loss(losses)
            has_reward = any(is_reward(name) for name in self.tracks)
            self._training = self.tracks[main] if main and not is_evaluation(main) else None
            for name, track in self.tracks.items():
                track.is_loss = name == main
                track.training, track.beside, track.rises = self._training, self._beside, self._rises
                track.has_direction &= not (has_reward and track.role is Role.LOSS)
