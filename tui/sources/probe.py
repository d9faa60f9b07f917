"""One command run at the end of a target's way, with bounds on time and output; or one that goes on and on."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager

from msgspec import Struct

from tui.sources.channel import Channel
from tui.sources.explain import explain_end
from tui.sources.farshell import first_word
from tui.sources.hops import through
from tui.sources.open import find_way
from tui.sources.pace import Pace
from tui.sources.scripts import read_script
from tui.sources.ssh import Connections
from tui.sources.trouble import lost
from tui.target import Target

PROBE_S = 10.0
"""How long a probe may take, after the login."""

PROBE_BYTES = 1024 * 1024
"""The most that a probe may print; what comes after it is left."""

_NOISE_BYTES = 64 * 1024
_SCRIPT = """\
exec 3<&0
echo "@$0@"
"$@" 3<&- </dev/null &
command=$!
{
read -r _ <&3
read -r _ _ _ _ group _ </proc/$$/stat
[ "$group" != $$ ] || kill -9 0
kill -9 "$command"
} >/dev/null 2>&1 &
reader=$!
wait "$command"
status=$?
kill -9 "$reader"
exit "$status"
"""
"""Runs its words after a line with its name. When the client goes, and with it standard input, that ends them.

What they have started ends too where the shell leads a process group of its own, as it does in a session of sshd.
"""


class Said(Struct, frozen=True):
    """What a command said, and its exit status, None where that is not known; `is_cut` where it said more."""

    stdout: bytes
    stderr: str
    status: int | None
    is_cut: bool = False


async def probe(
    target: Target,
    argv: Sequence[str],
    connections: Connections,
    *,
    timeout_s: float = PROBE_S,
    most_bytes: int = PROBE_BYTES,
    pace: Pace | None = None,
    is_part_enough: bool = False,
) -> Said:
    """Run a command where a target's path is, over the connections that logs are followed on.

    On each host one session is kept free for probes, so there may be one at a time for certain. The command
    reads nothing. What a login prints before it is left out.

    Args:
        target: Host, prefixes and hops; the path is not looked at.
        argv: The command, its words unquoted; a script is `["sh", "-c", script, name, *arguments]`.
        connections: Those to share.
        timeout_s: How long it may run.
        most_bytes: How much of its standard output is taken.
        pace: How long a login may take.
        is_part_enough: Whether of a command that takes longer than `timeout_s` what it had said by then is of use.

    Raises:
        Trouble: The place can't be reached, or can't run anything, or the command takes longer than `timeout_s`.
    """
    pace, nonce = pace or Pace(), secrets.token_hex(8)
    command = through(target, ["sh", "-c", _SCRIPT, nonce, *argv])
    way = find_way(target, connections, pace, is_probe=True)
    output = bytearray()
    async with connections.probes[target.host], way.run(command) as channel:
        try:
            async with asyncio.timeout(timeout_s):
                output += await _skip_noise(channel, nonce, target)
                while len(output) <= most_bytes and (data := await channel.receive()):
                    output += data
                words, status = await channel.last_words() if len(output) <= most_bytes else ("", None)
        except TimeoutError as error:
            if is_part_enough:
                return Said(bytes(output[:most_bytes]), "", None, is_cut=True)
            raise lost(
                f"{argv[0]} on {target.place} did not end within {timeout_s:g} s; try again"
            ) from error
    return Said(bytes(output[:most_bytes]), words, status, len(output) > most_bytes)


@asynccontextmanager
async def stream(
    target: Target, argv: Sequence[str], connections: Connections, pace: Pace | None = None
) -> AsyncIterator[AsyncGenerator[bytes, None]]:
    """Run a command that goes on and on (`nvidia-smi -l`), and give what it prints as it comes, in any pieces.

    Leaving the context ends it; so does the far side, when it hears nothing of us for a while. It takes a session of
    its own, of the nine that are for good. The generator ends with the command, and raises `Trouble` where the
    place can't be reached, or the connection breaks.
    """
    pace, nonce = pace or Pace(), secrets.token_hex(8)
    script = read_script("beat.sh", "stream.sh")
    words = ["sh", "-c", script, "milepost", nonce, argv[0], f"{pace.patience_s:g}", *argv]
    async with find_way(target, connections, pace).run(through(target, words)) as channel:
        beating = asyncio.create_task(_beat(channel, pace.beat_s))
        try:
            yield _output(channel, nonce, target, pace)
        finally:
            beating.cancel()
            await asyncio.gather(beating, return_exceptions=True)


async def _beat(channel: Channel, beat_s: float) -> None:
    while True:
        await asyncio.sleep(beat_s)
        channel.send(b"\n")


async def _output(channel: Channel, nonce: str, target: Target, pace: Pace) -> AsyncGenerator[bytes, None]:
    async with first_word(target, pace):
        data = bytes(await _skip_noise(channel, nonce, target))
    while True:
        if data:
            yield data
        if not (data := await channel.receive()):
            break
    words, status = await channel.last_words()
    if status != 0:
        raise explain_end(target, words, status, was_up=True)


async def _skip_noise(channel: Channel, nonce: str, target: Target) -> bytearray:
    """What comes after the mark that stands before the command's own output.

    Raises:
        Trouble: The mark did not come: the command was not started.
    """
    mark, output = f"@{nonce}@".encode("ascii"), bytearray()
    while (at := output.find(mark)) < 0 or (end := output.find(b"\n", at)) < 0:
        data = await channel.receive()
        if not data or len(output) > _NOISE_BYTES:
            raise explain_end(target, *await channel.last_words(), was_up=False)
        output += data
    return output[end + 1 :]
