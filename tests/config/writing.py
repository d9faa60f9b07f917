"""Configuration files for tests."""

from pathlib import Path


def write(folder: Path, text: str, name: str = "config.toml") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file
