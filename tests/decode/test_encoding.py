import codecs

from hypothesis import given
from hypothesis import strategies as st

from tests.decode.test_framing import cut
from tui.decode.encoding import Transcoder


def transcode(pieces: list[bytes]) -> bytes:
    transcoder = Transcoder()
    return b"".join([*map(transcoder.feed, pieces), transcoder.finish()])


@given(
    st.text(st.characters(codec="utf-8"), max_size=40),
    st.sampled_from(["utf-16-le", "utf-16-be", "utf-8"]),
    st.lists(st.integers(0, 90), max_size=6),
)
def test_a_marked_text_is_utf_8_whatever_the_cuts(text: str, encoding: str, places: list[int]) -> None:
    mark = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE, "utf-8": codecs.BOM_UTF8}[
        encoding
    ]
    assert transcode(cut(mark + text.encode(encoding), places)) == text.encode()


@given(st.binary(max_size=40), st.lists(st.integers(0, 40), max_size=6))
def test_any_bytes_come_out_the_same_whatever_the_cuts(data: bytes, places: list[int]) -> None:
    assert transcode(cut(data, places)) == transcode([data])


def test_a_mark_is_dropped_at_the_start_only() -> None:
    assert transcode([b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n"]) == b"a\n\xef\xbb\xbfb\n"


def test_bytes_without_a_mark_pass_as_they_are() -> None:
    assert transcode([b"\xff\x00", b"a"]) == b"\xff\x00a"
