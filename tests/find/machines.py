"""A machine with simulated containers behind a real SSH server in this process."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

from tests.sources.servers import Server

_TOOLS = "cat date env find head ls printf readlink renice sh sleep sort stat tail".split()

_DOCKER = """\
#!/bin/sh
# Docker, as far as it is needed here: ps, and exec -i NAME COMMAND [ARGUMENT]...
case $1 in
ps) exec cat {folder}/list ;;
esac
name=$3
shift 3
if [ ! -d "{folder}/$name" ]; then
    echo "Error response from daemon: No such container: $name" >&2
    exit 1
fi
exec env PATH={tools} HOME="{folder}/$name" "$@"
"""


@dataclass
class Machine:
    """A home, and containers, each of which is a folder that is its home."""

    folder: Path
    names: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name in ("tools", "commands", "home", "containers"):
            (self.folder / name).mkdir(parents=True)
        for tool in _TOOLS:
            found = shutil.which(tool)
            assert found is not None
            (self.folder / "tools" / tool).symlink_to(found)
        containers, tools = self.folder / "containers", self.folder / "tools"
        self.add_command("docker", _DOCKER.format(folder=containers, tools=tools))
        self.write_list()

    @property
    def home(self) -> Path:
        """The home of the login."""
        return self.folder / "home"

    def server(self) -> Server:
        """The SSH server, not yet started."""
        path = f"PATH={self.folder}/commands:{self.folder}/tools"
        shell = ("env", "-i", path, f"HOME={self.home}", "sh", "-c")
        return Server(self.folder / "server", shell)

    def add_command(self, name: str, text: str) -> None:
        """Put a program in the PATH of the login."""
        file = self.folder / "commands" / name
        file.write_text(text)
        file.chmod(0o755)

    def add_container(self, name: str) -> Path:
        """A running container; its home."""
        home = self.folder / "containers" / name
        home.mkdir()
        self.names.append(name)
        self.write_list()
        return home

    def write_list(self) -> None:
        """What `docker ps` prints."""
        lines = (f"{number:012x} {name}\n" for number, name in enumerate(self.names))
        (self.folder / "containers" / "list").write_text("".join(lines))


def write_log(folder: Path, last_step: int = 3, name: str = "train.jsonl") -> Path:
    """A training log that ends at a step."""
    log = folder / name
    log.write_text("".join(f'{{"step": {step}, "loss": 2.5}}\n' for step in range(1, last_step + 1)))
    return log
