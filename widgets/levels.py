"""How bad something is, said three times: by a glyph, by a word and by a colour."""

from __future__ import annotations

GLYPHS = {"healthy": "✓", "info": "•", "warning": "▲", "critical": "✖", "unknown": "?"}
"""One cell each, and different without any colour."""

STYLES = {"healthy": "good", "info": "info", "warning": "warning", "critical": "critical", "unknown": "dim"}
"""The style of each level's text."""

RANKS = {"unknown": 0, "healthy": 0, "info": 1, "warning": 2, "critical": 3}


def glyph(level: str) -> str:
    """The level's mark; an unknown level gets that of `unknown`."""
    return GLYPHS.get(level, GLYPHS["unknown"])


def style(level: str) -> str:
    """The name of the level's style."""
    return STYLES.get(level, "dim")


def worst(levels: list[str]) -> str | None:
    """The worst of the levels; None without any."""
    return max(levels, key=lambda level: RANKS.get(level, 0), default=None)
