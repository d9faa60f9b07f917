"""The configuration file: TOML in, frozen dataclasses out, and a clear word about every mistake."""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from tui.errors import ConfigError
from tui.roles import Role

T = TypeVar("T")

ALERT_KINDS = (
    "plateau", "decline", "gradient_collapse", "gradient_explosion", "spike", "cliff", "divergence", "nonfinite",
    "frozen", "zero_loss", "stall", "slowdown", "restart", "discontinuity", "overfit", "clipped_gradient",
    "log_error", "straggler", "checkpoint_overdue", "disk_full",
)  # fmt: skip
"""The kinds of alerts, each of which `[health.KIND]` may configure."""


@dataclass(frozen=True, slots=True)
class HealthConfig:
    """What the configuration says of alerts: `[health.KIND]` for all runs, `[runs.NAME.health.KIND]` for one.

    The defaults need no tuning; None stands for them.
    """

    mute: Mapping[str, bool] = field(default_factory=dict)
    """`mute = true`, under any kind: its alerts are listed as remarks and never count for the verdict."""
    floor: float | None = None
    """`[health.gradient_collapse] floor`: a gradient norm that stays below it has collapsed, whatever it was before."""
    pause_s: float | None = None
    """`[health.stall] pause_s`: a silence up to so many seconds is no stall, where evaluations take longer than five
    minutes."""
    shift: float | None = None
    """`[health.cliff] shift`: the least lasting change that matters, as a share of the metric's level (0.005)."""
    drop: float | None = None
    """`[health.slowdown] drop`: the least loss of throughput that matters, as a share of it (0.12)."""

    def with_those_of(self, run: HealthConfig) -> HealthConfig:
        """These settings, with those of one run put over them."""
        own = {
            name: value
            for name in ("floor", "pause_s", "shift", "drop")
            if (value := getattr(run, name)) is not None
        }
        return replace(self, mute={**self.mute, **run.mute}, **own)

    def is_muted(self, kind: str) -> bool:
        """Whether alerts of this kind are muted."""
        return self.mute.get(kind, False)


@dataclass(frozen=True, slots=True)
class RunConfig:
    """What the configuration says of one named run; each field is a key of `[runs.NAME]`."""

    target: str
    """The address of its log."""
    via: tuple[str, ...] = ()
    """Command prefixes in front of the containers, as with `--via`."""
    metrics: tuple[str, ...] | None = None
    """The metrics to show, in this order; patterns such as `ddtree_*` allowed. All, where it is left out."""
    milestones: tuple[float, ...] | None = None
    """The steps of the milestone table, instead of the automatic ones."""
    roles: Mapping[str, Role] = field(default_factory=dict)
    """Roles of fields, where the guess by name is wrong."""
    total_steps: float | None = None
    """The step at which the run will be done."""
    health: HealthConfig = field(default_factory=HealthConfig)
    """Alerts of this run, as `[runs.NAME.health.KIND]`, over what `[health.KIND]` says of all."""


@dataclass(frozen=True, slots=True)
class Config:
    """The whole configuration."""

    runs: Mapping[str, RunConfig] = field(default_factory=dict)
    theme: str | None = None
    """The name of the palette to start with."""
    health: HealthConfig = field(default_factory=HealthConfig)
    """Alerts of all runs, as `[health.KIND]`."""


def default_path() -> Path:
    """Where the configuration is looked for: `$XDG_CONFIG_HOME/milepost/config.toml`, or below `~/.config`."""
    base = os.environ.get("XDG_CONFIG_HOME")
    return (Path(base) if base else Path.home() / ".config") / "milepost" / "config.toml"


