from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from tui.decode.framing import Framer


def cut(data: bytes, places: list[int]) -> list[bytes]:
    edges = sorted({place % (len(data) + 1) for place in places} | {0, len(data)})
    return [data[start:stop] for start, stop in pairwise(edges)]


def frame(pieces: list[bytes], limit: int = 1 << 20) -> tuple[list[bytes], bytes | None, int]:
    framer = Framer(limit)
    lines = [line for piece in pieces for line in framer.feed(piece)]
    return lines, framer.finish(), framer.oversized


@given(st.binary(max_size=200), st.lists(st.integers(0, 200), max_size=8))
@example(b"\xef\xbb\xbf{}\n", [1, 2])
@example(b"a\r\r\nb", [2])
@example(b"a\r\r\r\nb\r\r", [2, 4, 7])
def test_any_cut_of_any_bytes_gives_the_same_lines(data: bytes, places: list[int]) -> None:
    assert frame(cut(data, places)) == frame([data])


@given(
    st.lists(st.binary(max_size=30).filter(lambda line: not {10, 13} & set(line)), max_size=20),
    st.integers(2, 12),
)
def test_every_line_is_kept_or_counted(lines: list[bytes], limit: int) -> None:
    data = b"".join(line + b"\n" for line in lines)
    kept, rest, oversized = frame([data], limit)
    assert rest is None
    assert len(kept) + oversized == sum(map(bool, lines))


@given(st.binary(max_size=100), st.lists(st.integers(0, 100), max_size=8), st.integers(1, 20))
def test_the_limit_falls_on_the_same_lines_however_they_are_cut(
    data: bytes, places: list[int], limit: int
) -> None:
    assert frame(cut(data, places), limit) == frame([data], limit)


def test_a_line_without_its_newline_is_not_yet_a_line() -> None:
    framer = Framer()
    assert framer.feed(b'{"step": 1') == []
    assert framer.pending_bytes == 10
    assert framer.feed(b"}\n") == [b'{"step": 1}']
    assert framer.pending_bytes == 0


def test_carriage_returns_before_the_newline_are_no_part_of_the_line() -> None:
    assert frame([b"a\r\nb\r\r\nc\n"]) == ([b"a", b"b", b"c"], None, 0)


def test_a_line_that_is_drawn_over_keeps_its_carriage_return() -> None:
    assert frame([b"1/3\r2/3\r", b"3/3\ndone\r\r\r\n"]) == ([b"1/3\r", b"2/3\r", b"3/3", b"done"], None, 0)


def test_a_carriage_return_at_the_end_waits_for_what_follows() -> None:
    framer = Framer()
    assert framer.feed(b"a\r") == []
    assert framer.feed(b"\nb\r") == [b"a"]
    assert framer.feed(b"c") == [b"b\r"]


def test_a_line_without_an_end_is_held_in_bounded_memory() -> None:
    framer = Framer(limit_bytes=1000)
    for _ in range(100):
        framer.feed(b"x" * 100)
    assert sum(map(len, framer._pieces)) <= 1001
    assert framer.feed(b"\nnext\n") == [b"next"]
    assert framer.oversized == 1


def test_what_stands_after_the_last_newline_comes_out_at_the_end() -> None:
    assert frame([b'{"a": 1}\n{"a": 2}']) == ([b'{"a": 1}'], b'{"a": 2}', 0)
