"""A command is run where a log is, with its output and time bounded, and nothing of it is left."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.processes import processes_that_say
from tests.sources.listening import BRISK, following
from tests.sources.servers import Server, serving
from tests.waiting import eventually
from tui.events import LinkState
from tui.sources.open import open_source
from tui.sources.probe import Said, probe, stream
from tui.sources.ssh import CONNECTIONS, SESSIONS, Connections
from tui.sources.trouble import Trouble
from tui.target import Target, parse_target

HERE = parse_target("/nowhere", ("env",))


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    async with serving(Server(tmp_path / "server")) as running:
        yield running


def script(text: str, *words: str) -> list[str]:
    return ["sh", "-c", text, "probe", *words]


async def test_a_command_says_what_it_says_and_how_it_ended() -> None:
    said = await probe(HERE, script('printf "%s" "$1"; echo no >&2; exit 3', "a b\n$(c)"), Connections())
    assert said == Said(b"a b\n$(c)", "no\n", 3)


async def test_a_command_is_run_on_a_host_and_what_the_login_prints_is_left_out(server: Server) -> None:
    server.noise = b"Welcome!\nno newline"
    target = parse_target(f"{server.address}/nowhere", ("env",))
    connections = Connections(server.options)
    assert (await probe(target, ["echo", "it's"], connections)).stdout == b"it's\n"
    await eventually(lambda: all(each.is_closed() for each in server.connections))


async def test_more_output_than_was_asked_for_is_cut() -> None:
    said = await probe(HERE, script("while :; do echo yes; done"), Connections(), most_bytes=1000)
    assert (said.stdout, said.is_cut) == (b"yes\n" * 250, True)


async def test_a_command_that_takes_too_long_is_told_and_ended() -> None:
    with pytest.raises(Trouble, match=r"sleep on .* did not end within 0\.2 s"):
        await probe(HERE, ["sleep", "98761"], Connections(), timeout_s=0.2)
    await eventually(lambda: not processes_that_say("sleep\0" + "98761"))


async def test_of_a_command_that_takes_too_long_a_part_may_be_enough() -> None:
    argv = script("echo begun; sleep 98760; echo done")
    said = await probe(HERE, argv, Connections(), timeout_s=0.5, is_part_enough=True)
    assert said == Said(b"begun\n", "", None, is_cut=True)
    await eventually(lambda: not processes_that_say("sleep\0" + "98760"))


async def test_a_place_that_runs_nothing_is_told() -> None:
    with pytest.raises(Trouble, match="no command no-such-command"):
        await probe(parse_target("/nowhere", ("sh -c 'exec no-such-command'",)), ["true"], Connections())


async def test_a_probe_is_answered_while_every_other_session_is_taken(tmp_path: Path, server: Server) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"1\n")
    connections = Connections(server.options)
    async with AsyncExitStack() as stack:
        for number in range(CONNECTIONS * SESSIONS):
            target = parse_target(f"{server.address}{log}", (f"env PLACE={number}",))
            heard = await stack.enter_async_context(following(open_source(target, connections, pace=BRISK)))
            await heard.has(b"1\n")
        target = parse_target(f"{server.address}{log}")
        assert (await probe(target, ["echo", "free"], connections)).stdout == b"free\n"
        assert len(server.connections) == CONNECTIONS
        assert LinkState.RETRYING not in heard.links


@pytest.mark.parametrize("shell", ["dash", "bash", "mksh", "busybox"])
async def test_a_stream_gives_what_comes_until_it_is_left(shell: str, tmp_path: Path) -> None:
    if (found := shutil.which(shell)) is None:
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "sh").symlink_to(found)
    text = "sleep 98763 & echo $$ $!; i=0; while :; do i=$((i+1)); echo line $i; sleep 0.02; done"
    target = replace(HERE, via=(("env", f"PATH={tmp_path}:{os.environ['PATH']}"),))
    async with stream(target, script(text), Connections(), BRISK) as output:
        text_so_far = b""
        async for data in output:
            text_so_far += data
            if b"line 5\n" in text_so_far:
                break
        pids = text_so_far.decode().split()[:2]
        assert all(Path(f"/proc/{pid}").exists() for pid in pids)
    await eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids))


async def collect(target: Target, argv: list[str]) -> bytes:
    async with stream(target, argv, Connections(), BRISK) as output:
        return b"".join([data async for data in output])


async def test_a_stream_ends_with_its_command() -> None:
    assert await collect(HERE, script("echo one; echo two")) == b"one\ntwo\n"


async def test_a_stream_whose_command_fails_says_why() -> None:
    with pytest.raises(Trouble, match="the driver is not loaded"):
        await collect(HERE, script("echo one; echo the driver is not loaded >&2; exit 9"))


async def test_a_stream_without_beats_ends_itself() -> None:
    mute = replace(BRISK, beat_s=1000, patience_s=0.2)
    async with stream(HERE, script("echo $$; sleep 98762"), Connections(), mute) as output:
        pid = int((await anext(output)).split()[0])
        await eventually(lambda: not Path(f"/proc/{pid}").exists())
