from importlib.util import find_spec

import pytest

from tui.decode import binary
from tui.decode.binary import Unreadable, open_format, recognize
from tui.decode.names import Names


@pytest.mark.parametrize(
    ("start", "what"),
    [
        (b"\x89PNG\r\n\x1a\n0000", "a PNG picture"),
        (b"PK\x03\x04" + b"0" * 12, "a ZIP archive"),
        (b"\x1f\x8b\x08" + b"0" * 12, "a gzip archive and no log; unpack it first"),
        (b"\x7fELF" + b"0" * 12, "a program"),
    ],
)
def test_what_can_be_no_log_is_named(start: bytes, what: str) -> None:
    found = recognize(start, Names())
    assert isinstance(found, Unreadable)
    assert what in found.why


def test_lines_are_no_binary_format() -> None:
    assert recognize(b'{"step": 1, "loss": 2.5}', Names()) is False
    assert recognize(b"Going to train the model", Names()) is False


def test_too_few_bytes_to_tell_are_waited_for() -> None:
    assert recognize(b"", Names()) is None
    assert recognize(b"\x89P", Names()) is None


def test_a_missing_library_is_named_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary, "find_spec", lambda name: None if name == "tensorboard" else find_spec(name))
    found = open_format("tensorboard", Names())
    assert found == Unreadable("is a TensorBoard event file; to read it, install milepost[tensorboard]")
