"""A login goes by ssh_config as ssh itself does, against a real server, with a real agent and real keys."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.real.fixtures import Sshd
from tests.sources.askers import Scripted
from tests.sources.listening import read_once
from tui.events import LinkState
from tui.sources.ssh import Connections, SshOptions

pytestmark = pytest.mark.real


def run(*command: str, **environment: str) -> str:
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=30, env={**os.environ, **environment}
    )
    return done.stdout


@dataclass(frozen=True, slots=True)
class Bench:
    """A folder with a log, and logins by whatever ssh_config a test writes."""

    sshd: Sshd
    folder: Path

    @property
    def key(self) -> Path:
        """The private key that the server accepts."""
        return self.sshd.folder / "user_key"

    def make_key(self, name: str, passphrase: str = "") -> Path:
        """A new key that the server does not know."""
        file = self.folder / name
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-f", str(file))
        return file

    async def reads(self, host: str, config: str, asker: Scripted | None = None) -> None:
        """Read the log over a login to a host of an ssh_config.

        Raises:
            AssertionError: It can't be read; the reason is in the message.
        """
        link = await self.link(host, config, asker)
        assert link == "live", link

    async def link(self, host: str, config: str, asker: Scripted | None = None) -> str:
        """The same; `live`, or why not."""
        file = self.folder / "config"
        file.write_text(config)
        options = SshOptions((file,), (self.sshd.home / ".ssh" / "known_hosts",))
        heard = await read_once(f"{host}:{self.folder}/log.jsonl", Connections(options, asker))
        if heard.last_link.state is LinkState.LIVE:
            assert heard.data == b"1\n2\n"
            return "live"
        return str(heard.last_link.detail)

    def host(self, name: str, *lines: str, key: Path | None = None) -> str:
        """A host block for the server, with its usual key or another, and no agent."""
        usual = (
            "HostName 127.0.0.1",
            f"Port {self.sshd.port}",
            f"User {self.sshd.user}",
            f'IdentityFile "{key or self.key}"',
            "IdentitiesOnly yes",
        )
        return "".join(f"{line}\n" for line in (f"Host {name}", *lines, *usual))


@pytest.fixture
def bench(sshd: Sshd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setenv("SSH_AUTH_SOCK", "")
    if shutil.which("ssh") is None or shutil.which("ssh-keygen") is None:
        pytest.skip("ssh is not installed")
    (tmp_path / "log.jsonl").write_bytes(b"1\n2\n")
    return Bench(sshd, tmp_path)


async def test_included_files_are_read_in_the_order_of_their_names(bench: Bench) -> None:
    (bench.folder / "conf.d").mkdir()
    for name, port in (("30", 1), ("10", bench.sshd.port), ("20", 2)):
        (bench.folder / "conf.d" / name).write_text(f"Host box\n Port {port}\n")
    await bench.reads("box", f"Include {bench.folder}/conf.d/*\n{bench.host('box')}")


async def test_match_blocks_apply_with_their_commands_and_tokens(bench: Bench) -> None:
    await bench.reads(
        "box",
        f'Match originalhost box exec "test %n = box"\n Port {bench.sshd.port}\n'
        f'Match exec "test %n = other"\n Port 1\n{bench.host("*")}',
    )


async def test_what_only_ssh_takes_is_taken_too(bench: Bench) -> None:
    """Comments at a line's end, times with units, and a name written with tokens."""
    link = bench.folder / "key of box"
    link.symlink_to(bench.key)
    (bench.folder / "key of box.pub").symlink_to(f"{bench.key}.pub")
    await bench.reads(
        "box",
        "ServerAliveInterval 1m\nConnectTimeout 10s\nPubkeyAuthentication yes # always\n"
        f'Host box\n IdentityFile "{bench.folder}/key of %n"\n{bench.host("box", key=bench.folder / "none")}',
    )


async def test_jump_hosts_are_gone_through_one_after_the_other(bench: Bench) -> None:
    config = bench.host("inner", "ProxyJump one,two") + bench.host("one") + bench.host("two")
    await bench.reads("inner", config)


async def test_a_proxy_command_runs_in_a_shell_with_its_tokens(bench: Bench) -> None:
    config = bench.folder / "config"
    command = f"ssh -F {shlex.quote(str(config))} -W %h:%p outer 2>/dev/null || exit 3"
    known = f"UserKnownHostsFile {bench.sshd.home}/.ssh/known_hosts"
    await bench.reads("inner", bench.host("inner", f"ProxyCommand {command}") + bench.host("outer", known))


async def test_a_host_key_is_looked_up_under_its_alias(bench: Bench) -> None:
    link = await bench.link("box", bench.host("box", "HostKeyAlias trainer"))
    assert "the host key of trainer is not known" in link
    known = bench.folder / "known"
    public = (bench.sshd.folder / "host_key.pub").read_text()
    known.write_text(f"trainer {public}")
    (bench.folder / "config").write_text(bench.host("box", "HostKeyAlias trainer"))
    options = SshOptions((bench.folder / "config",), (known,))
    heard = await read_once(f"box:{bench.folder}/log.jsonl", Connections(options))
    assert heard.data == b"1\n2\n"


