"""Real servers and containers on this machine, for tests: each is skipped, with a word, where it can't be had."""

from __future__ import annotations

import getpass
import os
import secrets
import shlex
import shutil
import signal
import socket
import subprocess
import tarfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tui.sources.ssh import SshOptions

START_S = 30.0
"""How long a server or a container may take to start."""

CONTAINER_ID = "200"
STOPPED_ID = "202"

_SSHD_CONFIG = """\
ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/host_key
AuthorizedKeysFile {folder}/authorized_keys
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
MaxSessions 10
MaxStartups 100
SetEnv PATH={commands}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin SHLVL=1
"""
"""SHLVL tells bash that it is no login's first shell: what this machine's .bashrc does, and how long it takes, is not
what is tested."""

_SSH_CONFIG = """\
Host milepost-test
    HostName 127.0.0.1
    Port {port}
    User {user}
Host *
    IdentityFile {folder}/user_key
    IdentitiesOnly yes
    UserKnownHostsFile {folder}/home/.ssh/known_hosts
"""

_LXC_CONFIG = """\
lxc.rootfs.path = dir:{root}
lxc.uts.name = trainer
lxc.net.0.type = none
lxc.apparmor.profile = unconfined
lxc.mount.auto = proc:rw
lxc.init.cmd = /bin/sleep 1000000
"""

_PCT = """\
#!/bin/sh
# Proxmox's pct, as far as it is needed here: pct list, and pct exec ID -- COMMAND [ARGUMENT]...
if [ "$1" = list ]; then
    printf '%-10s %-10s %-12s %-20s\n' VMID Status Lock Name
    lxc-ls -P {path} --fancy --fancy-format NAME,STATE | tail -n +2 | while read -r id state; do
        printf '%-10s %-10s %-12s %-20s\n' "$id" "$(echo "$state" | tr A-Z a-z)" "" "trainer-$id"
    done
    exit
fi
if [ "$1" != exec ] || [ "$3" != -- ]; then
    echo "400 too many arguments" >&2
    exit 255
fi
id=$2
shift 3
if [ ! -e {path}/"$id"/config ]; then
    echo "Configuration file 'nodes/test/lxc/$id.conf' does not exist" >&2
    exit 2
fi
case $(lxc-info -P {path} -n "$id" -sH) in
RUNNING) ;;
*) echo "container '$id' not running!" >&2; exit 255 ;;
esac
exec lxc-attach -P {path} -n "$id" -- "$@"
"""


@dataclass(slots=True)
class Sshd:
    """An OpenSSH server on loopback, and a home with all that a client needs to log in there.

    `milepost-test` is its alias in the home's ssh_config.
    """

    folder: Path
    port: int
    user: str
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def home(self) -> Path:
        """What `HOME` has to be for a client in a process of its own."""
        return self.folder / "home"

    @property
    def address(self) -> str:
        """The beginning of an address: `ssh://user@127.0.0.1:port`."""
        return f"ssh://{self.user}@127.0.0.1:{self.port}"

    @property
    def options(self) -> SshOptions:
        """The same for a client in this process."""
        ssh = self.home / ".ssh"
        return SshOptions((ssh / "config",), (ssh / "known_hosts",))

    @property
    def environment(self) -> dict[str, str]:
        """The environment of a client in a process of its own; no agent of the user takes part."""
        return {**os.environ, "HOME": str(self.home), "SSH_AUTH_SOCK": ""}

    def start(self) -> None:
        """Start the server, and wait until it listens."""
        sshd = _need("sshd")
        command = [sshd, "-D", "-e", "-f", str(self.folder / "sshd_config")]
        with (self.folder / "sshd.log").open("ab") as log:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        _await(lambda: _listens(self.port), f"sshd does not listen: {self._log()}")

    def stop(self) -> None:
        """End the server; sessions that are open go on."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(START_S)

    def sessions(self) -> list[int]:
        """The process ids of the servers of open connections: the listener's children."""
        return _children(self._process.pid) if self._process else []

    def kill_sessions(self) -> None:
        """End every open connection at once, as a crash would."""
        for pid in self.sessions():
            for process in (*_children(pid), pid):
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)

    def _log(self) -> str:
        return (self.folder / "sshd.log").read_text("utf-8", "replace")[-2000:]


@dataclass(frozen=True, slots=True)
class Container:
    """A running container: what an address calls it, and where one of its folders is on this machine."""

    hop: str
    inside: str
    outside: Path
    stop_command: tuple[str, ...] = ()
    start_command: tuple[str, ...] = ()

    def stop(self) -> None:
        """End it at once, and all that runs in it."""
        _run(list(self.stop_command))

    def start(self) -> None:
        """Start it again."""
        _run(list(self.start_command))

    def path(self, name: str) -> str:
        """The path of a log, for an address."""
        return f"{self.inside}/{name}"

    def file(self, name: str) -> Path:
        """The same file, on this machine."""
        return self.outside / name


