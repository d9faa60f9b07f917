"""A program on a terminal of its own (a pty), and what it has written there."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import termios
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec

SIZE = (120, 40)
"""Columns and rows."""

CAN_SEE = find_spec("pyte") is not None
"""Whether `Terminal.rows` can be asked: it needs the screen of the extra `bench`."""

_SEQUENCE = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]")


@dataclass
class Terminal:
    """What a program writes, read as it comes, as a terminal does; nothing it asks the terminal is answered."""

    pid: int
    size: tuple[int, int]
    _descriptor: int
    _seen: bytearray = field(default_factory=bytearray)
    _read: threading.Condition = field(default_factory=threading.Condition)
    _rows: Rows | None = None

    def __post_init__(self) -> None:
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        try:
            while data := os.read(self._descriptor, 1 << 16):
                with self._read:
                    self._seen += data
                    self._read.notify_all()
        except OSError:  # the program has ended
            return

    @property
    def is_open(self) -> bool:
        """Whether the program still runs."""
        return self._listener.is_alive()

    def await_text(self, text: bytes, limit_s: float) -> float:
        """Wait until this has been written since anybody last looked; the time at which it was there.

        Raises:
            TimeoutError: It has not been written within `limit_s` seconds.
        """
        return self.await_sight(lambda seen: text in seen, text.decode(), limit_s)

    def await_sight(self, is_there: Callable[[bytes], bool], what: str, limit_s: float) -> float:
        """The same for whatever can be told from the text that was written; escape sequences are left out."""
        with self._read:
            if not self._read.wait_for(lambda: is_there(_SEQUENCE.sub(b"", self._seen)), limit_s):
                raise TimeoutError(f"{what} is not on the screen after {limit_s:g} s")
            self._seen.clear()
            return time.monotonic()

    def rows(self) -> list[str]:
        """The rows that a person sees now, also where a program writes only the cells that have changed."""
        self._rows = self._rows or Rows(self.size)
        with self._read:
            data = bytes(self._seen)
            self._seen.clear()
        return self._rows.after(data)

    def type(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self._descriptor, keys)


class Rows:
    """The cells of a terminal."""

    def __init__(self, size: tuple[int, int]) -> None:
        import pyte

        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)

    def after(self, data: bytes) -> list[str]:
        """The text of each row once this has been written."""
        self._stream.feed(data)
        return list(self._screen.display)


@contextmanager
def running(
    command: Sequence[str], environment: Mapping[str, str], size: tuple[int, int] = SIZE
) -> Iterator[Terminal]:
    """A command on a terminal, ended as a closed window ends it."""
    shape = struct.pack("HHHH", size[1], size[0], 0, 0)
    pid, descriptor = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, shape)
        os.execvpe(
            command[0], list(command), {**environment, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        )
    try:
        yield Terminal(pid, size, descriptor)
    finally:
        os.kill(pid, signal.SIGTERM)
        os.waitpid(pid, 0)
        os.close(descriptor)
