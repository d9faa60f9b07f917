"""Tells how a log's characters are written, and makes UTF-8 of them."""

from __future__ import annotations

import codecs

_UTF8_BOM = codecs.BOM_UTF8
_WIDE = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


class Transcoder:
    """Turns the bytes of one file into UTF-8, by the mark that stands at its start.

    Without a mark the bytes pass as they are: what is no UTF-8 among them is dealt with line by line. `width` is the
    number of bytes that the file takes for a plain character.
    """

    def __init__(self) -> None:
        self._start: bytes | None = b""
        self._wide: codecs.IncrementalDecoder | None = None

    @property
    def width(self) -> int:
        """2 for UTF-16, else 1."""
        return 2 if self._wide else 1

    @property
    def held_bytes(self) -> int:
        """How many bytes at the start wait for the next to tell what they are."""
        return len(self._start or b"")

    def feed(self, data: bytes) -> bytes:
        """The bytes as UTF-8, without the mark."""
        if self._start is not None:
            data, self._start = self._start + data, None
            if len(data) < len(_UTF8_BOM) and (_UTF8_BOM.startswith(data) or data[:1] in b"\xff\xfe"):
                self._start = data
                return b""
            if encoding := _WIDE.get(data[:2]):
                self._wide = codecs.getincrementaldecoder(encoding)("replace")
                data = data[2:]
            data = data.removeprefix(_UTF8_BOM)
        return data if self._wide is None else _encode(self._wide.decode(data))

    def finish(self) -> bytes:
        """What was held; starts afresh."""
        held = self._start or b""
        rest = held if self._wide is None else _encode(self._wide.decode(b"", final=True))
        self._start, self._wide = b"", None
        return rest if len(rest) != 2 or rest not in _WIDE else b""


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
