"""Offline runs of Weights & Biases: a LevelDB log of protocol buffers, read with wandb's own definitions."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from tui.decode.batch import Batch, Collector
from tui.decode.jsonl import flatten_row
from tui.decode.names import Names

RECORD_BYTES = 64 << 20
"""The longest record that is held."""

MAGIC = b":W&B"

_FILE_HEAD_BYTES = 7
_BLOCK_BYTES = 32 * 1024
_CHUNK_HEAD = struct.Struct("<IHB")
_FULL, _FIRST, _MIDDLE, _LAST = 1, 2, 3, 4


class Wandb:
    """Decodes the bytes of a run-*.wandb file: one entry for each row of the history."""

    name = "wandb"

    def __init__(self, names: Names) -> None:
        records = import_module("wandb.proto.wandb_internal_pb2")  # an optional extra, and slow to import

        self._record: Any = records.Record
        self._names = names
        self._held = bytearray()
        self._position = 0
        self._is_broken = False
        self._pieces = bytearray()

    def feed(self, data: bytes) -> Batch:
        """The entries that `data` completes. Never raises: from a broken chunk on nothing can be read."""
        out = Collector()
        self._held += data
        for record in self._records(out):
            self._take(record, out)
        return out.batch()

    def finish(self) -> Batch:
        """Nothing is held that would be whole; what follows belongs to another file."""
        self._held.clear()
        self._pieces.clear()
        self._position = 0
        self._is_broken = False
        return Batch()

    def _records(self, out: Collector) -> Iterator[bytes]:
        """The whole records, put together from the chunks of the blocks."""
        for kind, data in self._chunks(out):
            if kind in (_FULL, _FIRST):
                self._pieces.clear()
            self._pieces += data
            if len(self._pieces) > RECORD_BYTES:
                out.malformed += 1
                self._pieces.clear()
            elif kind in (_FULL, _LAST):
                yield bytes(self._pieces)
                self._pieces.clear()

    def _chunks(self, out: Collector) -> Iterator[tuple[int, bytes]]:
        held, at = self._held, 0
        while not self._is_broken:
            if self._position == 0:
                step = _FILE_HEAD_BYTES
            else:
                left = _BLOCK_BYTES - self._position % _BLOCK_BYTES
                step = left if left < _CHUNK_HEAD.size else 0
            if step:  # the file's own head, and the padding at a block's end
                if len(held) - at < step:
                    break
                at, self._position = at + step, self._position + step
                continue
            if len(held) - at < _CHUNK_HEAD.size:
                break
            _, length, kind = _CHUNK_HEAD.unpack_from(held, at)
            if not _FULL <= kind <= _LAST or length > left - _CHUNK_HEAD.size:
                out.malformed += 1
                self._is_broken = True
                break
            stop = at + _CHUNK_HEAD.size + length
            if len(held) < stop:
                break
            yield kind, bytes(held[at + _CHUNK_HEAD.size : stop])
            self._position += stop - at
            at = stop
        del held[: len(held) if self._is_broken else at]

    def _take(self, data: bytes, out: Collector) -> None:
        from google.protobuf.message import DecodeError

        try:
            record = self._record.FromString(data)
        except DecodeError:
            out.malformed += 1
            return
        if record.WhichOneof("record_type") != "history":
            return
        row = dict(_items(record.history.item))
        if record.history.HasField("step"):
            row.setdefault("_step", record.history.step.num)
        entry = flatten_row(row, self._names)
        if entry:
            out.add_entry(entry)
        else:
            out.remarks += 1


def _items(items: Iterable[Any]) -> Iterator[tuple[str, object]]:
    for item in items:
        name = item.key or "/".join(item.nested_key)
        try:
            yield name, json.loads(item.value_json)
        except (ValueError, RecursionError):
            continue


def begins_wandb(start: bytes) -> bool | None:
    """Whether a file that begins so is an offline run; None where more is needed to tell."""
    if len(start) >= len(MAGIC):
        return start.startswith(MAGIC)
    return None if MAGIC.startswith(start) else False
