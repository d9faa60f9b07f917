"""Every format that a log can be read in, by the name that is shown and that `--log-format` takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from tui.decode.batch import Batch
from tui.decode.delimited import Delimited
from tui.decode.document import JsonDocument
from tui.decode.jsonl import JsonLines


class Format(Protocol):
    """One way of writing entries into lines."""

    @property
    def name(self) -> str:
        """The name that is shown."""
        ...

    def decode(self, lines: Sequence[bytes]) -> Batch:
        """The entries of whole lines. Never raises: what can't be read is counted."""
        ...

    def finish(self) -> Batch:
        """What was held back for what might follow; the next line begins another file."""
        ...


def _make_text() -> Format:
    """Loaded when it is asked for: its many patterns take a while to compile, and most logs are JSON."""
    from tui.decode.textlog import TextLog

    return TextLog()


FORMATS: dict[str, Callable[[], Format]] = {
    "jsonl": JsonLines,
    "json": JsonDocument,
    "csv": Delimited,
    "tsv": Delimited,
    "text": _make_text,
}
"""The formats of lines; the first lines of a log tell which it is."""
