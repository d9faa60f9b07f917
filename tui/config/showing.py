"""The configuration in full, as TOML: every key with one sentence on it, what is set and what else holds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tui.config.declaring import Key, Nested, Section, keys_of
from tui.config.schema import (
    ALERT_KINDS,
    MUTE,
    Config,
    DerivedConfig,
    HealthConfig,
    ReferenceConfig,
    RunConfig,
)

_TOPS = """\
# The configuration of Milepost, in full. What stands behind "#" without a blank is an example, and not set.
"""

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def show_config(raw: Mapping[str, Any], actions: Iterable[tuple[str, str, str]] = ()) -> str:
    """A configuration with the defaults of all that it does not say.

    Args:
        raw: What TOML has, without mistakes.
        actions: What keys can do: the action's name, its usual keys, and one sentence on it.
    """
    parts = [_TOPS, *_show_top(raw)]
    parts += [_show_keys(raw.get("keys", {}), actions), _show_groups(raw.get("groups", {}))]
    parts += [_show_health(raw.get("health", {})), _show_run_keys(), *_show_runs(raw.get("runs", {}))]
    return "\n".join(part for part in parts if part)


def to_toml(value: object) -> str:
    """One value as TOML, on one line."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        case list() | tuple():
            return f"[{', '.join(to_toml(item) for item in value)}]"
        case Mapping():
            pairs = ", ".join(f"{_name(name)} = {to_toml(item)}" for name, item in value.items())
            return f"{{ {pairs} }}" if pairs else "{}"
        case _:
            return str(value)


def _name(*keys: str) -> str:
    """A dotted key, with quotes where they are needed."""
    return ".".join(key if _BARE.fullmatch(key) else to_toml(key) for key in keys)


def _show_top(raw: Mapping[str, Any]) -> Iterator[str]:
    """The keys above all tables, then the tables whose keys are known beforehand."""
    keys = keys_of(Config)
    yield "".join(
        _show_key(key, raw, Config) for key in keys.values() if key.example and key.name != "groups"
    )
    for key in keys.values():
        if isinstance(key.read, Nested):
            kind, table = key.read.kind, raw.get(key.name, {})
            shown = "".join(_show_key(each, table, kind) for each in keys_of(kind).values())
            yield f"# {key.doc}\n[{key.name}]\n{shown}"


def _show_key(key: Key, raw: Mapping[str, Any], kind: type[Section]) -> str:
    """A key with its sentence: as it is set, else with its default, else with an example behind `#`."""
    default = getattr(kind(), key.attribute)
    if key.name in raw:
        line = f"{key.name} = {to_toml(raw[key.name])}"
    elif default is None or key.example:
        line = f"#{key.name} = {key.example}"
    else:
        line = f"{key.name} = {to_toml(default)}"
    return f"# {key.doc}\n{line}\n"


def _show_keys(raw: Mapping[str, Any], actions: Iterable[tuple[str, str, str]]) -> str:
    set_ = dict(_flatten(raw))
    lines = [f"# {keys_of(Config)['keys'].doc}\n[keys]\n"]
    for name, usual, doc in actions:
        lines.append(f"# {doc}\n{_name(*name.split('.'))} = {to_toml(set_.get(name, usual))}\n")
    return "".join(lines)


def _flatten(raw: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in raw.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def _show_groups(raw: Mapping[str, Any]) -> str:
    key = keys_of(Config)["groups"]
    pairs = [f"{_name(name)} = {to_toml(members)}\n" for name, members in raw.items()]
    return f"# {key.doc}\n[groups]\n" + ("".join(pairs) or f"#NAME = {key.example}\n")


def _show_health(raw: Mapping[str, Any]) -> str:
    lines = [
        f"# Alerts of all runs, by their kinds; [runs.NAME.health] says it of one.\n[health]\n# mute: {MUTE}\n"
    ]
    for kind in ALERT_KINDS:
        table = raw.get(kind, {})
        lines.append(f"{kind}.mute = {to_toml(table.get('mute', False))}\n")
        for key in keys_of(HealthConfig).values():
            if key.kind == kind:
                is_set = key.name in table
                value = to_toml(table[key.name]) if is_set else key.example
                lines.append(f"# {key.doc}\n{'' if is_set else '#'}{kind}.{key.name} = {value}\n")
    return "".join(lines)


def _show_run_keys() -> str:
    """Every key of a run, behind `#`."""
    lines = [f"# {keys_of(Config)['runs'].doc}\n#[runs.NAME]\n", *_examples(RunConfig)]
    for name, kind in (("derived.METRIC", DerivedConfig), ("reference.OTHER", ReferenceConfig)):
        doc = keys_of(RunConfig)[name.split(".")[0]].doc
        lines += [f"\n# {doc}\n#[runs.NAME.{name}]\n", *_examples(kind)]
    lines.append(f"\n# {keys_of(RunConfig)['health'].doc}\n#[runs.NAME.health]\n#plateau.mute = true\n")
    return "".join(lines)


def _examples(kind: type[Section]) -> Iterator[str]:
    for key in keys_of(kind).values():
        default = getattr(kind(), key.attribute)
        if value := key.example or (to_toml(default) if isinstance(default, bool) else ""):
            yield f"# {key.doc}\n#{key.name} = {value}\n"


def _show_runs(raw: Mapping[str, Any]) -> Iterator[str]:
    """Every named run, as it is set."""
    for name, run in raw.items():
        yield "".join(_show_table(("runs", name), run))


def _show_table(path: tuple[str, ...], table: Mapping[str, Any]) -> Iterator[str]:
    """A table, and under it the tables that hold tables."""
    below = {
        name: value
        for name, value in table.items()
        if isinstance(value, dict) and value and all(isinstance(item, dict) for item in value.values())
    }
    yield f"[{_name(*path)}]\n"
    for name, value in table.items():
        if name not in below:
            yield f"{_name(name)} = {to_toml(value)}\n"
    for name, value in below.items():
        for each, item in value.items():
            yield from _show_table((*path, name, each), item)
