"""TensorBoard event files: framed records of protocol buffers, read with TensorBoard's own definitions."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from tui.decode.batch import Batch, Collector
from tui.decode.names import Names

RECORD_BYTES = 64 << 20
"""The longest record that is held; scalars have tens of bytes, pictures millions."""

_HEAD = struct.Struct("<QI")
_FOOT_BYTES = 4
_MASK_DELTA = 0xA282EAD8


class TensorBoard:
    """Decodes the bytes of an event file; what the writer has not finished yet waits.

    The scalars of one step that are written one after the other are one entry.
    """

    name = "tensorboard"

    def __init__(self, names: Names) -> None:
        from tensorboard.compat.proto.event_pb2 import Event  # an optional extra, and slow to import

        self._event: Any = Event
        self._names = names
        self._held = bytearray()
        self._skip = 0
        self._is_broken = False
        self._entry: dict[str, float] = {}
        self._step: int | None = None

    def feed(self, data: bytes) -> Batch:
        """The entries that `data` completes. Never raises: from a broken record on nothing can be read."""
        out = Collector()
        self._held += data
        for record in self._records(out):
            self._take(record, out)
        return out.batch()

    def finish(self) -> Batch:
        """The entry of the last step; what follows belongs to another file."""
        out = Collector()
        self._release(out)
        self._held.clear()
        self._is_broken = False
        self._skip = 0
        return out.batch()

    def _records(self, out: Collector) -> Iterator[bytes]:
        """The whole records; length, its checksum, the data, its checksum (which is not verified)."""
        held, at = self._held, 0
        while not self._is_broken:
            skipped = min(self._skip, len(held) - at)
            at, self._skip = at + skipped, self._skip - skipped
            if self._skip or len(held) - at < _HEAD.size:
                break
            length, checksum = _HEAD.unpack_from(held, at)
            if checksum != masked_crc32c(bytes(held[at : at + 8])):
                out.malformed += 1
                self._is_broken = True
                break
            if length > RECORD_BYTES:
                out.malformed += 1
                at, self._skip = at + _HEAD.size, length + _FOOT_BYTES
                continue
            stop = at + _HEAD.size + length
            if len(held) < stop + _FOOT_BYTES:
                break
            yield bytes(held[at + _HEAD.size : stop])
            at = stop + _FOOT_BYTES
        del held[: len(held) if self._is_broken else at]

    def _take(self, record: bytes, out: Collector) -> None:
        from google.protobuf.message import DecodeError

        try:
            event = self._event.FromString(record)
        except DecodeError:
            out.malformed += 1
            return
        scalars = {}
        for value in event.summary.value:
            name = self._names.admit(value.tag)
            number = _scalar(value)
            if name is not None and number is not None:
                scalars[name] = number
        if not scalars:
            out.remarks += 1
            return
        if event.step != self._step or scalars.keys() & self._entry.keys():
            self._release(out)
        self._step = event.step
        self._entry |= {"step": float(event.step), **scalars, "timestamp": event.wall_time}

    def _release(self, out: Collector) -> None:
        if self._entry:
            out.add_entry(self._entry)
        self._entry = {}


def _scalar(value: Any) -> float | None:
    """The number of a summary's value, as `simple_value` or as a tensor of one element; None for pictures and texts."""
    kind = value.WhichOneof("value")
    if kind == "simple_value":
        return float(value.simple_value)
    tensor = value.tensor
    if kind != "tensor" or any(dim.size != 1 for dim in tensor.tensor_shape.dim):
        return None
    for numbers in (tensor.float_val, tensor.double_val, tensor.int_val, tensor.int64_val):
        if len(numbers) == 1:
            return float(numbers[0])
    form = {1: "<f", 2: "<d", 3: "<i", 9: "<q"}.get(tensor.dtype)  # DT_FLOAT, DT_DOUBLE, DT_INT32, DT_INT64
    if form is None or len(tensor.tensor_content) != struct.calcsize(form):
        return None
    return float(struct.unpack(form, tensor.tensor_content)[0])


def begins_tensorboard(start: bytes) -> bool | None:
    """Whether a file that begins so is an event file; None where more is needed to tell."""
    if len(start) >= _HEAD.size:
        length, checksum = _HEAD.unpack_from(start)
        return bool(length < RECORD_BYTES and checksum == masked_crc32c(start[:8]))
    return None if not any(start[4:8]) and (len(start) < 4 or start[3] == 0) else False


def masked_crc32c(data: bytes) -> int:
    """The checksum of TFRecord files: CRC-32C (Castagnoli), rotated and shifted."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return (((crc >> 15) | (crc << 17)) + _MASK_DELTA) & 0xFFFFFFFF