async def test_a_certificate_of_another_file_is_offered(bench: Bench) -> None:
    authority, key = bench.make_key("authority"), bench.make_key("id")
    run("ssh-keygen", "-q", "-s", str(authority), "-I", "me", "-n", bench.sshd.user, f"{key}.pub")
    certificate = (bench.folder / "id-cert.pub").rename(bench.folder / "certificate.pub")
    assert "none of the keys offered is accepted" in await bench.link("box", bench.host("box", key=key))
    with authorized(bench, f"cert-authority {Path(f'{authority}.pub').read_text()}"):
        await bench.reads("box", bench.host("box", f"CertificateFile {certificate}", key=key))


async def test_a_locked_key_with_a_certificate_is_asked_for_once(bench: Bench) -> None:
    authority, key = bench.make_key("authority"), bench.make_key("id", "sesame")
    run("ssh-keygen", "-q", "-s", str(authority), "-I", "me", "-n", bench.sshd.user, f"{key}.pub")
    asker = Scripted(["sesame"])
    with authorized(bench, f"cert-authority {Path(f'{authority}.pub').read_text()}"):
        await bench.reads("box", bench.host("box", key=key), asker)
    assert asker.kinds == ["passphrase"]


async def test_a_key_that_ssh_keygen_has_locked_is_unlocked(bench: Bench) -> None:
    key = bench.make_key("id", "sesame mucho")
    asker = Scripted(["sesame mucho"])
    with authorized(bench, Path(f"{key}.pub").read_text()):
        Path(f"{key}.pub").unlink()
        assert f"unlock it with: ssh-add {key}" in await bench.link("box", bench.host("box", key=key))
        await bench.reads("box", bench.host("box", key=key), asker)
    assert [question.text for question in asker.asked] == [f"passphrase of the key {key}"]


async def test_an_accepted_host_key_is_found_by_ssh_itself(bench: Bench) -> None:
    known = bench.folder / "new" / "known_hosts"
    config = bench.host("box", f"UserKnownHostsFile {known}", "HashKnownHosts yes")
    (bench.folder / "config").write_text(config)
    asker = Scripted(["yes"])
    connections = Connections(SshOptions((bench.folder / "config",)), asker)
    heard = await read_once(f"box:{bench.folder}/log.jsonl", connections)
    assert heard.data == b"1\n2\n"
    assert asker.kinds == ["host key"]
    assert "127.0.0.1" not in known.read_text()
    run("ssh", "-F", str(bench.folder / "config"), "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=yes",
        "box", "true")  # fmt: skip


@pytest.fixture
def agent(bench: Bench) -> Iterator[Path]:
    """The socket of an agent that holds the key which the server accepts, and another."""
    if shutil.which("ssh-agent") is None:
        pytest.skip("ssh-agent is not installed")
    socket = bench.folder / "agent"
    started = run("ssh-agent", "-s", "-a", str(socket))
    pid = int(started.partition("SSH_AGENT_PID=")[2].partition(";")[0])
    run("ssh-add", "-q", str(bench.make_key("other")), SSH_AUTH_SOCK=str(socket))
    run("ssh-add", "-q", str(bench.key), SSH_AUTH_SOCK=str(socket))
    yield socket
    os.kill(pid, signal.SIGTERM)


async def test_the_agent_that_ssh_config_names_is_asked(
    bench: Bench, agent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_OF_TEST", str(agent))
    free = bench.host("box", "IdentitiesOnly no", key=bench.folder / "none")
    await bench.reads("box", f"IdentityAgent {agent}\n{free}")
    await bench.reads("box", f"IdentityAgent $AGENT_OF_TEST\n{free}")
    assert "none of the keys" in await bench.link("box", f"IdentityAgent none\n{free}")
    monkeypatch.setenv("SSH_AUTH_SOCK", str(agent))
    await bench.reads("box", free)
    await bench.reads("box", f"IdentityAgent SSH_AUTH_SOCK\n{free}")


async def test_identities_only_lets_the_agent_use_no_other_key(bench: Bench, agent: Path) -> None:
    public = bench.folder / "chosen"
    public.write_text(Path(f"{bench.key}.pub").read_text())
    await bench.reads("box", f"IdentityAgent {agent}\n{bench.host('box', key=public)}")
    other = bench.folder / "other"
    assert "none of the keys" in await bench.link(
        "box", f"IdentityAgent {agent}\n{bench.host('box', key=other)}"
    )


@contextmanager
def authorized(bench: Bench, line: str) -> Iterator[None]:
    """One more line in the server's list of keys, for as long as the context lasts."""
    file = bench.sshd.folder / "authorized_keys"
    before = file.read_text()
    file.write_text(f"{before}{line}")
    try:
        yield
    finally:
        file.write_text(before)
