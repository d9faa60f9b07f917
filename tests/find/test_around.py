"""Machines and their containers are gone through; what is wrong with one disturbs no other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.find.machines import Machine, write_log
from tests.processes import processes_that_say
from tests.sources.servers import Server, serving
from tests.waiting import eventually
from tui.find.around import MOST_CONTAINERS, Bounds, FoundPlace, look_around
from tui.find.places import parse_place
from tui.sources.ssh import Connections
from tui.sources.survey import LEAST_S

PATIENT = Bounds(timeout_s=60.0)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "machine")


@pytest.fixture
async def server(machine: Machine) -> AsyncIterator[Server]:
    async with serving(machine.server()) as running:
        yield running


@asynccontextmanager
async def mute_port() -> AsyncIterator[int]:
    """A port where somebody answers, and says nothing."""
    listener = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
    try:
        yield listener.sockets[0].getsockname()[1]
    finally:
        listener.close()


async def look(server: Server, *addresses: str, bounds: Bounds = PATIENT) -> list[FoundPlace]:
    places = [parse_place(address) for address in addresses]
    return [each async for each in look_around(places, Connections(server.options), bounds)]


def addresses(found: Sequence[FoundPlace]) -> list[str]:
    return [log.address for each in found for log in each.logs]


async def test_the_logs_of_a_machine_and_of_its_containers_are_found_over_one_login(
    machine: Machine, server: Server
) -> None:
    write_log(machine.home, 7)
    for name in ("one", "two"):
        write_log(machine.add_container(name), 9)
    found = await look(server, f"{server.address}/~/")
    assert addresses(found) == [
        f"{server.address}{machine.home}/train.jsonl",
        *(
            f"{server.address}/docker/{name}:{machine.folder}/containers/{name}/train.jsonl"
            for name in ("one", "two")
        ),
    ]
    assert [[log.last_step for log in each.logs] for each in found] == [[7], [9], [9]]
    assert [each.is_container for each in found] == [False, True, True]
    assert server.logins == 1
    await eventually(lambda: not server.sessions)


async def test_a_container_that_has_gone_since_is_told_in_its_row(machine: Machine, server: Server) -> None:
    write_log(machine.add_container("here"))
    machine.names.append("gone")
    machine.write_list()
    write_log(machine.add_container("there"))
    host, here, gone, there = await look(server, f"{server.address}/~/")
    assert (len(here.logs), len(there.logs), host.error, here.error, there.error) == (1, 1, None, None, None)
    assert gone.error is not None
    assert "has no container docker/gone" in gone.error


async def test_a_container_that_hangs_keeps_no_other_waiting(machine: Machine, server: Server) -> None:
    machine.add_container("hung")
    write_log(machine.add_container("well"))
    docker = (machine.folder / "commands" / "docker").read_text()
    hang = '[ "$1 $3" != "exec hung" ] || exec sleep 98765\ncase'
    machine.add_command("docker", docker.replace("case", hang, 1))
    _, hung, well = await look(server, f"{server.address}/~/", bounds=replace(PATIENT, container_s=2.0))
    assert hung.error == f"{hung.name} did not answer within 2 s"
    assert (len(well.logs), well.error) == (1, None)
    await eventually(lambda: not processes_that_say("sleep\0" + "98765"))


async def test_containers_for_which_there_is_no_time_are_named(machine: Machine, server: Server) -> None:
    machine.add_container("late")
    _, late = await look(server, f"{server.address}/~/", bounds=Bounds(timeout_s=LEAST_S))
    assert late.error == "it was not looked into within 2 s; allow more with --timeout"


async def test_of_a_thousand_containers_the_first_are_looked_into(machine: Machine, server: Server) -> None:
    machine.names += [f"worker-{number}" for number in range(1000)]
    machine.write_list()
    host, *others = await look(server, f"{server.address}/~/")
    assert len(others) == MOST_CONTAINERS
    told = (
        f"{1000 - MOST_CONTAINERS} more containers are left out: {MOST_CONTAINERS} of a machine are looked at"
    )
    assert host.notes == (told,)


async def test_a_container_within_a_container_is_found(machine: Machine, server: Server) -> None:
    machine.add_command("pct", _pct(machine))
    write_log(machine.add_container("inner"))
    found = await look(server, f"{server.address}/~/")
    assert [each.name.split(" ▸ ")[1:] for each in found] == [
        [],
        ["docker/inner"],
        ["pct/200"],
        ["pct/200", "docker/inner"],
    ]
    inner = f"{machine.folder}/containers/inner/train.jsonl"
    assert addresses(found)[-1] == f"{server.address}/pct/200:docker/inner:{inner}"


def _pct(machine: Machine) -> str:
    """Proxmox's, with a container in which Docker is, but no pct; and one that is stopped."""
    within = machine.folder / "within"
    within.mkdir()
    (within / "docker").symlink_to(machine.folder / "commands" / "docker")
    return (
        '#!/bin/sh\nif [ "$1" = list ]; then echo "VMID Status Lock Name"; echo "200 running box"; exit; fi\n'
        f'shift 3\nexec env PATH={within}:{machine.folder}/tools "$@"\n'
    )


async def test_a_stopped_container_is_named_and_not_entered(machine: Machine, server: Server) -> None:
    machine.add_command(
        "pct", '#!/bin/sh\n[ "$1" = list ] || echo entered >$HOME/x.log\necho "201 stopped"\n'
    )
    _, stopped = await look(server, f"{server.address}/~/")
    assert (stopped.state, stopped.error, stopped.logs) == ("stopped", None, ())
    assert not (machine.home / "x.log").exists()


async def test_a_machine_that_hangs_at_login_keeps_no_other_waiting(machine: Machine, server: Server) -> None:
    write_log(machine.home)
    async with mute_port() as port:
        mute = f"ssh://someone@127.0.0.1:{port}"
        found = await look(server, mute, f"{server.address}/~/", bounds=Bounds(timeout_s=3.0))
    assert [bool(each.error) for each in found] == [False, True]
    assert found[1].error == f"someone@127.0.0.1:{port} did not answer within 3 s; allow more with --timeout"


async def test_a_machine_that_is_not_there_is_told(server: Server) -> None:
    async with mute_port() as port:
        pass
    (found,) = await look(server, f"ssh://someone@127.0.0.1:{port}")
    assert found.error is not None
    assert "no SSH server answers" in found.error


async def test_leaving_early_ends_everything(machine: Machine, server: Server) -> None:
    machine.add_command("docker", "#!/bin/sh\nexec sleep 98764\n")
    looking = asyncio.create_task(look(server, f"{server.address}/~/"))
    await eventually(lambda: processes_that_say("sleep\0" + "98764"))
    looking.cancel()
    await asyncio.gather(looking, return_exceptions=True)
    await eventually(lambda: not processes_that_say("sleep\0" + "98764"))
    await eventually(lambda: all(each.is_closed() for each in server.connections))
