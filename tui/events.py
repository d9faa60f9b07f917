"""The small records that cross from one stage to the next."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class LinkState(StrEnum):
    """How the way to a log stands."""

    CONNECTING = "connecting"
    LIVE = "live"
    STALE = "stale"  # connected as far as the transport knows, but the far end does not answer
    RETRYING = "retrying"  # the connection is gone; another attempt is due
    REFUSED = "refused"  # a login, a host key or a permission; a retry alone can't help
    MISSING = "missing"  # the way is open, but no such host, container, command or file is there
    ENDED = "ended"  # everything that was asked for has been read


class LinkChanged(Struct, frozen=True):
    """The way to the log is now in another state.

    `detail` is one sentence for a person: what, where, and what to do next. None when all is well.
    `retry_in_s` is the time to the next attempt, in seconds, where one is planned.
    """

    state: LinkState
    detail: str | None = None
    retry_in_s: float | None = None


class Received(Struct, frozen=True):
    """Bytes of the log, in order; `offset` is the position in the file of the first of them."""

    data: bytes
    offset: int


class Observed(Struct, frozen=True):
    """The far end's own word about the file. It proves that the whole way is alive.

    Times are UTC epoch seconds by the remote clock; `size` is in bytes. `ages` tells how many seconds ago each file was
    written to, where a run is logged in several.
    """

    remote_now_s: float
    modified_s: float
    size: int
    ages: tuple[tuple[str, float], ...] = ()


class FileReplaced(Struct, frozen=True):
    """The bytes that follow belong to another file, or to this one cut short; they start at offset 0.

    `reason` says how ("rotated", "truncated", "replaced"). `gap` is true where bytes of the old file may have
    gone unread.
    """

    reason: str
    gap: bool = False


class CaughtUp(Struct, frozen=True):
    """Everything that was in the file when it was opened has been handed on."""


class Glimpsed(Struct, frozen=True):
    """The end of a long log of `size` bytes, out of order and in advance; the same bytes come again in theirs."""

    data: bytes
    offset: int
    size: int


class Skipped(Struct, frozen=True):
    """The first `size` bytes of the log, whole lines of which `head` is the beginning, are left out, as was asked."""

    head: bytes
    size: int


class Switched(Struct, frozen=True):
    """The bytes that follow are those of another of the files that one run is logged in; `file` names it."""

    file: str


SourceEvent = LinkChanged | Received | Observed | FileReplaced | CaughtUp | Glimpsed | Skipped | Switched