def load_config(path: Path | None = None) -> Config:
    """Read the configuration; without a path the default one, which may be missing.

    Raises:
        ConfigError: The file can't be read, is no TOML, or says something that is not understood.
    """
    file = path or default_path()
    if path is None and not file.exists():
        return Config()
    try:
        text = file.read_text(encoding="utf-8")
        raw = tomllib.loads(text)
    except OSError as error:
        raise ConfigError(f"{file}: can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: is not UTF-8 at byte {error.start}") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file}: is no TOML: {error}") from error
    return _Reader(file, text).read(raw)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Turns parsed TOML into a `Config`; knows the text, to say in which line a mistake is."""

    file: Path
    text: str

    def read(self, raw: Mapping[str, object]) -> Config:
        self._check_keys(raw, ("runs", "theme", "health"), "")
        runs = self._table(raw.get("runs", {}), "runs")
        named = {name: self._read_run(name, self._table(run, f"runs.{name}")) for name, run in runs.items()}
        health = self._read_health(raw.get("health", {}), "health")
        return Config(named, self._take(raw, "theme", "", _string), health)

    def _read_run(self, name: str, raw: Mapping[str, object]) -> RunConfig:
        place = f"runs.{name}"
        self._check_keys(raw, tuple(RunConfig.__dataclass_fields__), place)
        target = self._take(raw, "target", place, _string)
        if target is None:
            raise ConfigError(
                f'{self.file}:{self._line(name)}: [{place}] has no target; add target = "HOST:/path/to/log"'
            )
        return RunConfig(
            target=target,
            via=self._take(raw, "via", place, _strings) or (),
            metrics=self._take(raw, "metrics", place, _strings),
            milestones=self._take(raw, "milestones", place, _steps),
            roles=self._take(raw, "roles", place, _roles) or {},
            total_steps=self._take(raw, "total_steps", place, _step),
            health=self._read_health(raw.get("health", {}), f"{place}.health"),
        )

    def _read_health(self, value: object, place: str) -> HealthConfig:
        """The tables of all kinds in one; each kind knows `mute`, and some one number."""
        tables = self._table(value, place)
        self._check_keys(tables, ALERT_KINDS, place)
        mute: dict[str, bool] = {}
        numbers: dict[str, float] = {}
        for kind in tables:
            table = self._table(tables[kind], f"{place}.{kind}")
            name, read = _NUMBERS.get(kind, (None, _positive))
            self._check_keys(table, ("mute", name) if name else ("mute",), f"{place}.{kind}")
            if (is_muted := self._take(table, "mute", f"{place}.{kind}", _switch)) is not None:
                mute[kind] = is_muted
            if name and (number := self._take(table, name, f"{place}.{kind}", read)) is not None:
                numbers[name] = number
        return HealthConfig(mute=mute, **numbers)

    def _take(self, raw: Mapping[str, object], key: str, place: str, read: Callable[[object], T]) -> T | None:
        if key not in raw:
            return None
        try:
            return read(raw[key])
        except ValueError as error:
            raise ConfigError(
                f"{self.file}:{self._line(key)}: {_dotted(place, key)} must be {error}"
            ) from error

    def _table(self, value: object, place: str) -> Mapping[str, object]:
        if not isinstance(value, dict):
            raise ConfigError(
                f"{self.file}:{self._line(place.rsplit('.', 1)[-1])}: {place} must be a table, [{place}]"
            )
        return value

    def _check_keys(self, raw: Mapping[str, object], known: tuple[str, ...], place: str) -> None:
        for key in raw:
            if key not in known:
                near = difflib.get_close_matches(key, known, 1)
                hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
                raise ConfigError(f"{self.file}:{self._line(key)}: unknown key {_dotted(place, key)}; {hint}")

    def _line(self, key: str) -> int:
        """The number of the first line on which a key seems to be set, or its table to begin."""
        escaped = re.escape(key)
        pattern = re.compile(rf"^\s*(?:[\"']?{escaped}[\"']?\s*=|\[.*\b{escaped}\b.*\])")
        return next(
            (number for number, line in enumerate(self.text.splitlines(), 1) if pattern.match(line)), 1
        )


def _dotted(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("a string")  # noqa: TRY004 - all readers say with one error what they expected
    return value


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError('a list of strings, such as ["loss", "accuracy"]')
    return tuple(value)


def _step(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise ValueError("a step, a number that is not negative")
    return float(value)


def _steps(value: object) -> tuple[float, ...]:
    if not isinstance(value, list):
        raise ValueError("a list of steps, such as [100, 500, 1000]")  # noqa: TRY004
    return tuple(_step(item) for item in value)


def _switch(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")  # noqa: TRY004
    return value


def _positive(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
        raise ValueError("a number above 0")
    return float(value)


def _share(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
        raise ValueError("a share, a number between 0 and 1")
    return float(value)


_NUMBERS: dict[str, tuple[str, Callable[[object], float]]] = {
    "gradient_collapse": ("floor", _positive),
    "stall": ("pause_s", _positive),
    "cliff": ("shift", _share),
    "slowdown": ("drop", _share),
}
"""The one number that a kind knows besides `mute`, and what may stand there."""


def _roles(value: object) -> dict[str, Role]:
    if not isinstance(value, dict):
        raise ValueError('a table of roles, such as { score = "quality" }')  # noqa: TRY004
    try:
        return {name: Role(role) for name, role in value.items()}
    except ValueError as error:
        raise ValueError(f"a table of roles, each one of {', '.join(Role)}") from error
