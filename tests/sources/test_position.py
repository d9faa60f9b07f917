"""A position knows the first and the last bytes before it, however they came."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tui.sources.position import HEAD_BYTES, TAIL_BYTES, Position


@given(st.lists(st.binary(max_size=700), max_size=12))
def test_any_cut_gives_the_same_position(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    position = Position()
    for piece in pieces:
        position = position.after(piece)
    assert position == Position(len(data), data[:HEAD_BYTES], data[-TAIL_BYTES:])


def test_enough_of_a_file_is_kept_to_tell_it_from_one_with_the_same_header() -> None:
    assert HEAD_BYTES >= 256
