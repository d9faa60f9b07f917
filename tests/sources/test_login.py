"""What stands in the way of a login is one sentence, and host keys are always checked."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import asyncssh
import pytest

from tests.sources.doorkeeper import Doorkeeper, serving_questions
from tests.sources.listening import BRISK, Heard, following, read_once
from tests.sources.servers import Server, serving
from tests.waiting import eventually
from tui.events import LinkState
from tui.sources.open import open_source
from tui.sources.route import parse_jump
from tui.sources.ssh import Connections, SshOptions
from tui.target import Host, parse_target


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    async with serving(Server(tmp_path / "server")) as running:
        yield running


@pytest.fixture
def log(tmp_path: Path) -> Path:
    (tmp_path / "log.jsonl").write_bytes(b"1\n2\n")
    return tmp_path / "log.jsonl"


async def read(server: Server, log: Path, options: SshOptions | None = None) -> Heard:
    return await read_once(f"{server.address}{log}", Connections(options or server.options))


async def test_a_known_host_with_an_accepted_key_is_read(server: Server, log: Path) -> None:
    assert (await read(server, log)).data == b"1\n2\n"


async def test_an_unknown_host_key_is_refused_with_its_fingerprint_and_the_way_to_accept_it(
    server: Server, log: Path
) -> None:
    server.known_hosts.write_text("")
    heard = await read(server, log)
    assert heard.last_link.state is LinkState.REFUSED
    assert heard.last_link.detail == (
        f"the host key of [127.0.0.1]:{server.port} is not known (ssh-ed25519 {server.host_key.get_fingerprint()});"
        f" compare it, then accept it once with: ssh -p {server.port} someone@127.0.0.1"
    )
    assert not heard.data


async def test_a_changed_host_key_is_refused_with_the_way_to_remove_the_old_one(
    server: Server, log: Path
) -> None:
    other = asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode()
    server.known_hosts.write_text(f"[127.0.0.1]:{server.port} {other}")
    heard = await read(server, log)
    assert heard.last_link.state is LinkState.REFUSED
    assert f"THE HOST KEY OF [127.0.0.1]:{server.port} HAS CHANGED" in (heard.last_link.detail or "")
    assert f"ssh-keygen -R '[127.0.0.1]:{server.port}'" in (heard.last_link.detail or "")


async def test_a_host_key_is_checked_even_where_ssh_config_turns_that_off(
    server: Server, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    (home / ".ssh").mkdir(parents=True)
    (home / ".ssh" / "config").write_text(
        f"Host *\n UserKnownHostsFile none\n StrictHostKeyChecking no\n IdentityFile {server.key_file}\n"
    )
    monkeypatch.setenv("HOME", str(home))
    assert (await read_once(f"{server.address}{log}")).last_link.state is LinkState.REFUSED
    (home / ".ssh" / "known_hosts").write_text(server.known_hosts.read_text())
    assert (await read_once(f"{server.address}{log}")).data == b"1\n2\n"


async def test_a_hashed_name_in_known_hosts_is_known(server: Server, log: Path) -> None:
    salt = b"s" * 20
    digest = hmac.new(salt, f"[127.0.0.1]:{server.port}".encode(), hashlib.sha1).digest()
    name = f"|1|{base64.b64encode(salt).decode()}|{base64.b64encode(digest).decode()}"
    server.known_hosts.write_text(f"{name} {server.host_key.export_public_key().decode()}")
    assert (await read(server, log)).data == b"1\n2\n"


async def test_a_key_that_is_not_accepted_is_told(server: Server, log: Path, tmp_path: Path) -> None:
    asyncssh.generate_private_key("ssh-ed25519").write_private_key(tmp_path / "other")
    options = SshOptions((), (server.known_hosts,), (tmp_path / "other",))
    heard = await read(server, log, options)
    assert heard.last_link.state is LinkState.REFUSED
    assert heard.last_link.detail == (
        f"someone@127.0.0.1:{server.port} refuses the login: none of the keys offered is accepted;"
        f" compare: ssh -p {server.port} someone@127.0.0.1"
    )


async def test_a_key_with_a_passphrase_is_told_with_the_way_to_unlock_it(
    server: Server, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = tmp_path / "locked"
    server.user_key.write_private_key(locked, "pkcs8-pem", passphrase="secret")
    config = tmp_path / "config"
    config.write_text(f"Host *\n IdentityFile {locked}\n")
    monkeypatch.setenv("SSH_AUTH_SOCK", "")
    heard = await read(server, log, SshOptions((config,), (server.known_hosts,)))
    assert heard.last_link.state is LinkState.REFUSED
    assert f"the key {locked} has a passphrase, unlock it with: ssh-add {locked}" in (
        heard.last_link.detail or ""
    )


async def test_a_server_that_asks_for_a_password_is_told(log: Path, tmp_path: Path) -> None:
    async with serving_questions(tmp_path / "server", Doorkeeper("hunter2")) as server:
        heard = await read(server, log)
    assert heard.last_link.state is LinkState.REFUSED
    assert "asks for a password" in (heard.last_link.detail or "")
    assert f"ssh-copy-id -p {server.port} someone@127.0.0.1" in (heard.last_link.detail or "")


async def test_a_refused_login_is_not_tried_again_until_that_is_asked_for(server: Server, log: Path) -> None:
    known = server.known_hosts.read_text()
    server.known_hosts.write_text("")
    source = open_source(parse_target(f"{server.address}{log}"), Connections(server.options), pace=BRISK)
    async with following(source) as heard:
        await eventually(lambda: LinkState.REFUSED in heard.links)
        assert heard.last_link.retry_in_s is None
        server.known_hosts.write_text(known)
        source.retry_now()
        await heard.has(b"1\n2\n")
    assert heard.links == [LinkState.CONNECTING, LinkState.REFUSED, LinkState.CONNECTING, LinkState.LIVE]


async def test_a_port_without_a_server_is_told(
    server: Server, log: Path, unused_tcp_port_factory: Callable[[], int]
) -> None:
    port = unused_tcp_port_factory()
    heard = await read_once(f"ssh://someone@127.0.0.1:{port}{log}", Connections(server.options))
    assert heard.last_link.state is LinkState.RETRYING
    assert f"no SSH server answers at 127.0.0.1:{port}" in (heard.last_link.detail or "")


async def test_an_unknown_host_name_is_told(server: Server) -> None:
    heard = await read_once("ssh://someone@no-such-host.invalid/log.jsonl", Connections(server.options))
    assert heard.last_link.state is LinkState.MISSING
    assert "the host name no-such-host.invalid is not known" in (heard.last_link.detail or "")


async def test_a_broken_ssh_config_is_told(server: Server, log: Path, tmp_path: Path) -> None:
    (tmp_path / "config").write_text("Port many\n")
    heard = await read_once(f"host:{log}", Connections(SshOptions((tmp_path / "config",), ())))
    assert heard.last_link.state is LinkState.REFUSED
    assert "the SSH configuration for host can't be used" in (heard.last_link.detail or "")
    assert "line 1" in (heard.last_link.detail or "")


async def test_an_identity_file_that_is_not_there_does_no_harm(
    server: Server, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config"
    config.write_text(f"Host *\n IdentityFile {tmp_path}/nowhere\n IdentityFile {server.key_file}\n")
    monkeypatch.setenv("SSH_AUTH_SOCK", "")
    heard = await read(server, log, SshOptions((config,), (server.known_hosts,)))
    assert heard.data == b"1\n2\n"


@pytest.fixture
async def jump(tmp_path: Path) -> AsyncIterator[Server]:
    async with serving(Server(tmp_path / "jump")) as running:
        yield running


def jump_config(server: Server, jump: Server, tmp_path: Path) -> SshOptions:
    """An ssh_config in which `inner` is reached over `outer`, and a known_hosts with both."""
    config = tmp_path / "config"
    config.write_text(
        f"Host inner\n HostName 127.0.0.1\n Port {server.port}\n User me\n ProxyJump outer\n"
        f" IdentityFile {server.key_file}\n"
        f"Host outer\n HostName 127.0.0.1\n Port {jump.port}\n User me\n IdentityFile {jump.key_file}\n"
    )
    known = tmp_path / "both"
    known.write_text(server.known_hosts.read_text() + jump.known_hosts.read_text())
    return SshOptions((config,), (known,))


async def test_a_jump_host_of_ssh_config_is_gone_through(
    server: Server, jump: Server, log: Path, tmp_path: Path
) -> None:
    heard = await read_once(f"inner:{log}", Connections(jump_config(server, jump, tmp_path)))
    assert heard.data == b"1\n2\n"
    assert len(jump.connections) == 1


@pytest.mark.parametrize("known", ["server", "jump"])
async def test_the_host_keys_on_both_sides_of_a_jump_are_checked(
    server: Server, jump: Server, log: Path, tmp_path: Path, known: str
) -> None:
    options = jump_config(server, jump, tmp_path)
    (tmp_path / "both").write_text({"server": server, "jump": jump}[known].known_hosts.read_text())
    heard = await read_once(f"inner:{log}", Connections(options))
    unknown = {"server": jump, "jump": server}[known]
    assert heard.last_link.state is LinkState.REFUSED
    assert f"the host key of [127.0.0.1]:{unknown.port} is not known" in (heard.last_link.detail or "")


async def test_jumps_in_a_circle_are_told(server: Server, log: Path, tmp_path: Path) -> None:
    (tmp_path / "config").write_text("Host one\n ProxyJump two\nHost two\n ProxyJump one\n")
    heard = await read_once(f"one:{log}", Connections(SshOptions((tmp_path / "config",), ())))
    assert "leads in a circle; mend ssh_config" in (heard.last_link.detail or "")


@pytest.mark.parametrize(
    ("word", "host"),
    [
        ("box", Host("box")),
        ("me@box", Host("box", "me")),
        ("me@box:2222", Host("box", "me", 2222)),
        ("ssh://me@box:2222", Host("box", "me", 2222)),
        ("[fe80::1]:22", Host("fe80::1", None, 22)),
        ("me@[::1]", Host("::1", "me")),
    ],
)
def test_a_jump_is_read_as_ssh_writes_it(word: str, host: Host) -> None:
    assert parse_jump(word) == host


async def test_logs_on_one_host_share_a_connection_and_it_is_closed_with_the_last(
    server: Server, log: Path
) -> None:
    connections = Connections(server.options)
    target = parse_target(f"{server.address}{log}")
    async with following(open_source(target, connections, pace=BRISK)) as one:
        async with following(open_source(target, connections, pace=BRISK)) as two:
            await one.has(b"1\n2\n")
            await two.has(b"1\n2\n")
            assert len(server.connections) == 1
        assert not server.connections[0].is_closed()
    await eventually(server.connections[0].is_closed)
