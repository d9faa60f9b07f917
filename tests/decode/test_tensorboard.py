import math
import struct
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.decode.test_decoder import entries_of
from tests.decode.test_framing import cut
from tui.decode.batch import Batch, join_batches
from tui.decode.decoder import Decoder
from tui.decode.tensorboard import begins_tensorboard, masked_crc32c

events = pytest.importorskip("tensorboard.compat.proto.event_pb2")


def frame(record: bytes) -> bytes:
    head = struct.pack("<Q", len(record))
    return head + struct.pack("<I", masked_crc32c(head)) + record + struct.pack("<I", masked_crc32c(record))


def scalar(step: int, tag: str, value: float) -> bytes:
    event = events.Event(step=step, wall_time=1.5e9 + step)
    event.summary.value.add(tag=tag, simple_value=value)
    return frame(event.SerializeToString())


def tensor(step: int, tag: str, fill: Any) -> bytes:
    event = events.Event(step=step, wall_time=1.5e9 + step)
    fill(event.summary.value.add(tag=tag).tensor)
    return frame(event.SerializeToString())


HEAD = frame(events.Event(file_version="brain.Event:2").SerializeToString())
LOG = HEAD + b"".join(scalar(step, tag, step / 4) for step in range(1, 4) for tag in ("loss", "lr"))


def read(*pieces: bytes) -> tuple[Decoder, Batch]:
    decoder = Decoder()
    return decoder, join_batches([*map(decoder.feed, pieces), decoder.finish()])


def test_the_scalars_of_one_step_are_one_entry() -> None:
    decoder, batch = read(LOG)
    assert decoder.format_name == "tensorboard"
    assert entries_of(batch) == [
        {"step": float(step), "loss": step / 4, "lr": step / 4, "timestamp": 1.5e9 + step}
        for step in (1, 2, 3)
    ]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, len(LOG)), max_size=8))
def test_any_cut_gives_the_same_entries(places: list[int]) -> None:
    assert entries_of(read(*cut(LOG, places))[1]) == entries_of(read(LOG)[1])


def test_a_record_that_is_not_whole_is_not_yet_one() -> None:
    decoder = Decoder()
    assert decoder.feed(LOG[:-3]).entries == 2
    assert (entry := decoder.finish()).entries == 1
    assert entry.malformed == 0


def test_tensors_of_one_element_are_scalars_and_pictures_are_none() -> None:
    def packed(proto: Any) -> None:
        proto.dtype, proto.tensor_content = 1, struct.pack("<f", 0.25)

    def listed(proto: Any) -> None:
        proto.dtype = 1
        proto.float_val.append(math.nan)

    def wide(proto: Any) -> None:
        proto.dtype = 1
        proto.tensor_shape.dim.add(size=3)
        proto.float_val.extend([1, 2, 3])

    log = HEAD + tensor(1, "a", packed) + tensor(2, "b", listed) + tensor(3, "c", wide)
    found = [set(entry) for entry in entries_of(read(log)[1])]
    assert found == [{"step", "a", "timestamp"}, {"step", "b", "timestamp"}]


def test_a_broken_length_ends_what_can_be_read_and_is_counted() -> None:
    _, batch = read(LOG + b"\x01" * 40 + LOG)
    assert (batch.entries, batch.malformed) == (3, 1)


def test_a_record_of_rubbish_is_counted_and_the_next_is_read() -> None:
    _, batch = read(HEAD + frame(b"\xff\xff\xff") + scalar(1, "loss", 0.5))
    assert (batch.entries, batch.malformed) == (1, 1)


def test_a_log_of_lines_is_none() -> None:
    assert begins_tensorboard(b'{"step": 1, "loss": 2}') is False
    assert begins_tensorboard(b"1 2.5\n") is False
    assert begins_tensorboard(LOG[:5]) is None
    assert begins_tensorboard(LOG[:12]) is True


def test_the_checksum_is_that_of_the_format() -> None:
    assert (
        masked_crc32c(b"123456789") == (((0xE3069283 >> 15) | (0xE3069283 << 17)) + 0xA282EAD8) & 0xFFFFFFFF
    )
