"""What every key does, made from the bindings themselves."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen

from widgets.drawing.help import Help
from widgets.help_page import HelpPage

_PRINTED = {
    "question_mark": "?",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "escape": "Esc",
    "enter": "Enter",
    "tab": "Tab",
    "shift+tab": "Shift+Tab",
    "ctrl+p": "Ctrl+P",
    "ctrl+q": "Ctrl+Q",
    "ctrl+c": "Ctrl+C",
    "home": "Home",
    "end": "End",
}

_FOREIGN = {"screen.copy_text", "help_quit"}
"""Actions of Textual's own that nobody asks for here."""


def printed_key(binding: Binding) -> str:
    """A binding's key as a keyboard has it."""
    return binding.key_display or _PRINTED.get(binding.key, binding.key)


class HelpScreen(ModalScreen[None]):
    """Lists keys and what they do, and what the signs on the screen mean."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q", "dismiss", "close", key_display="Esc"),
    ]

    def __init__(self, bindings: tuple[ActiveBinding, ...]) -> None:
        super().__init__()
        found = [
            active.binding for active in bindings if active.enabled and active.binding.action not in _FOREIGN
        ]
        self._help = Help(
            tuple(dict.fromkeys((printed_key(key), key.tooltip or key.description) for key in found))
        )

    def compose(self) -> ComposeResult:
        """One page that scrolls."""
        with VerticalScroll(classes="sheet"):
            yield HelpPage(self._help)
