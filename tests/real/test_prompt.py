"""A stranger of a host and a locked key, met in a real terminal: the screen asks, and the secret stays where it is."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.real.fixtures import Sshd
from tests.real.test_screen import LOG, Pane
from tests.waiting import eventually

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux (Debian: tmux)"),
]

PASSPHRASE = "open-sesame-42"
XDG = ("XDG_STATE_HOME", "XDG_CONFIG_HOME")
"""Folders of whoever runs the tests, which are none of theirs."""


@pytest.fixture
def pane(tmp_path: Path) -> Iterator[Pane]:
    """A pane, gone after the test."""
    made = Pane(tmp_path / "tmux", tmp_path / "raw")
    yield made
    made.tmux("kill-server")


@pytest.fixture
def home(sshd: Sshd, tmp_path: Path) -> Iterator[Path]:
    """A home that knows no host, with a key that the server accepts and that has a passphrase."""
    ssh = tmp_path / "home" / ".ssh"
    ssh.mkdir(parents=True, mode=0o700)
    key = ssh / "id_ed25519"
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", PASSPHRASE, "-f", str(key)], check=True, timeout=30
    )
    (ssh / "config").write_text(
        f"Host trainer\n HostName 127.0.0.1\n Port {sshd.port}\n User {sshd.user}\n IdentityFile {key}\n"
        f" UserKnownHostsFile {ssh}/known_hosts\n"
    )
    keys = sshd.folder / "authorized_keys"
    before = keys.read_text()
    keys.write_text(before + Path(f"{key}.pub").read_text())
    yield tmp_path / "home"
    keys.write_text(before)


def watch(home: Path, *addresses: str) -> list[str]:
    unset = [word for name in ("COLUMNS", "LINES", "SSH_AUTH_SOCK", *XDG) for word in ("-u", name)]
    environment = (*unset, f"HOME={home}")
    return ["env", *environment, f"PYTHONPATH={Path.cwd()}", "TERM=tmux-256color", sys.executable, "-m", "tui",
            *addresses]  # fmt: skip


async def test_the_screen_asks_for_host_key_and_passphrase_once_for_two_runs(
    pane: Pane, sshd: Sshd, home: Path, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.jsonl").write_text(LOG)
    pane.start((100, 30), *watch(home, *(f"trainer:{tmp_path}/{name}.jsonl" for name in ("one", "two"))))
    await pane.reads("The host key of", f"[127.0.0.1]:{sshd.port}", "SHA256:", "Esc refuses")
    pane.tmux("send-keys", "yes", "Enter")
    await pane.reads("passphrase of the key")
    pane.tmux("send-keys", "wrong", "Enter")
    await pane.reads("That was not accepted.")
    pane.tmux("send-keys", PASSPHRASE, "Enter")
    await pane.reads("2 runs", "✓ 2", "1,650")
    pane.tmux("send-keys", "Enter")
    await pane.reads("✓ healthy", "1/2", "step 1,650")
    pane.tmux("send-keys", "]")
    await pane.reads("✓ healthy", "2/2", "step 1,650")
    pane.tmux("send-keys", "q")
    await eventually(lambda: pane.is_dead)
    assert PASSPHRASE.encode() not in pane.sent
    files = [file for file in home.rglob("*") if file.is_file()]
    assert not [file for file in files if PASSPHRASE.encode() in file.read_bytes()]
    known = (home / ".ssh" / "known_hosts").read_text()
    assert known.split()[:2] == [f"[127.0.0.1]:{sshd.port}", "ssh-ed25519"]


async def test_the_logs_of_a_pattern_are_found_behind_the_questions(
    pane: Pane, sshd: Sshd, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "one.jsonl").write_text(LOG)
    pane.start((100, 30), *watch(home, f"trainer:{tmp_path}/*.jsonl"))
    await pane.reads("The host key of", "Esc refuses")
    pane.tmux("send-keys", "Escape")
    await pane.reads("refused by trainer", "press R")
    pane.tmux("send-keys", "R")
    await pane.reads("The host key of")
    pane.tmux("send-keys", "yes", "Enter")
    await pane.reads("passphrase of the key")
    pane.tmux("send-keys", PASSPHRASE, "Enter")
    await pane.reads("✓ healthy", "one.jsonl", "step 1,650")
    assert len(sshd.sessions()) == 1


async def test_an_address_is_typed_opened_and_remembered(pane: Pane, home: Path, tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_text(LOG)
    pane.start((44, 24), *watch(home))
    await pane.reads("open a run", "hosts of ~/.ssh/config", "trainer:")
    pane.tmux("send-keys", "trai", "Tab")
    await pane.reads("no path after trainer")
    pane.tmux("send-keys", f"{tmp_path}/one.jsonl", "Enter")
    await pane.reads("The host key of")
    pane.tmux("send-keys", "yes", "Enter")
    await pane.reads("passphrase of the key")
    pane.tmux("send-keys", PASSPHRASE, "Enter")
    await pane.reads("✓ healthy", "step 1,650")
    recent = home / ".local" / "state" / "milepost" / "recent.json"
    await eventually(lambda: recent.exists() and f"trainer:{tmp_path}/one.jsonl" in recent.read_text())
    assert PASSPHRASE not in recent.read_text()


async def test_escape_says_what_was_asked_and_r_asks_again(pane: Pane, home: Path, tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_text(LOG)
    pane.start((44, 24), *watch(home, f"trainer:{tmp_path}/one.jsonl"))
    await pane.reads("The host key of", "Esc refuses")
    pane.tmux("send-keys", "Escape")
    await pane.reads("press R")
    pane.tmux("send-keys", "R")
    await pane.reads("The host key of", "Esc refuses")


def test_without_a_screen_nobody_is_asked(home: Path, tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_text(LOG)
    command = watch(home, "status", f"trainer:{tmp_path}/one.jsonl")
    done = subprocess.run(
        shlex.join(command), shell=True, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 3
    assert "is not known" in done.stdout + done.stderr
    assert "accept it once with: ssh trainer" in done.stdout + done.stderr
    assert not (home / ".ssh" / "known_hosts").exists()
