"""Where to look: a machine or a container, with the beginning that the addresses of all its logs share."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from tui.errors import TargetError
from tui.sources.listings import Container
from tui.target import Hop, Target, parse_target


class Place(Struct, frozen=True):
    """A place that is looked at. The path of `target` is the folder to look in, empty for the usual ones.

    `address` is what stands before a path there: `gpu-box:pct/200:`; empty for this machine.
    """

    target: Target
    address: str

    @property
    def name(self) -> str:
        """The place for a person: `gpu-box ▸ pct/200`."""
        return self.target.place

    def address_of(self, path: str) -> str:
        """The address of a log there. The path of one on this machine is absolute, or begins with `./`."""
        is_relative = not self.address and not path.startswith(("/", "./", "../"))
        return f"{self.address}{'./' if is_relative else ''}{path}"

    def within(self, container: Container) -> Place:
        """The same folder in a container there."""
        is_url_host = self.address.startswith("ssh://") and not self.target.hops
        address = f"{self.address}{'/' if is_url_host else ''}{container.hop}:"
        hops: tuple[Hop, ...] = (*self.target.hops, container.hop)
        return Place(replace(self.target, hops=hops, text=address), address)


def parse_place(text: str) -> Place:
    """Read `[HOST][:HOP]...[:FOLDER]`; nothing at all is this machine.

    >>> parse_place("gpu-box:pct/200").name, parse_place("gpu-box:/runs").target.path
    ('gpu-box ▸ pct/200', '/runs')

    Raises:
        TargetError: It is no place; the message says what would be.
    """
    if text in ("", "~"):
        return Place(Target(text, text), "")
    target = _parse(text)
    if target.is_pane or target.is_stdin:
        raise TargetError(f"{text} holds no folders; give HOST, HOST:FOLDER or HOST:docker/NAME:")
    address = "" if target.is_plain else target.text.removesuffix(target.path)
    return Place(target, address if target.hops else address.removesuffix("/"))


def _parse(text: str) -> Target:
    """The address; of one that names no folder the colon or slash behind the host or container may be left out."""
    if text != "-" and not Path(text).exists():
        for ending in ("", ":", "/"):
            with suppress(TargetError):
                target = parse_target(text + ending + "/")
                if target.path == "/" and not target.is_plain:
                    return replace(target, text=text + ending, path="")
    return parse_target(text)
