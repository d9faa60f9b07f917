"""The end of a log, read on its own: shown while a long log is still being read in, or all that was asked for."""

from __future__ import annotations

from msgspec import Struct

from tui.decode.decoder import Decoder
from tui.decode.tail import TailLine
from tui.events import Glimpsed
from tui.store.derived import Derivation
from tui.store.run import Run

FORMATS = frozenset({"jsonl", "text"})
"""The formats of which any line can be read without what stands before it."""


class Preview(Struct, frozen=True, eq=False):
    """What the last part of a log says: its entries as a run of their own, and its last lines."""

    run: Run
    tail: tuple[TailLine, ...]


class Past(Struct, frozen=True):
    """How far the reading of a long log is, in bytes; `left_s` is None before its pace is known."""

    read_bytes: int
    size_bytes: int
    left_s: float | None

    @property
    def fraction(self) -> float:
        """The share that has been read, from 0 to 1."""
        return min(self.read_bytes / self.size_bytes, 1.0)


def find_header(head: bytes, log_format: str | None) -> bytes | None:
    """What has to be read of a log's beginning before any other part can be: a line of column names, or nothing.

    None where nothing but the whole will do: a document, or a binary format.
    """
    first = head[: head.find(b"\n") + 1]
    decoder = Decoder(log_format)
    decoder.feed(head)
    if first.strip() in (b"{", b"[") or decoder.format_name in ("json", "tensorboard", "wandb"):
        return None
    return first if decoder.format_name in ("csv", "tsv") else b""


def make_preview(
    glimpsed: Glimpsed, log_format: str, run: Run, derivation: Derivation | None = None
) -> Preview | None:
    """Read the end of a log into an empty run; None where it holds no entry that can be read alone.

    Its first line is left out: it was most likely cut.
    """
    if log_format not in FORMATS:
        return None
    decoder = Decoder(log_format)
    batch = decoder.feed(glimpsed.data.partition(b"\n")[2])
    run.add(derivation.apply(batch) if derivation else batch)
    return Preview(run, decoder.tail) if run.entries else None
