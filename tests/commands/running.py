"""Runs commands as a shell would, and reads what they say."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.recorded import scenario_log
from tui.cli import main


@dataclass(frozen=True)
class Answer:
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Its output as strict JSON: a bare NaN is an error."""
        return json.loads(self.out, parse_constant=_refuse)

    @property
    def run(self) -> Any:
        """The only run of a status."""
        (run,) = self.json["runs"]
        return run


def _refuse(token: str) -> None:
    raise AssertionError(f"{token} is no JSON")


class Shell:
    """A command line in a folder of its own."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys

    def __call__(self, *words: str | Path) -> Answer:
        self._capsys.readouterr()
        code = main([str(word) for word in words])
        told = self._capsys.readouterr()
        return Answer(code, told.out, told.err)

    def write(self, text: str, name: str = "train_log.jsonl") -> Path:
        """A file with this text."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file


def entries(*rows: dict[str, float]) -> str:
    """Rows as JSON lines, as Python writes them."""
    return "".join(json.dumps(row) + "\n" for row in rows)


def drafter(count: int | None = None) -> str:
    """The log of the run that this tool was born for, or the first entries of it."""
    return scenario_log("drafter", count)
