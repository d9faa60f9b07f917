"""Makes foreign text harmless before it can reach a terminal."""

from __future__ import annotations

import re
import unicodedata

SHOWN_CHARS = 4096
"""The longest text that is kept for showing a line; the rest is cut before anything else looks at it."""

_SEQUENCE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor movements
    r"|\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"  # OSC, DCS and their like, up to their end
    r"|\x1b[ -/]*[0-~]?"  # the short ones
    r"|\x9b[0-?]*[ -/]*[@-~]"
)
_PLAIN = re.compile(r"[\x20-\x7e]*\Z")


def clean(text: str | bytes, limit: int = SHOWN_CHARS) -> str:
    """The text with nothing in it that a terminal could obey.

    Escape sequences go entirely, tabs become four spaces, other control and formatting characters (C0, C1, bidi
    overrides, zero-width) go too, bytes that are no UTF-8 become U+FFFD. At most `limit` characters, the last of
    them `…` where something was cut.
    """
    if isinstance(text, bytes):
        text = text[: 4 * limit].decode("utf-8", "replace")
    is_cut = len(text) > limit
    if is_cut:
        text = text[: limit - 1]
    if not _PLAIN.match(text):
        text = "".join(_harmless(char) for char in _SEQUENCE.sub("", text.replace("\t", "    ")))
    return text + "…" if is_cut else text


def strip_sequences(text: str) -> str:
    """The text without escape sequences: colours and cursor movements between the words of a line."""
    return _SEQUENCE.sub("", text)


def _harmless(char: str) -> str:
    if (
        char.isprintable()
    ):  # no control, formatting, surrogate, private or unassigned character, no separator but space
        return char
    return " " if unicodedata.category(char) == "Zs" else ""
