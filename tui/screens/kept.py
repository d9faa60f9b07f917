"""How each run was shown last, kept from one start to the next: a small file a run, in the user's state folder."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec.structs import fields

from tui.config import DisplayConfig
from tui.recent import default_file
from tui.replacing import replace_file
from tui.screens.display import Display
from tui.target import Target

MOST = 200
"""How many runs are kept; the one that was changed longest ago is forgotten first."""

PASSING = {"cursor", "window", "is_following", "page", "focus"}
"""What is not kept: it would hide what has come since."""

LARGEST_BYTES = 100_000

_SCHEMA = 1


def usual_display(config: DisplayConfig) -> Display:
    """How a run is shown that nothing is kept of."""
    return Display(span=config.smooth, x=config.x, log_x=config.log_x, log_y=config.log_y)


def follow_usual(choice: Display, before: Display, after: Display) -> Display:
    """What was chosen, with what was left as usual as it is usual now."""
    return Display(
        **{
            name: value if value != getattr(before, name) else getattr(after, name)
            for name, value in _values(choice).items()
        }
    )


class Kept:
    """Reads and writes how runs are shown.

    Args:
        folder: Where the files are; None is `$XDG_STATE_HOME/milepost/runs`, or below `~/.local/state`.
        is_fresh: Whether nothing that was kept counts.

    Attributes:
        problems: What could not be read or written, one sentence each; who tells of it takes it out.
    """

    def __init__(self, folder: Path | None = None, *, is_fresh: bool = False) -> None:
        self.problems: list[str] = []
        self._folder = folder or default_file().parent / "runs"
        self._is_fresh = is_fresh
        self._waiting: dict[Path, dict[str, Any]] = {}
        self._has_failed = False

    @property
    def is_waiting(self) -> bool:
        """Whether something has been noted that is not written yet."""
        return bool(self._waiting)

    def load(self, target: Target, usual: Display) -> Display:
        """How a run is to be shown: as it was last, and else as usual."""
        file = self._file_of(target)
        if file is None or self._is_fresh:
            return usual
        try:
            with file.open("rb") as opened:
                kept = json.loads(opened.read(LARGEST_BYTES))["display"]
            lasting = {name: value for name, value in kept.items() if name not in PASSING}
        except FileNotFoundError:
            return usual
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            self.problems.append(f"{file} can't be read, so {target.text} is shown as usual")
            return usual
        return Display.from_json({**_values(usual), **lasting})

    def note(self, target: Target, choice: Display, usual: Display) -> None:
        """Keep how a run is shown now, with the next `flush`; only what is not as usual."""
        if file := self._file_of(target):
            ordinary = _values(usual)
            self._waiting[file] = {
                name: value
                for name, value in _values(choice).items()
                if name not in PASSING and value != ordinary[name]
            }

    def flush(self) -> None:
        """Write what has been noted; a folder that can't be written to is told of once."""
        while self._waiting:
            file, shown = self._waiting.popitem()
            try:
                if shown:
                    self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                    content = json.dumps({"schema": _SCHEMA, "display": shown})
                    replace_file(file, content.encode(), is_private=True)
                    _thin_out(self._folder)
                else:
                    file.unlink(missing_ok=True)
            except OSError as error:
                if not self._has_failed:
                    self.problems.append(
                        f"how runs are shown can't be kept in {self._folder}: {error.strerror}"
                    )
                self._has_failed = True

    def _file_of(self, target: Target) -> Path | None:
        """The file of a run; None for standard input, which is another one each time."""
        if target.is_stdin:
            return None
        path = str(Path(target.path).expanduser().absolute()) if target.is_plain else target.text
        via = [word for prefix in target.via for word in prefix]
        digest = hashlib.sha256("\0".join([path, *via]).encode("utf-8", "surrogateescape")).hexdigest()
        return self._folder / f"{digest[:20]}.json"


def _values(display: Display) -> dict[str, Any]:
    return {each.name: getattr(display, each.name) for each in fields(display)}


def _thin_out(folder: Path) -> None:
    """Forget the oldest beyond the most that are kept."""
    with os.scandir(folder) as found:
        files = sorted((each.stat().st_mtime, each.path) for each in found if each.is_file())
    for _, path in files[: max(len(files) - MOST, 0)]:
        with suppress(OSError):
            Path(path).unlink()
