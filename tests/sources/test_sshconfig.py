"""What is taken over from ssh_config, and what happens where there is no ssh to ask."""

import shutil
from pathlib import Path

import pytest

from tui.sources.route import resolve
from tui.sources.ssh import SshOptions
from tui.sources.sshconfig import read_config
from tui.sources.trouble import Trouble
from tui.target import Host

needs_ssh = pytest.mark.skipif(shutil.which("ssh") is None, reason="needs ssh (Debian: openssh-client)")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "config"


@needs_ssh
def test_the_resolved_file_holds_what_ssh_makes_of_it_for_that_host(config: Path, tmp_path: Path) -> None:
    config.write_text(
        "Host box\n HostName box.example\n Port 2222 # the container\n ServerAliveInterval 1m\n"
        ' IdentityFile "/keys/of %n"\n HashKnownHosts yes\nHost *\n Port 1\n StrictHostKeyChecking yes\n'
    )
    found = read_config(Host("box", "me"), (config,), tmp_path)
    lines = found.files[0].read_text().splitlines()
    assert {"hostname box.example", "port 2222", "user me", "serveraliveinterval 60"} <= {*lines}
    assert "identityfile '/keys/of %n'" in lines
    assert (found.hashes_names, found.is_strict) == (True, True)


@needs_ssh
def test_what_an_address_says_goes_before_what_ssh_config_says(config: Path, tmp_path: Path) -> None:
    config.write_text("Host *\n Port 1\n User you\n")
    route = resolve(Host("box", "me", 22), SshOptions((config,), ()), tmp_path)
    assert (route.settings.username, route.settings.port, route.login) == ("me", 22, "me@box")


@needs_ssh
def test_a_name_that_looks_like_an_option_is_none(tmp_path: Path) -> None:
    with pytest.raises(Trouble, match="can't be used"):
        read_config(Host("-oProxyCommand=touch${IFS}here"), (), tmp_path)
    assert not (tmp_path / "here").exists()


@needs_ssh
def test_a_mistake_is_told_in_the_words_of_ssh(config: Path, tmp_path: Path) -> None:
    config.write_text("Host *\n Prot 22\n")
    with pytest.raises(Trouble, match=r"config:? line 2: Bad configuration option: prot; mend it"):
        read_config(Host("box"), (config,), tmp_path)


def test_without_an_ssh_the_files_are_read_as_they_are(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    config.write_text("Host box\n Port 2222\n ProxyJump me@one:1,two\n")
    assert read_config(Host("box"), (config,), tmp_path).files == (config,)
    route = resolve(Host("box"), SshOptions((config,), ()), tmp_path)
    assert (route.settings.port, route.jumps) == (2222, (Host("one", "me", 1), Host("two")))
