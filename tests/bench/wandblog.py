"""A run as W&B's own client writes it offline: a LevelDB log of protocol buffers, three records an entry.

For each `Run.log` the client (0.31) writes a row of the history and two changes of the summary, the second with all
values again. The records are put together by hand, because a million of them take a while.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import BinaryIO

from tests.bench.longlog import FIELDS, tables

BLOCK_BYTES = 32 * 1024

_HEAD = b":W&B" + struct.pack("<HB", 0xBEE1, 0)
_CHUNK_HEAD_BYTES = 7
_FULL, _FIRST, _MIDDLE, _LAST = 1, 2, 3, 4
_LENGTH_DELIMITED = 2  # protocol buffers' type of a wire field; 0 is a number

_RECORD_HISTORY, _RECORD_SUMMARY, _RECORD_RUN = 2, 3, 17
_ITEM, _STEP = 1, 2  # of a row of the history; a summary's change has its items there too
_NESTED_KEY, _VALUE_JSON = 2, 16  # of an item of either
_RUN_ID, _RUN_PROJECT = 1, 3


class RunFile:
    """A run-*.wandb file that grows."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._position = file.write(_HEAD)
        run = _field(_RUN_ID, b"bench") + _field(_RUN_PROJECT, b"bench")
        self._write([_field(_RECORD_RUN, run)])

    def log(self, entries: Iterable[Mapping[str, float]]) -> None:
        """Write entries, each with its `step`, as so many calls of `Run.log` do."""
        self._write([record for entry in entries for record in _records(entry)])

    def _write(self, records: Iterable[bytes]) -> None:
        out = bytearray()
        for record in records:
            self._pack(record, out)
        self._file.write(out)
        self._file.flush()
        self._position += len(out)

    def _pack(self, record: bytes, out: bytearray) -> None:
        """Cut one record at the ends of blocks."""
        at = 0
        while at < len(record):
            left = BLOCK_BYTES - (self._position + len(out)) % BLOCK_BYTES
            if left <= _CHUNK_HEAD_BYTES:
                out += (
                    bytes(left) if left < _CHUNK_HEAD_BYTES else _chunk(_FIRST if at == 0 else _MIDDLE, b"")
                )
                continue
            piece = record[at : at + left - _CHUNK_HEAD_BYTES]
            is_last = at + len(piece) == len(record)
            kind = (_FULL if is_last else _FIRST) if at == 0 else (_LAST if is_last else _MIDDLE)
            out += _chunk(kind, piece)
            at += len(piece)


def make_run_file(folder: Path) -> Path:
    """The path of a run's file, in a new folder laid out as W&B's client does."""
    run = folder / "wandb" / "offline-run-20260101_000000-bench"
    run.mkdir(parents=True)
    return run / "run-bench.wandb"


def write_run(path: Path, entries: int) -> None:
    """Write a run of the entries of `longlog`."""
    with path.open("wb") as file:
        growing = RunFile(file)
        for table in tables(entries):
            growing.log(dict(zip(FIELDS, row, strict=True)) for row in table.tolist())


def _records(entry: Mapping[str, float]) -> tuple[bytes, bytes, bytes]:
    step = int(entry["step"])
    told = [
        ("_step", b"%d" % step),
        ("_runtime", b"%.9f" % (6.25 * step)),
        ("_timestamp", b"%.9e" % (1.8e9 + step)),
    ]
    told += [(name, b"%.12g" % value) for name, value in entry.items() if name != "step"]
    items = b"".join([_item(name, value) for name, value in told])
    history = items + _field(_STEP, b"\x08" + _varint(step))
    runtime = _item("_runtime", b"%d" % (6.25 * step))
    return _field(_RECORD_HISTORY, history), _field(_RECORD_SUMMARY, runtime), _field(_RECORD_SUMMARY, items)


def _item(name: str, value: bytes) -> bytes:
    return _field(_ITEM, _field(_NESTED_KEY, name.encode()) + _field(_VALUE_JSON, value))


def _field(number: int, data: bytes) -> bytes:
    return _varint(number << 3 | _LENGTH_DELIMITED) + _varint(len(data)) + data


def _varint(number: int) -> bytes:
    if number < 0x80:
        return number.to_bytes(1, "little")
    return bytes((number & 0x7F | 0x80,)) + _varint(number >> 7)


def _chunk(kind: int, data: bytes) -> bytes:
    return struct.pack("<IHB", zlib.crc32(data, zlib.crc32(bytes((kind,)))), len(data), kind) + data
