"""What a tmux pane prints, as a source: for runs that log to a terminal only."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from time import monotonic

from msgspec import Struct
from msgspec.structs import replace

from tui.events import CaughtUp, FileReplaced, LinkChanged, LinkState, Observed, Received, SourceEvent
from tui.sources.channel import Way
from tui.sources.farshell import FarShell
from tui.sources.hops import through
from tui.sources.overlap import KEPT_LINES, Transcript
from tui.sources.pace import Pace
from tui.sources.position import Bookmark
from tui.sources.returning import Returning
from tui.sources.scripts import read_script
from tui.sources.silence import noticing_silence
from tui.sources.trouble import Trouble, lost, missing, no_file
from tui.target import Target

OVERLAP_LINES = 50
"""How much of the history that was seen is looked at again, beyond the screen itself."""


class Look(Struct, frozen=True):
    """How a pane stands, and its text down to the line above the cursor's; None where nothing has changed.

    `pin` and `seen` are for the next request, `height` is in lines, the times are UTC epoch seconds over there.
    """

    pin: str
    seen: str
    height: int
    active_s: float
    now_s: float
    lines: list[bytes] | None


class FarPane(FarShell):
    """A pane that `tmux.sh` looks at."""

    async def look(self, last: Look | None) -> Look:
        """See what is new since the last look; all of the history without one.

        Raises:
            Trouble: The link is gone, or there is no such pane (`is_about_file`).
        """
        if last is None:
            self._wire.ask(f"look - - -{KEPT_LINES}")
        else:
            self._wire.ask(f"look {last.pin} {last.seen} {OVERLAP_LINES}")
        return await self._take()

    async def look_back(self, last: Look) -> Look:
        """See all of the history, whatever was seen before."""
        self._wire.ask(f"look {last.pin} - -{KEPT_LINES}")
        return await self._take()

    async def _take(self) -> Look:
        kind, *words = await self._answer()
        if kind != "pane" or len(words) != 6:
            raise explain_pane(self._target, kind)
        pin, seen, height, active, now, length = words
        lines = _whole_lines(await self._data(int(length)))
        return Look(pin, seen, int(height), float(active or 0), float(now), lines)


class PaneFollower(Returning):
    """The lines that a pane prints, each once it is whole; implements `Source`.

    Offsets count the bytes handed on since the first look, or since the last `FileReplaced`.
    """

    def __init__(self, target: Target, way: Way, pace: Pace) -> None:
        super().__init__(target.place, pace, Bookmark())
        self._target = target
        self._way = way
        self._transcript = Transcript()
        self._last: Look | None = None
        self._offset = 0
        self._grown_s = monotonic()

    async def _connection(self, follow: bool) -> AsyncGenerator[SourceEvent, None]:
        nonce = secrets.token_hex(8)
        script = read_script("beat.sh", "tmux.sh")
        words = ["sh", "-c", script, "milepost", nonce, _address(self._target), f"{self._pace.patience_s:g}"]
        host = _without_pane(self._target)
        async with self._way.run(through(host, words)) as channel:
            pane = FarPane(channel, nonce, self._target, self._pace, host)
            await pane.greet()
            events = noticing_silence(self._watch(pane, follow), pane, self._name, self._pace)
            async with aclosing(events):
                async for event in events:
                    yield event

    async def _watch(self, pane: FarPane, follow: bool) -> AsyncGenerator[SourceEvent, None]:
        said: str | None = ""  # the last word about the pane; None while all is well
        while True:
            try:
                look = await pane.look(self._last)
                new, has_gap = await self._find_new(pane, look)
            except Trouble as trouble:
                if not (follow and trouble.is_about_file):
                    raise
                if str(trouble) != said:
                    said = str(trouble)
                    yield LinkChanged(trouble.state, said, self._pace.beat_s)
                self._bookmark.note_answer()
                await asyncio.sleep(self._pace.beat_s)
                continue
            self._bookmark.note_answer()
            is_first = said == ""
            if said is not None:
                said = None
                yield LinkChanged(LinkState.LIVE)
            for event in self._tell(look, new, has_gap):
                yield event
            if is_first:
                yield CaughtUp()
                if not follow:
                    return
            await asyncio.sleep(self._pace.rest_s(monotonic() - self._grown_s, can_wake=False))

    async def _find_new(self, pane: FarPane, look: Look) -> tuple[Sequence[bytes], bool]:
        """The lines not handed on yet, and whether some before them may have gone unseen."""
        self._last = look
        if look.lines is None:
            return [], False
        new = self._transcript.take(look.lines, look.height)
        if new is not None:
            return new, False
        look = self._last = await pane.look_back(look)
        if look.lines is None:
            return [], False
        new = self._transcript.take(look.lines, look.height)
        return (self._transcript.start_over(look.lines), True) if new is None else (new, False)

    def _tell(self, look: Look, new: Sequence[bytes], has_gap: bool) -> Iterator[SourceEvent]:
        if has_gap:
            self._offset = 0
            yield FileReplaced("scrolled", gap=True)
        if new:
            self._grown_s = monotonic()
            data = b"".join(line + b"\n" for line in new)
            yield Received(data, self._offset)
            self._offset += len(data)
        yield Observed(look.now_s, look.active_s, self._offset)


def explain_pane(target: Target, answer: str) -> Trouble:
    """Why a pane can't be looked at, by the one-word answer of the far end."""
    session, *window = target.hops[-1].parts
    host = _without_pane(target).place
    if answer == "notmux":
        return missing(f"{host} has no tmux; check the address, or name the log's file instead")
    if answer == "noserver":
        return no_file(
            f"no tmux server of this login runs on {host}; start the run there: tmux new -s {session}"
        )
    if answer == "nosession":
        return no_file(f"tmux on {host} has no session {session}; see: tmux ls")
    if answer == "nopane":
        pane = f"window {window[0]}" if window else "pane"
        return no_file(
            f"tmux session {session} on {host} has no {pane}; see: tmux list-panes -s -t {session}"
        )
    return lost(f"{target.place} gave an unknown answer; connecting anew")


def _without_pane(target: Target) -> Target:
    """The way to where tmux runs."""
    return replace(target, hops=target.hops[:-1])


def _address(target: Target) -> str:
    """The pane as tmux is asked for it; a session's name has to be the whole of it."""
    session, *window = target.hops[-1].parts
    return f"={session}:" + "".join(window)


def _whole_lines(data: bytes) -> list[bytes] | None:
    """The lines above the cursor's, which is not whole yet, without the blanks after them."""
    if not data:
        return None
    *lines, _ = data.removesuffix(b"\n.").split(b"\n")
    return [line.rstrip(b" ") for line in lines]
