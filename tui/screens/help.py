"""What every key does, made from the bindings themselves, as they are now."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace
from textual.app import App, ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.containers import VerticalScroll
from textual.dom import DOMNode
from textual.keys import format_key
from textual.screen import ModalScreen, Screen

from widgets.drawing.help import Help, KeyGroup
from widgets.drawing.keys import Key, Keys
from widgets.help_page import HelpPage

_PRINTED = {
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "escape": "Esc",
    "space": "Space",
    "tab": "Tab",
    "enter": "Enter",
    "backspace": "Backspace",
    "delete": "Del",
}

_WORDS = {"app.focus_next": "the next panel", "app.focus_previous": "the panel before"}
"""What actions of Textual's own do, in our words."""

_FOREIGN = {"screen.copy_text", "help_quit"}
"""Actions of Textual's own that nobody asks for here."""


def printed_key(binding: Binding) -> str:
    """A binding's key as a keyboard has it."""
    if binding.key_display:
        return binding.key_display
    *modifiers, key = binding.key.split("+")
    sign = format_key(key)
    name = _PRINTED.get(key) or (sign if len(sign) == 1 else key.capitalize())
    if modifiers:
        return "+".join(
            (*(each.capitalize() for each in modifiers), name.upper() if len(name) == 1 else name)
        )
    return name


class Doing(Struct, frozen=True):
    """Something that can be done now.

    Attributes:
        keys: The keys for it, as they are printed.
        doc: What it does, as a phrase.
        action: The action, and the node that has it.
        group: What it belongs to, as a title.
        name: What the configuration calls it; None where it can't be given other keys.
    """

    keys: tuple[str, ...]
    doc: str
    action: str
    node: DOMNode
    group: str
    name: str | None = None


def doings(bindings: Iterable[ActiveBinding]) -> tuple[Doing, ...]:
    """What a screen's active bindings do: the screen's own, then those of the panel in focus, then those of all."""
    found: dict[tuple[str, str], Doing] = {}
    for node, binding, is_enabled, _ in sorted(bindings, key=_rank):
        doc = _WORDS.get(binding.action) or binding.tooltip or binding.description
        if not is_enabled or not doc or binding.action in _FOREIGN:
            continue
        new = Doing((printed_key(binding),), doc, binding.action, node, _title(node, binding), binding.id)
        before = found.setdefault((binding.action, doc), new)
        if new.keys[0] not in before.keys:
            found[binding.action, doc] = replace(before, keys=before.keys + new.keys)
    return tuple(found.values())


def key_line(screen: Screen[Any], labels: dict[str, str] | None = None) -> Keys:
    """The keys of a screen for its bottom row, with those that the configuration has put in their place.

    `labels` are other words for actions than the bindings' own.
    """
    shown: dict[str, Key] = {}
    for active in screen.active_bindings.values():
        if active.node is screen and active.binding.show and active.binding.action not in shown:
            binding = active.binding
            label = (labels or {}).get(binding.action, binding.description)
            shown[binding.action] = Key(printed_key(binding), label, binding.action)
    order = [binding.action for binding in Binding.make_bindings(screen.BINDINGS)]
    return Keys(tuple(sorted(shown.values(), key=lambda key: order.index(key.action))))


def named(screen: Screen[Any], keys: Keys) -> Keys:
    """These keys by the names that they have now, for the configuration may have put others in their place."""
    return Keys(tuple(replace(key, key=key_of(screen, key.action, key.key)) for key in keys.keys))


def key_of(screen: Screen[Any], action: str, usual: str = "") -> str:
    """The key of an action of this screen or of the panel in focus, as it is printed; `usual` where it has none."""
    found = (each.binding for each in screen.active_bindings.values() if each.binding.action == action)
    return next(map(printed_key, found), usual)


def _rank(active: ActiveBinding) -> tuple[int, bool]:
    """What is done on the screen itself comes first, then how to get about in it, its panels, and all screens.

    Within each, what stands in the bottom row comes first.
    """
    node, binding = active.node, active.binding
    if isinstance(node, App):
        return 3, False
    return 2 if not isinstance(node, Screen) else int(binding.action in _WORDS), not binding.show


def _title(node: DOMNode, binding: Binding) -> str:
    if binding.group and binding.group.description:
        return binding.group.description
    if isinstance(node, App):
        return "everywhere"
    words = re.findall("[A-Z][a-z]*", type(node).__name__)
    return " ".join(word.lower() for word in words if word != "Screen") or "here"


class HelpScreen(ModalScreen[None]):
    """Lists keys and what they do, and what the signs on the screen mean."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q", "dismiss", "close", key_display="Esc"),
    ]

    def __init__(self, bindings: Iterable[ActiveBinding]) -> None:
        super().__init__()
        groups: dict[str, list[tuple[str, str]]] = {}
        for doing in doings(bindings):
            groups.setdefault(doing.group, []).append((" ".join(doing.keys), doing.doc))
        self._help = Help(tuple(KeyGroup(title, tuple(keys)) for title, keys in groups.items()))

    def compose(self) -> ComposeResult:
        """One page that scrolls."""
        with VerticalScroll(classes="sheet"):
            yield HelpPage(self._help)
