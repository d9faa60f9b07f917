"""Which file of a folder is its log: the newest at first, and then each newer one that appears."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from tui.sources.log import Stat
from tui.sources.trouble import plain

_OTHERS = frozenset(
    ".pt .pth .ckpt .safetensors .bin .gguf .onnx .h5 .hdf5 .npy .npz .pkl .pickle .parquet .arrow .model"
    " .db .sqlite .png .jpg .jpeg .gif .webp .svg .pdf .mp4 .wav .zip .gz .bz2 .xz .zst .tar .tgz .so .pyc"
    " .lock .pid .tmp .swp .py .sh .yaml .yml .toml .ini .md".split()
)
"""Suffixes of what stands beside logs: weights, arrays, pictures, archives, sources and settings."""

_RANKS = (
    re.compile(
        r"log|tfevents|metrics|history|\.(?:jsonl|ndjson|csv|tsv|out|wandb)$", re.IGNORECASE
    ),  # far.sh has it too
    re.compile(r"\.(?:json|txt|err)$", re.IGNORECASE),
)
"""What names a log, surest first; a file with a lower rank is not looked at where one with a higher is."""

MOST = 1000
"""Of a folder with more files than this only the newest, and the newest named like a log, are looked at (far.sh)."""

RARELY_S = 30.0
"""Seconds between two looks at such a folder, each of which costs a third of a second there with 30,000 files."""

_CLOCK_S = 2.0
"""A folder that changed so lately may change again without another time: file systems tell whole seconds."""


class Entry(Struct, frozen=True):
    """One regular file of a folder."""

    name: str
    stat: Stat


class Choice:
    """The log of one folder; kept from one connection to the next, so that a reconnect does not change it.

    A file that was there from the start is never moved on to, however often it is written: two logs of one run would
    take turns. Nor is one that appears while the present log goes on: it has to be quiet for `quiet_s` first.

    Attributes:
        name: The chosen file; None before the first choice.
        count: How many files the folder holds, as far as it was told.
    """

    def __init__(self, quiet_s: float) -> None:
        self.name: str | None = None
        self.count = 0
        self._quiet_s = quiet_s
        self._known: set[tuple[int, int]] = set()
        self._settled: Stat | None = None
        self._looked_s = 0.0
        self._left: tuple[tuple[int, int], str] | None = None

    def has_news(self, folder: Stat, now_s: float) -> bool:
        """Whether the folder may hold another log than at the last look; of very many files one is taken rarely."""
        is_too_soon = self.count > MOST and 0 <= now_s - self._looked_s < RARELY_S
        return folder != self._settled and not is_too_soon

    def choose(self, entries: Sequence[Entry], folder: Stat | None, now_s: float) -> Entry | None:
        """The file to be read now; None where the chosen one is gone, or there never was any.

        Args:
            entries: The regular files of the folder.
            folder: The folder itself as it stood before its files were listed; None where that is not known.
            now_s: UTC epoch seconds by the clock over there.
        """
        self._looked_s = now_s
        logs = [entry for entry in find_logs(entries) if not self._is_kin(entry)]
        here = next((entry for entry in entries if entry.name == self.name), None)
        if self.name is None:
            return _newest(logs)
        new = [entry for entry in logs if entry.name != self.name and entry.stat.identity not in self._known]
        if here is not None:
            self._known |= {
                entry.stat.identity for entry in new if entry.stat.size and not _is_newer(entry, here)
            }
            new = [entry for entry in new if entry.stat.identity not in self._known]
        is_settled = not new and folder is not None and now_s - folder.modified_s > _CLOCK_S
        self._settled = folder if is_settled else None
        if here is not None and now_s - here.stat.modified_s < self._quiet_s:
            return here
        return _newest([entry for entry in new if entry.stat.size]) or here

    def take(self, entry: Entry, entries: Sequence[Entry], folder: str) -> None:
        """Note that a file is read from now on, and where the one before it stays."""
        old = next((each for each in entries if each.name == self.name), None)
        self.name = entry.name
        self._settled = None
        self._known |= {each.stat.identity for each in entries if each.stat.size}
        if old is not None and old.name != entry.name:
            path = f"{folder.rstrip('/')}/{old.name}"
            self._left = old.stat.identity, plain(f"left for the newer {entry.name}; it stays at {path}")

    def told(self, folder: str) -> str | None:
        """One sentence that names the file that is read; None before the first choice."""
        if self.name is None:
            return None
        bound = f" ({self.count:,} files; the newest were looked at)" if self.count > MOST else ""
        return plain(f"reading {self.name}, the newest log in {folder}{bound}")

    def parting(self, old: Stat) -> str | None:
        """The word about a file that was left for a newer one; None for any other."""
        return self._left[1] if self._left is not None and self._left[0] == old.identity else None

    def forget_if_gone(self, entries: Sequence[Entry]) -> None:
        """Choose anew where the chosen file is no more and no new one has come in its place."""
        if self.name is not None and all(entry.name != self.name for entry in entries):
            self.name = None

    def _is_kin(self, entry: Entry) -> bool:
        """Whether it is what rotation makes of the chosen file: `log.1`, `log-20250101`."""
        return self.name is not None and entry.name.startswith((f"{self.name}.", f"{self.name}-"))


def find_logs(entries: Sequence[Entry]) -> list[Entry]:
    """The files that look most like logs; hidden ones, and those with a suffix that no log has, are left out.

    >>> from tui.sources.log import Stat
    >>> names = ["model.pt", "train.jsonl", "config.json", ".hidden.log", "notes"]
    >>> [entry.name for entry in find_logs([Entry(name, Stat(1, 1, 1, 0.0)) for name in names])]
    ['train.jsonl']
    """
    files = [
        entry
        for entry in entries
        if not entry.name.startswith(".") and PurePosixPath(entry.name).suffix.lower() not in _OTHERS
    ]
    for pattern in _RANKS:
        if logs := [entry for entry in files if pattern.search(entry.name)]:
            return logs
    return files


def is_surely_log(name: str) -> bool:
    """Whether a file's name alone tells that it is a log."""
    return not name.startswith(".") and bool(_RANKS[0].search(name))


def _newest(entries: Sequence[Entry]) -> Entry | None:
    """The one written last; an empty one only where all are."""
    return max(
        entries, key=lambda entry: (entry.stat.size > 0, entry.stat.modified_s, entry.name), default=None
    )


def _is_newer(entry: Entry, than: Entry) -> bool:
    return entry.stat.modified_s > than.stat.modified_s
