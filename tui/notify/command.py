"""A command of the user's, which sends a notification wherever it likes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from tui.decode.text import clean
from tui.notify.channel import NotSent
from tui.notify.notification import Notification
from tui.notify.process import ProgramError, run_program

TIMEOUT_S = 10.0
"""How long it may take, in seconds."""

_PLACEHOLDER = re.compile(r"\{(title|message|run|target|kind|severity|step)\}")


class Command(Struct, frozen=True):
    """Runs a command of the user's, without a shell."""

    words: tuple[str, ...]
    name: str = "command"

    async def send(self, notification: Notification) -> str:
        """Run it to its end.

        Raises:
            NotSent: It could not be started, took too long, or failed.
        """
        try:
            ended = await run_program(fill_in(self.words, notification), TIMEOUT_S)
        except ProgramError as error:
            raise NotSent(str(error)) from error
        if ended.code:
            said = clean(ended.error.strip().split(b"\n")[-1], 200)
            raise NotSent(f"{clean(self.words[0])} ended with {ended.code}" + (f": {said}" if said else ""))
        return f"{clean(self.words[0])} was run"


def fill_in(words: Sequence[str], notification: Notification) -> list[str]:
    """The command with the placeholders of its arguments filled in; text that is filled in is never looked at again.

    An argument that would begin with `-` only by what was filled in begins with a blank, so that it is no option.
    """
    filled = [_PLACEHOLDER.sub(lambda match: str(getattr(notification, match[1])), word) for word in words]
    return [
        f" {text}" if text.startswith("-") and not word.startswith("-") else text
        for word, text in zip(words, filled, strict=True)
    ]
