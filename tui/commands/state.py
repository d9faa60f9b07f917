"""The state file of a watch without a screen: how far each log was told, exact to the event.

The state is written after the events, so a watch that is killed between the two has told more than its state says.
Where events go to a file, that file itself tells the rest.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import asdict

from tui.errors import UsageError
from tui.health.present import FIRST_NUMBER
from tui.replacing import replace_file
from tui.sources.log import Stat
from tui.sources.position import Position

SCHEMA = 1

Json = dict[str, Any]


class Told(Struct):
    """What was told of one log.

    `entries` were told of the file of `position`, and after the last of them `alerts`. `is_left` tells that its
    replacement by another file was told too, of which nothing is known yet.
    """

    entries: int = 0
    alerts: int = 0
    position: Position | None = None
    is_left: bool = False

    def count(self, event: str, number: int = 0) -> None:
        """Count one event; `number` is that of an alert. What is about now alone is not counted: it is not replayed."""
        if event == "entry":
            self.entries, self.alerts = self.entries + 1, 0
        elif event == "alert" and number < FIRST_NUMBER:
            self.alerts += 1
        elif event == "replaced":
            self.is_left = True

    def begin_file(self, position: Position) -> None:
        """Nothing was told yet of the file that is there now."""
        self.entries, self.alerts, self.position, self.is_left = 0, 0, position, False


class State(Struct):
    """The state of one watch, in a file.

    Args:
        path: The state file.
        events: The file that events are appended to; None where they go elsewhere.

    Raises:
        UsageError: One of the files can't be read or written, or is something else.
    """

    path: Path
    events: Path | None
    _told: dict[str, Told] = field(default_factory=dict)
    _written: bytes = b""

    def __post_init__(self) -> None:
        try:
            if self.path.exists():
                self._load(json.loads(self.path.read_bytes()))
        except OSError as error:
            raise UsageError(f"{self.path}: the state can't be read: {error.strerror}") from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise UsageError(
                f"{self.path} is no state of a watch; remove it to begin anew, or name another file"
            ) from error
        self.save()

    def told(self, target: str) -> Told:
        """What was told of a target's log; it is to be kept up to date."""
        return self._told.setdefault(target, Told())

    def save(self) -> None:
        """Write it, all or nothing, where it has changed.

        Raises:
            UsageError: It can't be written.
        """
        data = json.dumps(self._dump()).encode()
        if data == self._written:
            return
        try:
            replace_file(self.path, data)
        except OSError as error:
            raise UsageError(f"{self.path}: the state can't be written there: {error.strerror}") from error
        self._written = data

    def _dump(self) -> Json:
        return {
            "schema": SCHEMA,
            "events": str(self.events) if self.events else None,
            "events_bytes": self._events_bytes(),
            "targets": {target: _dump_told(told) for target, told in self._told.items()},
        }

    def _load(self, state: Json) -> None:
        if state["schema"] != SCHEMA:
            raise ValueError(state["schema"])
        self._told = {target: _load_told(told) for target, told in state["targets"].items()}
        if self.events and state["events"] == str(self.events):
            for event in _read_on(self.events, int(state["events_bytes"])):
                self.told(event["target"]).count(event["event"], event.get("number", 0))

    def _events_bytes(self) -> int:
        return self.events.stat().st_size if self.events and self.events.exists() else 0


def _read_on(events: Path, start: int) -> Iterable[Json]:
    """The events from a byte on. A last one that was not written whole is taken away: it will be told again."""
    if not events.exists() or events.stat().st_size <= start:
        return []
    with events.open("rb") as file:
        file.seek(start)
        whole, _, torn = file.read().rpartition(b"\n")
    if torn:
        os.truncate(events, events.stat().st_size - len(torn))
    return [json.loads(line) for line in whole.splitlines()]


def _dump_told(told: Told) -> Json:
    position = told.position
    return {
        "entries": told.entries,
        "alerts": told.alerts,
        "is_left": told.is_left,
        "position": None
        if position is None
        else {
            "offset": position.offset,
            "head": base64.b64encode(position.head).decode("ascii"),
            "tail": base64.b64encode(position.tail).decode("ascii"),
            "stat": asdict(position.stat) if position.stat else None,
        },
    }


def _load_told(told: Json) -> Told:
    found, position = told["position"], None
    if found is not None:
        stat = Stat(**found["stat"]) if found["stat"] else None
        head, tail = (base64.b64decode(found[end], validate=True) for end in ("head", "tail"))
        position = Position(int(found["offset"]), head, tail, stat)
    return Told(int(told["entries"]), int(told["alerts"]), position, bool(told["is_left"]))
