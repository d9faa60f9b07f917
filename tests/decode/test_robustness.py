"""No bytes at all may stop the decoder, and no cut may change what it says."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.decode.test_decoder import entries_of
from tests.decode.test_framing import cut
from tui.decode.batch import join_batches
from tui.decode.decoder import Decoder
from tui.decode.formats import FORMATS
from tui.decode.names import FIELD_LIMIT, LOG_FIELD_LIMIT
from tui.store.run import Run

FRAGMENTS = (
    b'{"step": 1, "loss": 2.5}',
    b'{"step": 2, "loss": NaN}',
    b"{'loss': 0.5, 'epoch': 0.01}",
    b"step 3: loss 0.25",
    b"step:4/10 train_loss:6.9 step_avg:nanms",
    b"epoch,step,loss",
    b"0,5,1.5",
    b"1,,0.5",
    b"epoch\tloss",
    b"1\t2.5",
    b"| loss | 1.5 |",
    b"| step | 1e+03 |",
    b"-------------",
    b"Epoch 1/3",
    b" 5/10 [==>...] - loss: 0.25\r",
    b"Epoch 0:  20%|##  | 2/10 [00:01<00:02, 3.2it/s, loss=1.5]\r",
    b"Epoch box obj",
    b"  0/9  0.5  0.25",
    b"{",
    b"}",
    b'  "log_history": [{"step": 1, "loss": 1.5}]',
    b"Traceback (most recent call last):",
    b"ValueError: no",
    b"2024-01-01 10:00:00 - INFO - iter 5: loss 2.0",
    b"1 8.25",
    b"250 val 6.25",
    b"[valid] Up. 5 : cost : 1.5",
    b"\xff\xfe",
    b"\x00",
    b"loss: 1e400",
    b"# comment",
    b"Namespace(lr=0.1)",
    b"   Learning iteration 5/10",
    b"   Mean reward: 1.5",
    b"   Mean loss: 0.25",
    b'{"log": "step 9: loss 0.5\\n", "stream": "stdout", "time": "2024-01-01T00:00:00Z"}',
    b"\x1b[31mstep: 7 \x1b[0mloss: 1.25",
)
ENDS = (b"\n", b"\r\n", b"\r", b"\r\r\n", b"", b"\n\n")


@st.composite
def logs(draw: st.DrawFn) -> bytes:
    """Pieces of every format in any order, with any line ends."""
    pieces = draw(st.lists(st.tuples(st.sampled_from(FRAGMENTS), st.sampled_from(ENDS)), max_size=30))
    return b"".join(line + end for line, end in pieces)


def read(pieces: list[bytes], log_format: str | None = None) -> tuple[object, ...]:
    decoder = Decoder(log_format)
    batch = join_batches([*(decoder.feed(piece) for piece in pieces), decoder.finish()])
    return (
        [_print(entry) for entry in entries_of(batch)],
        batch.malformed,
        batch.remarks,
        batch.noise,
        decoder.format_name,
        decoder.error,
        decoder.unreadable,
    )


def _print(entry: dict[str, float]) -> dict[str, str]:
    """The values as text: so NaN is like NaN."""
    return {name: repr(value) for name, value in entry.items()}


@settings(max_examples=400, deadline=None)
@given(logs(), st.lists(st.integers(0, 600), max_size=8))
@example(b'{"step": 1}\nstep 1: loss 2.5\nstep 2: loss 2.5\nstep 3: loss 2.5\n{"step": 2}\n', [15, 40])
@example(b"epoch,step,loss\n0,5,1.5\njunk\n", [17])
def test_any_cut_of_any_log_says_the_same(data: bytes, places: list[int]) -> None:
    assert read(cut(data, places)) == read([data])


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=6))
def test_any_cut_of_any_bytes_says_the_same(data: bytes, places: list[int]) -> None:
    assert read(cut(data, places)) == read([data])


@settings(max_examples=60, deadline=None)
@given(
    logs() | st.binary(max_size=200),
    st.sampled_from(sorted(FORMATS)),
    st.lists(st.integers(0, 300), max_size=4),
)
def test_a_chosen_format_takes_any_bytes_and_any_cut(data: bytes, log_format: str, places: list[int]) -> None:
    assert read(cut(data, places), log_format) == read([data], log_format)


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=300))
def test_any_text_is_read_or_counted(text: str) -> None:
    decoder = Decoder()
    batch = join_batches([decoder.feed(text.encode()), decoder.finish()])
    assert sum(len(rows.at) for rows in batch.rows) == batch.entries


@settings(max_examples=100, deadline=None)
@given(logs())
@example(b"step inf: loss 1.5\nepoch 1 step nan: loss 0.5\nepoch 1 step 5: loss 0.25\n")
def test_a_run_takes_in_whatever_was_read(data: bytes) -> None:
    decoder, run = Decoder(), Run()
    run.add(decoder.feed(data))
    run.add(decoder.finish())
    run.table()
    run.progress()
    assert all(run.metric(name).count >= 0 for name in run.fields)


@pytest.mark.parametrize(
    "line",
    [
        b"x" * 50_000_000,
        b"1" * 1_000_000,
        b"1," * 500_000,
        b"a=1 " * 250_000,
        b"[" * 1_000_000,
        b'{"a":' * 200_000,
        b"{'a':" * 200_000,
        b"| " * 500_000,
        b" " * 1_000_000 + b"1",
        b":" * 1_000_000,
        b"- " * 500_000,
        b"1:2" * 300_000,
        b"1/1" * 300_000,
        b"tensor(" * 100_000,
        b"\x1b[" * 400_000,
        b"\x00" * 1_000_000,
        b"loss 1.0 " * 100_000,
        b"a" * 500_000 + b"=1, loss: 0.5",
        b"50%|" * 200_000,
        b"1 day, " * 100_000,
        b"Epoch " * 100_000,
        b"2024-01-01 10:00:00 " * 50_000,
    ],
    ids=lambda line: f"{line[:12]!r}",
)
def test_behind_a_monstrous_line_the_log_goes_on(line: bytes) -> None:
    decoder = Decoder()
    for at in range(0, len(line), 1 << 16):
        decoder.feed(line[at : at + (1 << 16)])
    decoder.feed(b"\n")
    batch = join_batches([decoder.feed(b"step 1: loss 0.5\nstep 2: loss 0.25\n"), decoder.finish()])
    assert batch.entries == 2


def test_formats_that_take_turns_are_followed_each_time() -> None:
    text = b"".join(b"step %d: loss 0.5\n" % step for step in range(3))
    rows = b'{"step": 1, "loss": 0.5}\n' * 3
    decoder = Decoder()
    batch = join_batches([*(decoder.feed((text + rows) * 500) for _ in range(4)), decoder.finish()])
    assert batch.entries == 12_000


def test_a_hundred_thousand_different_keys_are_bounded_and_said() -> None:
    decoder = Decoder()
    names = set()
    for start in range(0, 100_000, 100):
        row = ", ".join(f'"k{start + number}": {number}' for number in range(100))
        names |= {
            name
            for rows in decoder.feed(f'{{"step": {start}, {row}}}\n'.encode()).rows
            for name in rows.fields
        }
    assert len(names) == LOG_FIELD_LIMIT
    assert decoder.dropped_values == 100_001 - LOG_FIELD_LIMIT


def test_one_row_with_fifty_thousand_keys_is_bounded() -> None:
    line = "step: 1 " + " ".join(f"k{number}: {number}.5" for number in range(50_000))
    (rows,) = Decoder().feed(line.encode() + b"\n").rows
    assert len(rows.fields) <= FIELD_LIMIT


def test_a_key_of_ten_kilobytes_is_cut_and_the_value_kept() -> None:
    batch = Decoder().feed(b'{"step": 1, "%s": 2.5}\n' % (b"k" * 10_000))
    assert max(map(len, batch.rows[0].fields)) == 120
    assert batch.rows[0].values.tolist() == [[1.0, 2.5]]


def test_duplicate_keys_are_one_field_with_the_last_value() -> None:
    (rows,) = Decoder().feed(b'{"step": 1, "loss": 2, "loss": 3}\n').rows
    assert (rows.fields, rows.values.tolist()) == (("step", "loss"), [[1.0, 3.0]])


def test_random_bytes_give_no_entries_and_no_error() -> None:
    noise = random.Random(0).randbytes(200_000)
    entries, malformed, _, other, *_ = read([noise])
    assert entries == []
    assert malformed + other > 100  # type: ignore[operator]


def test_integers_beyond_every_float_are_infinite_in_text_too() -> None:
    (rows,) = Decoder().feed(b"step 1: loss 1%s\n" % (b"0" * 390)).rows
    assert np.isinf(rows.values).any()
