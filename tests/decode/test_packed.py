"""Lines, some of which are compressed."""

from hypothesis import given
from hypothesis import strategies as st

from tui.decode.packed import BLOCK_LINES, PackedLines

LINES = [b'{"step": %d, "loss": 0.5}' % number for number in range(10 * BLOCK_LINES)]


def test_packed_lines_come_back_as_they_were() -> None:
    lines = PackedLines()
    lines.extend(LINES)
    while lines.pack():
        pass
    assert lines.since(0) == LINES
    assert len(lines) == len(LINES)
    assert lines.size_bytes == sum(map(len, LINES))


def test_the_last_lines_are_always_at_hand() -> None:
    lines = PackedLines()
    lines.extend(LINES)
    while lines.pack():
        pass
    assert lines.last == LINES[-1]
    assert lines.since(len(LINES) - BLOCK_LINES) == LINES[-BLOCK_LINES:]


def test_forgetting_tells_how_much_was_forgotten() -> None:
    lines = PackedLines()
    lines.extend([b"one", b"three"])
    assert lines.forget(1) == 3
    assert lines.forget(5) == 5
    assert lines.since(0) == []
    assert lines.last == b""


STEPS = st.one_of(
    st.tuples(st.just("extend"), st.integers(0, 3 * BLOCK_LINES)),
    st.tuples(st.just("forget"), st.integers(0, 3 * BLOCK_LINES)),
    st.tuples(st.just("pack"), st.just(0)),
    st.tuples(st.just("replace"), st.integers(0, 99)),
)


@given(st.lists(STEPS, max_size=30), st.integers(0, 2 * BLOCK_LINES))
def test_packing_is_never_seen(steps: list[tuple[str, int]], start: int) -> None:
    lines, plain = PackedLines(), list[bytes]()
    for what, count in steps:
        if what == "extend":
            lines.extend(LINES[:count])
            plain += LINES[:count]
        elif what == "forget":
            lines.forget(count)
            del plain[:count]
        elif what == "replace" and plain:
            lines.replace_last(b"%d" % count)
            plain[-1] = b"%d" % count
        else:
            lines.pack()
        assert len(lines) == len(plain)
        assert lines.last == (plain[-1] if plain else b"")
        assert lines.size_bytes == sum(map(len, plain))
    assert lines.since(start) == plain[start:]