@pytest.fixture(scope="session")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that comes first in the PATH of sessions on `sshd`."""
    return tmp_path_factory.mktemp("commands")


@pytest.fixture(scope="session")
def sshd(tmp_path_factory: pytest.TempPathFactory, commands: Path) -> Iterator[Sshd]:
    """An OpenSSH server with keys of its own, and MaxSessions 10 as distributions have it."""
    with running_sshd(tmp_path_factory.mktemp("sshd"), commands) as server:
        yield server


@contextmanager
def running_sshd(folder: Path, commands: Path) -> Iterator[Sshd]:
    """The same, for as long as the context lasts; its files are kept in `folder`."""
    _need("sshd")
    server = Sshd(folder, _free_port(), getpass.getuser())
    for name in ("host_key", "user_key"):
        _run([_need("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)])
    (folder / "authorized_keys").write_bytes((folder / "user_key.pub").read_bytes())
    (folder / "sshd_config").write_text(
        _SSHD_CONFIG.format(port=server.port, folder=folder, commands=commands)
    )
    ssh = server.home / ".ssh"
    ssh.mkdir(parents=True, mode=0o700)
    (ssh / "config").write_text(_SSH_CONFIG.format(port=server.port, folder=folder, user=server.user))
    (ssh / "known_hosts").write_text(f"[127.0.0.1]:{server.port} {(folder / 'host_key.pub').read_text()}")
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)  # what the service's start-up does
    server.start()
    try:
        yield server
    finally:
        server.kill_sessions()
        server.stop()


@pytest.fixture(scope="session")
def root_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of a tiny system: busybox and its applets."""
    return make_root(tmp_path_factory.mktemp("root"))


def make_root(root: Path) -> Path:
    """Lay out the same in an empty folder."""
    busybox = _need("busybox")
    _need_root("a container")
    for name in ("bin", "dev", "etc", "proc", "root", "sys", "tmp", "workspace"):
        (root / name).mkdir()
    shutil.copy(busybox, root / "bin" / "busybox")
    for applet in _run([busybox, "--list"]).split():
        if applet != "busybox":
            (root / "bin" / applet).symlink_to("busybox")
    (root / "etc" / "passwd").write_text("root:x:0:0:root:/root:/bin/sh\n")
    return root


@pytest.fixture(scope="session")
def lxc(tmp_path_factory: pytest.TempPathFactory, root_folder: Path, commands: Path) -> Iterator[Container]:
    """An LXC container, which `pct` in sessions on `sshd` knows as 200; there is a stopped one too, 202."""
    with running_lxc(tmp_path_factory.mktemp("lxc"), root_folder, commands) as container:
        yield container


@contextmanager
def running_lxc(path: Path, root_folder: Path, commands: Path) -> Iterator[Container]:
    """The same, for as long as the context lasts; its files are kept in `path`."""
    start, stop = _need("lxc-start"), _need("lxc-stop")
    root = path / "root"
    shutil.copytree(root_folder, root, symlinks=True)
    for name in (CONTAINER_ID, STOPPED_ID):
        (path / name).mkdir()
        (path / name / "config").write_text(_LXC_CONFIG.format(root=root))
    pct = commands / "pct"
    pct.write_text(_PCT.format(path=shlex.quote(str(path))))
    pct.chmod(0o755)
    which = ("-P", str(path), "-n", CONTAINER_ID)
    container = Container(
        f"pct/{CONTAINER_ID}", "/workspace", root / "workspace", (stop, *which, "-k"), (start, *which, "-d")
    )
    _start(list(container.start_command), "lxc-start")
    try:
        yield container
    finally:
        container.stop()


@pytest.fixture(scope="session")
def podman(tmp_path_factory: pytest.TempPathFactory, root_folder: Path) -> Iterator[Container]:
    """A podman container of the same system, with a folder of this machine as its /workspace."""
    command = _need("podman")
    runtime = ["--runtime", "runc"] if shutil.which("runc") else []
    folder = tmp_path_factory.mktemp("podman")
    archive = folder / "root.tar"
    with tarfile.open(archive, "w") as tar:
        tar.add(root_folder, arcname=".")
    name = f"milepost-test-{secrets.token_hex(4)}"
    image = f"localhost/{name}:1"
    workspace = folder / "workspace"
    workspace.mkdir()
    limits = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=100:100", "--network", "none"]
    _start([command, "import", "-q", str(archive), image], "podman import")
    try:
        _start(
            [command, *runtime, "run", *limits, "-d", "-v", f"{workspace}:/workspace", "--name", name]  # noqa: RUF005
            + [image, "/bin/sleep", "1000000"],
            "podman run",
        )
        yield Container(f"podman/{name}", "/workspace", workspace)
    finally:
        _run([command, "rm", "-f", "-t", "0", name])
        _run([command, "rmi", "-f", image])


def _need(command: str) -> str:
    found = shutil.which(command, path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin")
    if found is None:
        pytest.skip(f"{command} is not installed")
    return found


def _need_root(what: str) -> None:
    if os.geteuid() != 0:
        pytest.skip(f"{what} can only be started by root")


def _run(command: list[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=START_S).stdout


def _start(command: list[str], what: str) -> None:
    """Start what a machine may be unable to run even where it is installed."""
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=START_S, stdin=subprocess.DEVNULL
    )
    if done.returncode:
        pytest.skip(f"{what} does not work on this machine: {done.stderr.strip()[-300:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _listens(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
    except OSError:
        return False


def _await(condition: object, failure: str) -> None:
    assert callable(condition)
    deadline = time.monotonic() + START_S
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail(failure)
        time.sleep(0.02)


def _children(pid: int) -> list[int]:
    with suppress(OSError):
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []
