"""What a login asks, put to the person above whatever is on the screen."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from tui.sources.asking import Question
from widgets.cells import clean


class PromptScreen(ModalScreen[str | None]):
    """Says who asks for what and why, and takes the answer; what is secret is not shown while it is typed.

    Args:
        question: What is asked.
    """

    VERTICAL_BREAKPOINTS = [(0, "-short"), (24, "-tall")]  # noqa: RUF012 - as Textual declares it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "refuse", "refuse", key_display="Esc", priority=True),
    ]

    def __init__(self, question: Question) -> None:
        super().__init__()
        self._question = question
        self._is_withdrawn = False

    def compose(self) -> ComposeResult:
        """The words of the server, the question, and a line to type in."""
        question = self._question
        with VerticalScroll(classes="sheet prompt", can_focus=False):
            yield Label(clean(f"SSH login: {question.host}"), classes="prompt--host", markup=False)
            for line in question.said:
                yield Label(clean(line), classes="prompt--said", markup=False)
            yield Label(clean(f"{question.text}:"), classes="prompt--text", markup=False)
            yield Input(password=question.is_secret)
            yield Label(_hint(question), classes="prompt--hint", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Give the answer."""
        self.dismiss(event.value)

    def action_refuse(self) -> None:
        """Give none."""
        self.dismiss(None)

    def withdraw(self) -> None:
        """Go: nobody waits for the answer any longer."""
        self._is_withdrawn = True
        if self.is_running and self.is_current:
            self.dismiss(None)

    def on_screen_resume(self) -> None:
        """Go now, where another screen stood above this one when it was withdrawn."""
        if self._is_withdrawn:
            self.dismiss(None)


class Prompts:
    """Asks by way of an application's screen; implements `Asker`.

    Nothing is asked before `app` is set, which can only be after the feeds, and so the connections, are made.
    """

    def __init__(self) -> None:
        self.app: App[None] | None = None

    async def ask(self, question: Question) -> str | None:
        """Show a prompt until it is answered; take it back when the login ends in the meantime."""
        if self.app is None:
            return None
        answer: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()

        def take(text: str | None) -> None:
            if not answer.done():
                answer.set_result(text)

        prompt = PromptScreen(question)
        self.app.push_screen(prompt, take)
        try:
            return await answer
        except asyncio.CancelledError:
            prompt.withdraw()
            raise


def _hint(question: Question) -> str:
    kept = {
        "passphrase": "kept in memory until milepost ends",
        "password": "kept in memory until milepost ends",
        "code": "used once",
        "host key": "compare before you accept",
    }
    return f"Enter sends · Esc refuses · {kept[question.kind]}"
