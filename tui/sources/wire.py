"""The protocol of `far.sh` on a channel: marked lines and counted bytes, and when the last of them came."""

from __future__ import annotations

from time import monotonic

from tui.sources.channel import Channel
from tui.sources.trouble import lost

_NOISE_BYTES = 1024 * 1024
"""The most that a login may print before the first mark, and the longest line between two."""


class Wire:
    """Requests out, answers in.

    Attributes:
        is_up: Whether a marked line has come: the far end runs.
    """

    def __init__(self, channel: Channel, nonce: str) -> None:
        self.is_up = False
        self._channel = channel
        self._mark = f"@{nonce}@".encode("ascii")
        self._buffer = bytearray()
        self._due = 1  # the first answer comes unasked
        self._alive_s = monotonic()

    def silent_s(self) -> float:
        """Seconds since the last byte came, or was first waited for; 0 when no answer is due."""
        return monotonic() - self._alive_s if self._due else 0.0

    def ask(self, request: str) -> None:
        """Send a request; its answer comes after those to earlier ones."""
        if not self._due:
            self._alive_s = monotonic()
        self._due += 1
        self._channel.send(request.encode("ascii") + b"\n")

    def tell(self, request: str) -> None:
        """Send a request that has no answer."""
        self._channel.send(request.encode("ascii") + b"\n")

    async def answer(self) -> list[str] | None:
        """The words of the next marked line; None at the end. What stands before the mark is noise of a login."""
        while True:
            end = self._buffer.find(b"\n")
            if end < 0:
                if len(self._buffer) > _NOISE_BYTES:
                    raise lost("the far end prints something else than was asked for; connecting anew")
                if not await self._fill():
                    return None
                continue
            line = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            _, mark, words = line.rpartition(self._mark)
            if mark and words:
                self.is_up = True
                self._due -= 1
                return words.decode("ascii", "replace").split()

    async def data(self, length: int) -> bytes | None:
        """The bytes of an answer; fewer where the file was cut short meanwhile; None if the channel ends within.

        Raises:
            Trouble: They are not followed by the mark.
        """
        end = length + len(self._mark) + 1
        self._due += 1
        while len(self._buffer) < end and not self._is_cut_short():
            if not await self._fill():
                return None
        self._due -= 1
        mark = self._mark + b"\n"
        if self._buffer[length:end] != mark:
            length = self._buffer.find(mark, 0, end)  # no log holds a mark, which nobody knew before
        if length < 0:
            raise lost("the far end prints something else than was asked for; connecting anew")
        data = bytes(self._buffer[:length])
        del self._buffer[: length + len(mark)]
        return data

    def _is_cut_short(self) -> bool:
        """Whether all that has come is fewer bytes than were announced, and the mark after them."""
        return self._buffer.endswith(self._mark + b"\n")

    async def _fill(self) -> bool:
        received = await self._channel.receive()
        self._alive_s = monotonic()
        self._buffer += received
        return bool(received)
