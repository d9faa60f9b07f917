"""Tells the files that are no text by their first bytes: those that hold a log, and those that can't."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import NamedTuple, Protocol

from tui.decode.batch import Batch
from tui.decode.names import Names
from tui.decode.tensorboard import begins_tensorboard
from tui.decode.wandb import begins_wandb

_STRANGERS = (
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"PK\x03\x04", "a ZIP archive (as PyTorch's checkpoints are)"),
    (b"\x1f\x8b", "a gzip archive; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive; unpack it first"),
    (b"\xfd7zXZ\x00", "an xz archive; unpack it first"),
    (b"BZh", "a bzip2 archive; unpack it first"),
    (b"\x7fELF", "a program"),
    (b"%PDF-", "a PDF document"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\x80\x02", "a pickle"),
    (b"\x80\x04\x95", "a pickle"),
)


class BinaryFormat(Protocol):
    """One way of writing entries into bytes that are no lines."""

    name: str

    def feed(self, data: bytes) -> Batch:
        """The entries that `data` completes. Never raises."""
        ...

    def finish(self) -> Batch:
        """What was held back; the next bytes begin another file."""
        ...


class Kind(NamedTuple):
    """A binary format: what its files begin with, how it is made, and what is needed for it."""

    what: str
    begins: Callable[[bytes], bool | None]
    make: Callable[[Names], BinaryFormat]
    needs: str


def _make_tensorboard(names: Names) -> BinaryFormat:
    from tui.decode.tensorboard import TensorBoard

    return TensorBoard(names)


def _make_wandb(names: Names) -> BinaryFormat:
    from tui.decode.wandb import Wandb

    return Wandb(names)


BINARY_FORMATS: dict[str, Kind] = {
    "tensorboard": Kind("a TensorBoard event file", begins_tensorboard, _make_tensorboard, "tensorboard"),
    "wandb": Kind("an offline run of Weights & Biases", begins_wandb, _make_wandb, "wandb"),
}
"""The formats of bytes; the first bytes of a file tell which it is, if any."""


class Unreadable(NamedTuple):
    """A file from which nothing can be read, and why, as the end of a sentence that begins with its name."""

    why: str


def recognize(start: bytes, names: Names) -> BinaryFormat | Unreadable | bool | None:
    """What a file that begins so is: a binary format, something that is no log, False for text, None to wait."""
    is_open = False
    for name, kind in BINARY_FORMATS.items():
        begins = kind.begins(start)
        if begins:
            return open_format(name, names)
        is_open |= begins is None
    for magic, what in _STRANGERS:
        if start.startswith(magic):
            what, _, remedy = what.partition("; ")
            return Unreadable(f"is {what} and no log" + (f"; {remedy}" if remedy else ""))
        is_open |= magic.startswith(start)
    return None if is_open else False


def open_format(name: str, names: Names) -> BinaryFormat | Unreadable:
    """A binary format by name, or what is missing for it."""
    kind = BINARY_FORMATS[name]
    if find_spec(kind.needs) is None:
        return Unreadable(f"is {kind.what}; to read it, install milepost[{name}]")
    try:
        return kind.make(names)
    except ImportError as error:
        return Unreadable(
            f"is {kind.what}, but its library can't be loaded ({error}); install milepost[{name}]"
        )
