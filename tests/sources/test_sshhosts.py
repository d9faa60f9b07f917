"""The aliases of ssh_config that somebody may want to go to."""

from pathlib import Path

import pytest

from tui.sources.sshhosts import NamedHost, list_hosts


@pytest.fixture
def ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".ssh").mkdir()
    return tmp_path / ".ssh"


def test_aliases_stand_in_the_order_of_the_file_without_patterns(ssh: Path) -> None:
    (ssh / "config").write_text(
        'Host gpu-box gpu2 *.lab !secret\n\tHostName 10.1.2.6\n# Host no\nHost="with space"\nHost *\n User me\n'
    )
    assert list_hosts() == (
        NamedHost("gpu-box", "10.1.2.6"),
        NamedHost("gpu2", "10.1.2.6"),
        NamedHost("with space"),
    )


def test_included_files_are_read_in_their_place(ssh: Path) -> None:
    (ssh / "conf.d").mkdir()
    (ssh / "conf.d" / "a").write_text("Host a\n HostName %h.example.org\n")
    (ssh / "conf.d" / "b").write_text("Host b\n")
    (ssh / "config").write_text("Include conf.d/*\ninclude ~/nowhere\nHost c\n")
    assert [host.alias for host in list_hosts()] == ["a", "b", "c"]
    assert list_hosts()[0].name == "a.example.org"


def test_a_file_that_includes_itself_ends(ssh: Path) -> None:
    (ssh / "config").write_text("Host a\nInclude config\n")
    assert list_hosts() == (NamedHost("a"),)


def test_a_match_block_names_no_host(ssh: Path) -> None:
    (ssh / "config").write_text("Host a\nMatch host b\n HostName 10.0.0.1\n")
    assert list_hosts() == (NamedHost("a"),)


def test_a_file_that_is_not_there_or_no_config_names_none(ssh: Path) -> None:
    assert list_hosts() == ()
    (ssh / "config").write_bytes(b"\xff\xfe\x00Host 'a\nHost\n")
    assert list_hosts() == ()
