"""A file is a training log by what its two ends say, and an array, a chat or a system's log is none."""

import json
import struct

import pytest

from tui.decode.tensorboard import masked_crc32c
from tui.find.logs import Verdict, judge
from tui.sources.survey import Ends

HEAD, TAIL = 8192, 24576


def ends(data: bytes) -> Ends:
    """A file's ends, as they are read."""
    tail = data[HEAD:] if len(data) <= HEAD + TAIL else data[-TAIL:]
    return Ends("/log", 1.0, len(data), "1:1", data[:HEAD], tail)


def lines(count: int) -> bytes:
    return "".join(f'{{"step": {step}, "loss": {2 / step:.6f}}}\n' for step in range(1, count + 1)).encode()


def test_a_short_log_is_read_whole() -> None:
    assert judge(ends(lines(3))) == Verdict("jsonl", 3)


@pytest.mark.parametrize("count", [500, 5_000])
def test_a_long_log_is_read_at_its_end(count: int) -> None:
    assert judge(ends(lines(count))) == Verdict("jsonl", count)


def test_a_last_line_that_is_being_written_is_left_out() -> None:
    assert judge(ends(lines(5_000) + b'{"step": 5001, "lo')) == Verdict("jsonl", 5_000)


def test_the_end_of_a_table_is_read_with_its_names() -> None:
    rows = "".join(f"{step},{2 / step:.6f}\n" for step in range(1, 10_001))
    assert judge(ends(b"step,loss\n" + rows.encode())) == Verdict("csv", 10_000)


def test_text_is_read_at_its_end() -> None:
    text = "".join(f"step {step} | loss {2 / step:.4f} | lr 1.0e-4\n" for step in range(1, 10_001))
    verdict = judge(ends(text.encode()))
    assert verdict is not None
    assert (verdict.format.split()[0], verdict.last_step) == ("text", 10_000)


def test_a_long_document_is_named_without_its_step() -> None:
    history = [{"step": step, "loss": 2 / step} for step in range(1, 5_001)]
    document = json.dumps({"global_step": 5000, "log_history": history}, indent=2).encode()
    assert judge(ends(document)) == Verdict("json", None)


def test_events_of_tensorboard_are_named_even_where_nothing_here_can_read_them() -> None:
    record = b"\x1a\x0dbrain.Event:2"
    head = struct.pack("<Q", len(record))
    frame = head + struct.pack("<I", masked_crc32c(head)) + record + struct.pack("<I", masked_crc32c(record))
    assert judge(ends(frame)) == Verdict("tensorboard", None)
    assert judge(ends(frame * 5_000)) == Verdict("tensorboard", None)


@pytest.mark.parametrize(
    "data",
    [
        b"id,price\n1,2\n2,3\n",
        b'{"role": "user", "content": "hello", "tokens": 12}\n' * 2000,
        b"Nov 30 20:00:01 box CRON[123]: (root) CMD (run-parts /etc/cron.hourly)\n" * 900,
        b'{"name": "config", "hidden": 4096}\n',
        b"\x00\x01\x02" * 20_000,
        b"",
    ],
)
def test_what_is_no_training_log_is_none(data: bytes) -> None:
    assert judge(ends(data)) is None
