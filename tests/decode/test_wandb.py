import struct
from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.decode.test_decoder import entries_of
from tests.decode.test_framing import cut
from tui.decode.batch import Batch, join_batches
from tui.decode.decoder import Decoder
from tui.decode.wandb import begins_wandb

pytest.importorskip("wandb")
records = import_module("wandb.proto.wandb_internal_pb2")

HEAD = b":W&B" + struct.pack("<HB", 0xBEE1, 0)
BLOCK_BYTES = 32 * 1024


def history(**items: str) -> bytes:
    record = records.Record()
    for name, value in items.items():
        record.history.item.add(key=name, value_json=value)
    data: bytes = record.SerializeToString()
    return data


def pack(*told: bytes) -> bytes:
    """A file of these records, cut into the chunks of its blocks."""
    out = bytearray(HEAD)
    for data in told:
        rest, is_first = data, True
        while is_first or rest:
            left = BLOCK_BYTES - len(out) % BLOCK_BYTES
            if left < 7:
                out += bytes(left)
                continue
            piece, rest = rest[: left - 7], rest[left - 7 :]
            kind = (1 if not rest else 2) if is_first else (3 if rest else 4)
            out += struct.pack("<IHB", 0, len(piece), kind) + piece
            is_first = False
    return bytes(out)


def read(*pieces: bytes) -> tuple[Decoder, Batch]:
    decoder = Decoder()
    return decoder, join_batches([*map(decoder.feed, pieces), decoder.finish()])


LOG = pack(
    records.Record(run=records.RunRecord(run_id="x")).SerializeToString(),
    *(history(_step=str(step), loss=f"{step / 4}", note='"text"') for step in range(3)),
)


def test_each_row_of_the_history_is_an_entry() -> None:
    decoder, batch = read(LOG)
    assert decoder.format_name == "wandb"
    assert entries_of(batch) == [{"_step": float(step), "loss": step / 4} for step in range(3)]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, len(LOG)), max_size=8))
def test_any_cut_gives_the_same_entries(places: list[int]) -> None:
    assert entries_of(read(*cut(LOG, places))[1]) == entries_of(read(LOG)[1])


def test_a_row_that_fills_several_blocks_is_put_together() -> None:
    long = history(_step="1", loss="0.5", note='"' + "x" * 3 * BLOCK_BYTES + '"')
    log = pack(long, history(_step="2", loss="0.25"))
    assert [entry["loss"] for entry in entries_of(read(log)[1])] == [0.5, 0.25]


def test_nan_is_a_value_nested_ones_are_flattened_and_media_are_nothing() -> None:
    log = pack(
        history(
            _step="1", loss="NaN", train='{"acc": 0.5}', clip='{"_type": "video-file", "size": 9}', broken="{"
        )
    )
    assert [set(entry) for entry in entries_of(read(log)[1])] == [{"_step", "loss", "train/acc"}]


def test_a_row_that_is_not_whole_is_not_yet_one_and_a_broken_chunk_is_counted() -> None:
    assert read(LOG[:-2])[1].entries == 2
    _, batch = read(LOG + b"\xff" * 20 + LOG)
    assert (batch.entries, batch.malformed) == (3, 1)


def test_it_is_known_by_its_first_bytes() -> None:
    assert begins_wandb(LOG[:8]) is True
    assert begins_wandb(b":W") is None
    assert begins_wandb(b": W&B") is False
