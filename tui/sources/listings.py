"""The containers of a machine: for each kind the command that lists them, and how its output is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from tui.target import Hop


class Container(Struct, frozen=True):
    """A container as its list has it. `state` is the tool's own word, in small letters; `identity` an id, if any."""

    hop: Hop
    state: str = "running"
    identity: str = ""

    @property
    def is_running(self) -> bool:
        """Whether it can be entered."""
        return self.state == "running"


class Listing(Struct, frozen=True):
    """What a list said: its containers, and how many lines could not be read."""

    containers: tuple[Container, ...] = ()
    unread: int = 0


class Lister(Struct, frozen=True):
    """A command that lists the containers of one kind, as words for `sh`; its output goes to `read`, line by line."""

    kind: str
    command: str
    read: Callable[[str], Container | None]
    headings: tuple[str, ...] = ()

    @property
    def tool(self) -> str:
        """The program that has to be there."""
        return self.command.split()[0]

    def parse(self, output: str) -> Listing:
        """The containers in the order of the list; a line that is none is counted, an empty one and a heading not."""
        lines = [line.strip() for line in output.splitlines()]
        told = [line for line in lines if line and not line.startswith(self.headings)]
        found = [self.read(line) for line in told]
        containers = tuple(container for container in found if container is not None)
        return Listing(containers, len(told) - len(containers))


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*\Z")
_STATE = re.compile(r"[A-Za-z]+\Z")


def _read_ps(kind: str) -> Callable[[str], Container | None]:
    """`ID NAME[,ALIAS]`, of what runs."""

    def read(line: str) -> Container | None:
        identity, _, names = line.partition(" ")
        name = names.strip().split(",")[0]
        if not re.fullmatch(r"[0-9a-f]{12,64}", identity) or not _NAME.match(name):
            return None
        return Container(Hop(kind, (name,)), identity=identity[:12])

    return read


def _read_pct(line: str) -> Container | None:
    """`VMID STATUS [LOCK] [NAME]`."""
    number, state, *_ = [*line.split(), "", ""]
    if not number.isdecimal() or not _STATE.match(state):
        return None
    return Container(Hop("pct", (number,)), state.lower())


def _read_pair(kind: str, separator: str | None) -> Callable[[str], Container | None]:
    """`NAME STATE`."""

    def read(line: str) -> Container | None:
        words = line.split(separator)
        if len(words) != 2 or not _NAME.match(words[0]) or not _STATE.match(words[1]):
            return None
        return Container(Hop(kind, (words[0],)), words[1].lower())

    return read


def _read_pod(line: str) -> Container | None:
    """`NAMESPACE NAME PHASE`."""
    words = line.split()
    if len(words) != 3 or not all(_NAME.match(word) for word in words):
        return None
    return Container(Hop("kubectl", (words[0], words[1])), words[2].lower())


_PODS = (
    "kubectl get pods{scope} --no-headers --request-timeout=3s"
    " -o custom-columns=NAMESPACE:.metadata.namespace,NAME:.metadata.name,PHASE:.status.phase"
)

LISTERS = (
    Lister("docker", "docker ps --format '{{.ID}} {{.Names}}'", _read_ps("docker")),
    Lister("podman", "podman ps --format '{{.ID}} {{.Names}}'", _read_ps("podman")),
    Lister("pct", "pct list", _read_pct, ("VMID ",)),
    Lister("lxc", "lxc-ls --fancy --fancy-format NAME,STATE", _read_pair("lxc", None), ("NAME ",)),
    Lister("incus", "incus list --format csv --columns ns", _read_pair("incus", ",")),
    Lister("kubectl", _PODS.format(scope=" --all-namespaces"), _read_pod),
    Lister("kubectl", _PODS.format(scope=""), _read_pod),
)
"""All lists that are asked for. A login that may not see every namespace may still see its own."""

_FRONTS = {"docker": "podman", "lxc": "pct"}
"""What may be another's command by a second name: podman answers to `docker`, and Proxmox's containers are LXC."""


def merge(containers: Iterable[Container]) -> list[Container]:
    """Each container once, by the name by which it is best entered, in the order of the lists."""
    unique = list(dict.fromkeys(containers))
    return [each for each in unique if not any(_is_front(each, other) for other in unique)]


def _is_front(each: Container, other: Container) -> bool:
    if _FRONTS.get(each.hop.kind) != other.hop.kind or each.hop.parts != other.hop.parts:
        return False
    return each.identity == other.identity


def list_words(listers: Sequence[Lister] = LISTERS) -> Iterator[str]:
    """What `survey.sh` is told of them: for each its place in the row, and its command."""
    for place, lister in enumerate(listers):
        yield str(place)
        yield lister.command
