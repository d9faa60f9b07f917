"""Keys: what each does by itself, and other keys for it as the configuration says."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from textual.binding import Binding
from textual.dom import DOMNode
from textual.keys import KEY_NAME_REPLACEMENTS, Keys, key_to_character

from tui.config import Config
from tui.config.mistakes import Mistake, suggest
from tui.errors import ConfigError

_OURS = ("tui.", "widgets.")

_NAMED = {each.value for each in Keys} | set(KEY_NAME_REPLACEMENTS.values())

_MODIFIERS = {"ctrl", "shift", "alt", "super", "meta", "hyper"}


class Action(Struct, frozen=True):
    """Something that keys do: its name in the configuration, its usual keys, and one sentence on it."""

    name: str
    keys: tuple[str, ...]
    doc: str


def actions() -> dict[str, Action]:
    """All that can be given other keys, by name; of the screens and widgets that have been loaded."""
    found: dict[str, Action] = {}
    for owner in _owners():
        for binding in _bindings(owner):
            if binding.id:
                before = found.get(binding.id)
                keys = (*before.keys, binding.key) if before else (binding.key,)
                doc = binding.tooltip or binding.description
                found[binding.id] = Action(binding.id, tuple(dict.fromkeys(keys)), doc)
    return dict(sorted(found.items(), key=lambda item: item[0].split(".")[0]))


def load_keymap(config: Config) -> dict[str, str]:
    """The configuration's keys as Textual takes them, by the ids of bindings.

    Raises:
        ConfigError: One of them is for an unknown action, is no key, or is already that of another action.
    """
    if mistakes := find_mistakes(config):
        raise ConfigError(str(mistakes[0]))
    return {name: _spell(binding.keys) for name, binding in config.keys.items()}


def find_mistakes(config: Config) -> list[Mistake]:
    """All that is wrong with the configuration's keys."""
    known = actions()
    found: list[Mistake] = []
    for name, binding in config.keys.items():
        if name not in known:
            found.append(binding.place.mistake(f"unknown action {name}; {suggest(name, known)}"))
        for key in _spell(binding.keys).split(","):
            if not _is_key(key):
                found.append(
                    binding.place.mistake(
                        f"keys.{name}: there is no key {key!r}; write S, ctrl+s, f5 or escape"
                    )
                )
    return found or list(_find_conflicts(config))


def _find_conflicts(config: Config) -> Iterator[Mistake]:
    """Two actions that could be meant at once may not share a key, where the configuration had a say in it."""
    chosen = {name: _spell(binding.keys).split(",") for name, binding in config.keys.items()}
    owners = list(_owners())
    everywhere = [
        binding for owner in owners if owner.__name__.endswith("App") for binding in _bindings(owner)
    ]
    told: set[tuple[str, str]] = set()
    for owner in owners:
        taken: dict[str, Binding] = {}
        for binding in sorted([*_bindings(owner), *everywhere], key=lambda each: each.id in chosen):
            for key in chosen.get(binding.id or "", [binding.key]):
                other = taken.setdefault(key, binding)
                is_new = (binding.id or "", key) not in told
                if binding.id in chosen and other.action != binding.action and is_new:
                    told.add((binding.id, key))
                    what = other.id or other.description
                    yield config.keys[binding.id].place.mistake(
                        f"keys.{binding.id}: {key} is already the key of {what}; give one of them another"
                    )


def _owners() -> Iterator[type[DOMNode]]:
    """All classes of ours that have bindings of their own."""
    waiting: list[type[DOMNode]] = [DOMNode]
    seen: set[type[DOMNode]] = set()
    while waiting:
        owner = waiting.pop()
        if owner in seen:
            continue
        seen.add(owner)
        waiting += owner.__subclasses__()
        if owner.__module__.startswith(_OURS) and "BINDINGS" in vars(owner):
            yield owner


def _bindings(owner: type[DOMNode]) -> list[Binding]:
    """A class's own bindings, one for each key."""
    return list(Binding.make_bindings(owner.BINDINGS))


def _spell(keys: str) -> str:
    """Keys as Textual names them, from `?, ctrl+s`."""
    parts = [part.strip() for part in keys.split(",")]
    return ",".join(
        each.key for part in parts for each in Binding.make_bindings([Binding(part or "nothing", "")])
    )


def _is_key(key: str) -> bool:
    *modifiers, last = key.split("+")
    is_named = len(last) == 1 or last in _NAMED or key_to_character(last) is not None
    return is_named and set(modifiers) <= _MODIFIERS
