"""A message in the status line of tmux."""

from __future__ import annotations

from msgspec import Struct

from tui.decode.text import clean
from tui.notify.channel import NobodyThere, NotSent
from tui.notify.notification import Notification
from tui.notify.process import ProgramError, run_program

ANSWER_S = 5.0
"""How long tmux may take to answer, in seconds."""

SHOWN_MS = 8000
"""How long a message stands in the status line, unless a key is pressed, in milliseconds."""

CLIENTS = 8
"""The most terminals of one tmux server that are told."""


class Tmux(Struct, frozen=True):
    """Shows a message to every terminal that is attached to the tmux server that we run in."""

    name: str = "tmux"

    async def send(self, notification: Notification) -> str:
        """Show it.

        Raises:
            NotSent: tmux does not answer.
            NobodyThere: No terminal is attached.
        """
        clients = (await self._ask("list-clients", "-F", "#{client_name}")).splitlines()[:CLIENTS]
        if not clients:
            raise NobodyThere("no terminal is attached to tmux")
        text = escape_format(f"{notification.title}: {notification.message}")
        for client in clients:
            await self._ask("display-message", "-c", client, "-d", str(SHOWN_MS), "--", text)
        return f"shown on {len(clients)} terminal{'s' * (len(clients) > 1)}"

    async def _ask(self, *words: str) -> str:
        try:
            ended = await run_program(("tmux", *words), ANSWER_S)
        except ProgramError as error:
            raise NotSent(str(error)) from error
        if ended.code:
            raise NotSent(f"tmux {words[0]}: {clean(ended.error).strip()}")
        return "\n".join(clean(line) for line in ended.out.splitlines())


def escape_format(text: str) -> str:
    """A text for tmux in which nothing is a format, nor a command to be run, nor a part of the date.

    >>> escape_format("#(reboot) 5 %H")
    '##(reboot) 5 %%H'
    """
    return text.replace("#", "##").replace("%", "%%")
