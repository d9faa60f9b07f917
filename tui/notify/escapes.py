"""What a terminal is told in its own language: the bell, and a desktop notification by OSC 9 or OSC 777."""

from __future__ import annotations

from collections.abc import Mapping

from tui.decode.text import clean

BELL = "\a"

OSC_CHARS = 200
"""The longest text in one escape sequence: screen passes on 768 bytes, and a banner shows less."""

_SPEAKS_777 = ("foot", "ghostty", "wezterm", "rxvt", "kitty")
"""Terminals that show a title and a text (OSC 777); the others that show anything take one text (OSC 9, of iTerm2)."""

_MUTE = ("linux", "dumb", "")
"""Values of TERM whose terminals show no notification; the console of Linux would print some of it."""


def choose_dialect(environ: Mapping[str, str]) -> str | None:
    """`osc9` or `osc777`, by what the environment tells of the terminal; None where it can show nothing."""
    term = environ.get("TERM", "")
    if term in _MUTE:
        return None
    names = f"{term} {environ.get('TERM_PROGRAM', '')} {environ.get('LC_TERMINAL', '')}".lower()
    speaks_777 = any(name in names for name in _SPEAKS_777) or "VTE_VERSION" in environ
    return "osc777" if speaks_777 else "osc9"


def desktop_sequence(title: str, message: str, dialect: str) -> str:
    """The sequence that shows a desktop notification.

    The texts are cleaned, cut, and freed of what parts the fields of a sequence or could end it.
    """
    if dialect == "osc777":
        return f"\x1b]777;notify;{_plain(title)};{_plain(message)}\a"
    return f"\x1b]9;{_plain(f'{title}: {message}')}\a"


def pass_through(sequence: str, environ: Mapping[str, str]) -> str:
    """The sequence, wrapped so that tmux or screen hands it on to the terminal that it runs in."""
    if environ.get("TMUX"):
        return "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\"
    if environ.get("STY"):
        return f"\x1bP{sequence}\x1b\\"
    return sequence


def _plain(text: str) -> str:
    """Without semicolons, and without characters one of whose bytes (9C) ends a sequence in a terminal of 8 bits."""
    told = clean(text, OSC_CHARS).replace(";", ",")
    return "".join("?" if b"\x9c" in char.encode() else char for char in told)
