import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.decode.test_framing import cut
from tui.commands.arguments import FORMAT_NAMES
from tui.decode.batch import Batch
from tui.decode.binary import BINARY_FORMATS
from tui.decode.decoder import Decoder
from tui.decode.formats import FORMATS
from tui.decode.tail import TAIL_LINES
from tui.errors import UsageError


def entries_of(batch: Batch) -> list[dict[str, float]]:
    """The entries of a batch in order, by name."""
    entries: list[dict[str, float]] = [{}] * batch.entries
    for rows in batch.rows:
        for at, values in zip(rows.at, rows.values.tolist(), strict=True):
            entries[at] = dict(zip(rows.fields, values, strict=True))
    return entries


LOG = b"".join(b'{"step": %d, "loss": %d}\n' % (step, step) for step in range(20)) + b"junk\n{}\n"


@given(st.lists(st.integers(0, len(LOG)), max_size=10))
def test_any_cut_gives_the_same_entries(places: list[int]) -> None:
    decoder = Decoder()
    batches = [decoder.feed(piece) for piece in cut(LOG, places)]
    steps = [values[0] for batch in batches for rows in batch.rows for values in rows.values.tolist()]
    assert steps == [float(step) for step in range(20)]
    assert sum(batch.malformed for batch in batches) == 1
    assert sum(batch.remarks for batch in batches) == 1
    assert [line.text for line in decoder.tail][-3:] == ['{"step": 19, "loss": 19}', "junk", "{}"]


def test_a_whole_last_line_is_an_entry_at_the_end_and_a_fragment_is_nothing() -> None:
    whole, cut_off = Decoder(), Decoder()
    whole.feed(b'{"step": 1}\n{"step": 2}')
    cut_off.feed(b'{"step": 1}\n{"step": 2')
    assert whole.finish().entries == 1
    assert (cut_off.pending_bytes, (end := cut_off.finish()).entries, end.malformed) == (10, 0, 0)


def test_a_line_over_the_limit_is_malformed_and_said() -> None:
    decoder = Decoder()
    batch = decoder.feed(b"x" * (1 << 21) + b'\n{"step": 1}\n')
    assert (batch.entries, batch.malformed) == (1, 1)


def test_the_tail_is_bounded_safe_and_marks_what_could_not_be_read() -> None:
    decoder = Decoder()
    decoder.feed(b'{"step": 1}\n' * 2 * TAIL_LINES + b"\x1b[31mTraceback\n")
    assert len(decoder.tail) == TAIL_LINES
    assert (decoder.tail[-1].text, decoder.tail[-1].is_malformed) == ("Traceback", True)
    assert not decoder.tail[0].is_malformed


def test_an_unknown_format_is_named_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="no log format 'yaml'; there is jsonl"):
        Decoder("yaml")


def test_the_command_line_names_the_formats_that_there_are() -> None:
    assert FORMAT_NAMES.split(", ") == [*FORMATS, *BINARY_FORMATS]


def test_a_line_that_was_drawn_over_is_gone_from_the_tail() -> None:
    decoder = Decoder()
    decoder.feed(b" 1/3\r 2/3\r 3/3\ndone\n")
    assert [line.text for line in decoder.tail] == [" 3/3", "done"]


def test_utf_16_is_read_like_utf_8_and_its_pending_bytes_are_those_of_the_file() -> None:
    data = "step 1: loss 2.5\nstep 2: loss".encode("utf-16")
    decoder = Decoder()
    batch = decoder.feed(data)
    assert entries_of(batch) == [{"step": 1.0, "loss": 2.5}]
    assert decoder.pending_bytes == len("step 2: loss".encode("utf-16-le"))


def test_a_log_that_ends_in_an_error_says_which() -> None:
    decoder = Decoder()
    decoder.feed(
        b'{"step": 1, "loss": 2.5}\nTraceback (most recent call last):\n  File "a.py", line 1, in f\n'
    )
    assert decoder.error is None
    decoder.feed(b"torch.OutOfMemoryError: CUDA out of memory.\n")
    assert decoder.error == "OutOfMemoryError: CUDA out of memory."


def test_an_error_that_entries_follow_is_none() -> None:
    decoder = Decoder()
    decoder.feed(b'{"step": 1}\nTraceback (most recent call last):\nValueError: no\n{"step": 2}\n')
    assert decoder.error is None


def test_a_document_that_is_written_anew_gives_its_new_entries_only() -> None:
    def state(steps: int) -> bytes:
        rows = ",\n".join(f'    {{"step": {step}, "loss": {4 / step}}}' for step in range(1, steps + 1))
        return b'{\n  "log_history": [\n' + rows.encode() + b"\n  ]\n}"

    decoder = Decoder()
    first = [decoder.feed(state(2)), decoder.finish()]
    second = [decoder.feed(state(3)), decoder.finish()]
    assert sum(batch.entries for batch in first) == 2
    assert [entry for batch in second for entry in entries_of(batch)] == [{"step": 3.0, "loss": 4 / 3}]


def test_a_picture_is_no_log_and_says_so() -> None:
    decoder = Decoder()
    assert decoder.feed(b"\x89PNG\r\n\x1a\n" + b"step 1: loss 2.5\n" * 9).entries == 0
    assert decoder.unreadable == "is a PNG picture and no log"


def test_another_file_after_the_first_is_sniffed_anew() -> None:
    decoder = Decoder()
    decoder.feed(b'{"step": 1, "loss": 2.5}\n')
    decoder.finish()
    assert decoder.format_name == "jsonl"
    assert entries_of(decoder.feed(b"epoch,loss\n1,2.5\n")) == [{"epoch": 1.0, "loss": 2.5}]
    assert decoder.format_name == "csv"


def test_a_broken_last_line_is_counted_before_anything_follows_it_and_at_the_end() -> None:
    decoder = Decoder()
    assert decoder.feed(b'{"step": 1}\ngarbage here\n').malformed == 0
    assert decoder.doubted.malformed == 1
    assert decoder.finish().malformed == 1
    assert decoder.doubted.malformed == 0


def test_a_fragment_behind_a_broken_line_is_still_not_counted() -> None:
    decoder = Decoder()
    decoder.feed(b'{"step": 1}\ngarbage here\n{"step": 2, "lo')
    assert decoder.finish().malformed == 1


def test_the_source_lines_of_a_traceback_are_foreign_and_not_malformed() -> None:
    decoder = Decoder()
    decoder.feed(b'{"step": 1}\n' * 3)
    decoder.feed(b'Traceback (most recent call last):\n  File "train.py", line 10, in <module>\n    main()\n')
    decoder.feed(b"RuntimeError: it broke\n")
    assert (decoder.doubted.malformed, decoder.doubted.noise) == (0, 4)
    assert decoder.error == "RuntimeError: it broke"
