"""What stands between us and a log, as one exception that knows the link state it means."""

from __future__ import annotations

from tui.errors import SourceError
from tui.events import LinkState

_SENTENCE_CHARS = 400


class Trouble(SourceError):  # noqa: N818 - a state of the link, and no error of the program
    """The log can't be read now; the message says what, where, and what to do next.

    Attributes:
        state: RETRYING for a lost link, MISSING for what is not there (yet), REFUSED for a refusal.
        is_final: Whether trying again by itself is pointless, or would look like an attack (a login).
        is_about_file: Whether the way is open and only the file is not to be had: no need to connect anew.
    """

    def __init__(
        self, state: LinkState, sentence: str, *, is_final: bool = False, is_about_file: bool = False
    ) -> None:
        super().__init__(plain(sentence))
        self.state = state
        self.is_final = is_final
        self.is_about_file = is_about_file

    def again(self) -> Trouble:
        """The same for somebody else whom it concerns."""
        return Trouble(self.state, str(self), is_final=self.is_final, is_about_file=self.is_about_file)


class Full(Trouble):
    """The machine takes no more commands at a time: one that runs already has to be shared."""

    def __init__(self, sentence: str) -> None:
        super().__init__(LinkState.MISSING, sentence)


def lost(sentence: str) -> Trouble:
    """The link is gone; another attempt may bring it back."""
    return Trouble(LinkState.RETRYING, sentence)


def missing(sentence: str) -> Trouble:
    """No such host, container or command; it may appear."""
    return Trouble(LinkState.MISSING, sentence)


def impossible(sentence: str) -> Trouble:
    """The address can't be right; no attempt will help."""
    return Trouble(LinkState.MISSING, sentence, is_final=True)


def refused(sentence: str) -> Trouble:
    """A login or a host key was turned down; only a person can change that."""
    return Trouble(LinkState.REFUSED, sentence, is_final=True)


def no_file(sentence: str) -> Trouble:
    """The way is open, but the file is not there (yet)."""
    return Trouble(LinkState.MISSING, sentence, is_about_file=True)


def no_permission(sentence: str) -> Trouble:
    """The way is open, but the file may not be read."""
    return Trouble(LinkState.REFUSED, sentence, is_about_file=True)


def plain(text: str) -> str:
    """The text as one line without control characters, cut to a sentence's length; it is safe on a terminal."""
    words = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return words if len(words) <= _SENTENCE_CHARS else words[: _SENTENCE_CHARS - 1] + "…"
