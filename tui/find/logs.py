"""Whether a file is a training log, and how far it has come, by a look at its two ends."""

from __future__ import annotations

from msgspec import Struct

from tui.decode.binary import BINARY_FORMATS
from tui.decode.decoder import Decoder
from tui.preview import find_header
from tui.sources.survey import Ends
from tui.store.run import Run


class FoundLog(Struct, frozen=True):
    """A training log: its address, ready to open. `last_step` is None where its end alone does not tell it."""

    address: str
    format: str
    last_step: float | None
    age_s: float
    size: int


class Verdict(Struct, frozen=True):
    """The format of a log, and its last step where that can be told."""

    format: str
    last_step: float | None


def judge(ends: Ends) -> Verdict | None:
    """What kind of log a file is; None for one that holds no entries with a position: an array, a list, a chat."""
    binary = next((name for name, kind in BINARY_FORMATS.items() if kind.begins(ends.head)), None)
    if binary is not None:
        return Verdict(binary, _read(ends.head + ends.tail)[1].last_step if ends.is_whole else None)
    if ends.is_whole:
        return _judge_entries(ends.head + ends.tail)
    header = find_header(ends.head, None)
    if header is None:  # a document, the end of which can't be read on its own
        return Verdict("json", None) if b'"step"' in ends.head else None
    return _judge_entries(header + ends.tail.partition(b"\n")[2])


def _judge_entries(data: bytes) -> Verdict | None:
    name, run = _read(data)
    if run.main is None or run.main.axis is None or not run.main.series:
        return None
    return Verdict(name, run.last_step)


def _read(data: bytes) -> tuple[str, Run]:
    """The format of a log, and the run that it tells of."""
    decoder, run = Decoder(), Run()
    run.add(decoder.feed(data))
    run.add(decoder.finish())
    return decoder.format_name, run
