"""The names of a log's fields: harmless, short, and not without end."""

from __future__ import annotations

from collections.abc import Sequence

from tui.decode.text import clean

NAME_CHARS = 120
"""The longest name of a field; a longer one is cut."""

FIELD_LIMIT = 2000
"""The most fields that one entry may have; what is beyond is left out, as no screen or person could use it."""

LOG_FIELD_LIMIT = 5000
"""The most different fields that one log may have; a log with more uses data as names, and new ones are left out."""


class Names:
    """The field names of one log. `dropped` counts the values that were left out because there are too many."""

    def __init__(self) -> None:
        self.dropped = 0
        self._tidied: dict[str, str] = {}

    def admit_all(self, names: Sequence[str]) -> bool:
        """Whether all these names are taken, and can be shown as they are."""
        unknown = sum(name not in self._tidied for name in names)
        if len(self._tidied) + unknown > LOG_FIELD_LIMIT:
            return False
        return [self.admit(name) for name in names] == list(names)

    def admit(self, name: str) -> str | None:
        """The name as it can be shown, or None where the log has too many already."""
        tidy = self._tidied.get(name)
        if tidy is not None:
            return tidy
        if len(self._tidied) >= LOG_FIELD_LIMIT:
            self.dropped += 1
            return None
        tidy = tidy_name(name)
        self._tidied[name if len(name) <= NAME_CHARS else tidy] = tidy
        return tidy


def tidy_name(name: str) -> str:
    """The name without what a terminal could obey, and not too long; `?` where nothing is left."""
    return clean(name, NAME_CHARS).strip() or "?"
