"""A demo is a real SSH server with a log behind it that grows, and leaves nothing when it ends."""

import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncssh
import pytest

from tests.processes import processes_that_say
from tests.waiting import eventually
from tui.sources.demo.stage import Stage, demo
from tui.sources.demo.trainer import SCENARIOS, simulate, write_line
from tui.target import Hop, parse_target

LOG = "/workspace/checkpoints/train_log.jsonl"


@asynccontextmanager
async def login(stage: Stage, client_key: Path | None = None) -> AsyncIterator[asyncssh.SSHClientConnection]:
    host = parse_target(stage.target).host
    assert host
    assert stage.ssh.known_hosts
    assert stage.ssh.client_keys
    async with asyncssh.connect(
        host.name,
        host.port or 22,
        username=host.user or "",
        config=None,
        agent_path=None,
        known_hosts=[str(path) for path in stage.ssh.known_hosts],
        client_keys=[str(client_key or stage.ssh.client_keys[0])],
    ) as connection:
        yield connection


async def ask(stage: Stage, command: str, stdin: str = "") -> tuple[str, str, int | None]:
    async with login(stage) as connection:
        answer = await connection.run(command, input=stdin)
    return str(answer.stdout), str(answer.stderr), answer.exit_status


async def test_its_address_leads_over_ssh_into_the_container_to_the_log() -> None:
    async with demo() as stage:
        target = parse_target(stage.target)
        assert target.host
        assert target.host.name == "127.0.0.1"
        assert (target.hops, target.path) == ((Hop("pct", ("200",)),), LOG)


async def test_the_log_holds_the_scenarios_history_at_the_start() -> None:
    history = SCENARIOS["plateau"].history
    async with demo("plateau", seed=3) as stage:
        head, _, status = await ask(stage, f"pct exec 200 -- head -n {history} {LOG}")
    assert head == "".join(map(write_line, simulate("plateau", entries=history, seed=3)))
    assert status == 0


async def test_the_log_grows_while_it_is_followed() -> None:
    async with demo() as stage, login(stage) as connection:
        follow = f"pct exec 200 -- sh -c 'tail -n 1 -F {LOG}'"
        async with connection.create_process(follow) as process:
            lines = [await process.stdout.readline() for _ in range(30)]
    history = SCENARIOS["default"].history
    run = list(map(write_line, simulate(entries=history + 2_000)))
    start = run.index(lines[0])
    assert start >= history - 1
    assert lines == run[start : start + 30]


async def test_output_errors_and_status_of_a_command_come_back_apart() -> None:
    async with demo() as stage:
        assert await ask(stage, "cat; echo wrong >&2; exit 7", stdin="said") == ("said", "wrong\n", 7)


async def test_a_path_is_mapped_wherever_it_stands_in_the_words_of_a_command() -> None:
    async with demo() as stage:
        script = f"""'cd "$1" && ls "$2"; ls {LOG}; printf "%s" "$3"'"""
        nested = f"pct exec 200 -- sh -c {script} x /workspace {LOG} 'a  b\nc'"
        out, err, status = await ask(stage, nested)
    own, inner, words = out.split("\n", 2)
    assert own == inner
    assert own.endswith(LOG)
    assert (words, err, status) == ("a  b\nc", "", 0)


async def test_another_container_is_not_there() -> None:
    async with demo() as stage:
        out, err, status = await ask(stage, f"pct exec 201 -- cat {LOG}")
    assert (out, status) == ("", 2)
    assert "201.conf' does not exist" in err


async def test_a_shell_without_a_command_is_declined() -> None:
    async with demo() as stage, login(stage) as connection:
        answer = await connection.run()
    assert answer.exit_status == 1
    assert "single commands only" in str(answer.stderr)


async def test_nobody_else_is_let_in(tmp_path: Path) -> None:
    stranger = tmp_path / "id_ed25519"
    asyncssh.generate_private_key("ssh-ed25519").write_private_key(stranger)
    async with demo() as stage:
        with pytest.raises(asyncssh.PermissionDenied):
            async with login(stage, stranger):
                pass


async def test_its_files_are_for_their_owner_alone_and_gone_at_the_end() -> None:
    async with demo() as stage:
        assert stage.ssh.known_hosts
        folder = stage.ssh.known_hosts[0].parent
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not folder.exists()


async def test_a_command_and_its_children_end_with_their_channel() -> None:
    async with demo() as stage, login(stage) as connection:
        process = await connection.create_process("sleep 7391 & sleep 7391")
        await eventually(lambda: len(processes_that_say("sleep\x007391")) == 2)
        process.close()
        await eventually(lambda: not processes_that_say("sleep\x007391"))


async def test_a_command_and_its_children_end_with_the_connection() -> None:
    async with demo() as stage:
        async with login(stage) as connection:
            await connection.create_process("sleep 7392 & sleep 7392")
            await eventually(lambda: len(processes_that_say("sleep\x007392")) == 2)
            connection.abort()
        await eventually(lambda: not processes_that_say("sleep\x007392"))


async def test_a_command_and_its_children_end_with_the_demo() -> None:
    async with demo() as stage:
        connection = login(stage)
        process = await (await connection.__aenter__()).create_process("sleep 7393 & sleep 7393")
        await eventually(lambda: len(processes_that_say("sleep\x007393")) == 2)
    await eventually(lambda: not processes_that_say("sleep\x007393"))
    await process.wait_closed()


async def test_an_unknown_scenario_is_refused_before_anything_starts() -> None:
    with pytest.raises(KeyError):
        async with demo("tornado"):
            pass
