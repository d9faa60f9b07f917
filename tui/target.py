"""The address grammar: `[HOST:][HOP:]...PATH`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote

from msgspec import Struct
from msgspec.structs import replace

from tui.errors import TargetError

HOP_KINDS = ("docker", "podman", "pct", "lxc", "incus", "kubectl", "tmux")

_HOP = re.compile(
    r"(?:(?P<kind>docker|podman|pct|lxc|incus)/(?P<name>[^:/]+)"
    r"|(?P<kubectl>kubectl)/(?P<pod>[^:/]+(?:/[^:/]+){0,2})"
    r"|(?P<tmux>tmux)/(?P<pane>[^:/]+(?:/[^:/]+)?)):"
)
_HOST = re.compile(
    r"(?:(?P<user>[^:/@\s][^:/\s]*)@)?(?:\[(?P<v6>[0-9A-Fa-f:.%\w]+)\]|(?P<name>[^:/\s\[\]@]+)):"
)
_URL = re.compile(
    r"ssh://(?:(?P<user>[^/@\s]+)@)?(?:\[(?P<v6>[0-9A-Fa-f:.%\w]+)\]|(?P<name>[^:/\s\[\]@]+))"
    r"(?::(?P<port>\d+))?(?:/(?P<rest>.*))?$",
    re.DOTALL,
)
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


class Host(Struct, frozen=True):
    """A machine reached over SSH: a name for ssh_config to resolve; None leaves the choice to it."""

    name: str
    user: str | None = None
    port: int | None = None

    def __str__(self) -> str:
        user = f"{self.user}@" if self.user else ""
        return f"{user}{self.name}" + (f":{self.port}" if self.port else "")


class Hop(Struct, frozen=True):
    """One step from a machine into something on it; `kubectl` has one to three parts, in the address's order."""

    kind: str
    parts: tuple[str, ...]

    def __str__(self) -> str:
        return "/".join((self.kind, *self.parts))


class Target(Struct, frozen=True):
    """Where a log is. `path` is exactly what the far end is asked for; nothing in it is quoted or expanded.

    `text` is the address as it was given. `via` holds command prefixes, each already split into words, that
    stand between the host and the first hop. `parts` are the files, or patterns of files, of a run that is logged in
    several; all the rest is then the first one's.
    """

    text: str
    path: str
    host: Host | None = None
    hops: tuple[Hop, ...] = ()
    via: tuple[tuple[str, ...], ...] = ()
    parts: tuple[Target, ...] = ()

    @property
    def is_stdin(self) -> bool:
        """Whether the log is this process's standard input."""
        return self.path == "-" and self.is_plain

    @property
    def is_pane(self) -> bool:
        """Whether it is what a tmux pane prints, and no file."""
        return bool(self.hops) and self.hops[-1].kind == "tmux"

    @property
    def is_plain(self) -> bool:
        """Whether the path is on this machine, with nothing in between."""
        return self.host is None and not self.hops and not self.via

    @property
    def has_pattern(self) -> bool:
        """Whether the path may stand for several runs: it holds one of `*?[`."""
        return not self.parts and any(character in self.path for character in "*?[")

    @property
    def what(self) -> str:
        """What is read, for a title: the path, or the pane."""
        if self.parts:
            return f"{self.path} and {len(self.parts) - 1} more" if len(self.parts) > 1 else self.path
        return self.path or str(self.hops[-1])

    @property
    def where(self) -> str:
        """What is read and where it is, for a message: `/runs/log.jsonl on gpu-box`, or the pane alone."""
        return f"{self.path} on {self.place}" if self.path else self.place

    def at(self, path: str) -> Target:
        """The same way to another path; its address begins as this one's does."""
        return replace(self, path=path, text=self.text.removesuffix(self.path) + path)

    @property
    def place(self) -> str:
        """Where the file is, for a message: `gpu-box ▸ pct/200`, or `this machine`."""
        steps = [str(self.host)] if self.host else []
        steps += [" ".join(prefix) for prefix in self.via]
        steps += [str(hop) for hop in self.hops]
        return " ▸ ".join(steps) or "this machine"


def parse_target(text: str, via: tuple[str, ...] = ()) -> Target:
    """Read an address.

    Args:
        text: The address as the user gave it.
        via: Command prefixes, each one string of shell words (`srun --jobid=42 --overlap`).

    Raises:
        TargetError: The text is no address; the message says what would be.
    """
    prefixes = tuple(_split_prefix(prefix) for prefix in via)
    if not text:
        raise TargetError("the address is empty; give a file, HOST:FILE or HOST:docker/NAME:FILE")
    if "\0" in text:
        raise TargetError(f"no path holds a NUL byte: {text!r}")
    if text.startswith("ssh://"):
        return _parse_url(text, prefixes)
    if _is_local(text):
        return Target(text, text, via=prefixes)
    host, rest = _take_host(text)
    hops, path = _take_hops(rest)
    return _complete(Target(text, path, host, hops, prefixes))


def expand_range(text: str) -> list[str]:
    """The addresses that one with a range of numbers stands for; itself without one.

    >>> expand_range("gpu-box:/logs/rank{0..2}.jsonl")
    ['gpu-box:/logs/rank0.jsonl', 'gpu-box:/logs/rank1.jsonl', 'gpu-box:/logs/rank2.jsonl']
    """
    match = re.search(r"\{(\d{1,4})\.\.(\d{1,4})\}", text)
    if match is None or Path(text).exists():
        return [text]
    width = len(match[1]) if match[1].startswith("0") else 1
    numbers = range(int(match[1]), int(match[2]) + 1)
    return [f"{text[: match.start()]}{number:0{width}}{text[match.end() :]}" for number in numbers]


def join_targets(targets: Sequence[Target]) -> Target:
    """The target of one run that is logged in several files, in whatever order.

    Raises:
        TargetError: One of them is no file.
    """
    wrong = next((target for target in targets if target.is_stdin or target.is_pane), None)
    if wrong is not None:
        raise TargetError(f"{wrong.text} can't be joined with others; only files can")
    return replace(targets[0], text=" + ".join(target.text for target in targets), parts=tuple(targets))


def _split_prefix(prefix: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(prefix))
    except ValueError as error:
        raise TargetError(f"--via {prefix!r} is no command prefix: {error}") from error
    if not words:
        raise TargetError("--via needs a command, for example --via 'srun --jobid=42 --overlap'")
    return words


def _is_local(text: str) -> bool:
    if text == "-" or text.startswith(("./", "../", "/", "~/")) or _DRIVE.match(text):
        return True
    try:
        return Path(text).exists()
    except OSError:  # a name too long to be one
        return False


def _parse_url(text: str, via: tuple[tuple[str, ...], ...]) -> Target:
    match = _URL.match(text)
    if match is None:
        raise TargetError(f"{text} is no ssh address; write ssh://[user@]host[:port]/path/to/log")
    port = int(match["port"]) if match["port"] else None
    if port is not None and not 0 < port < 65536:
        raise TargetError(f"{text}: {port} is no port; ports are 1 to 65535")
    user = unquote(match["user"]) if match["user"] else None
    host = Host(match["v6"] or match["name"], user, port)
    rest = match["rest"] or ""
    hops, path = _take_hops(rest)
    if not hops and path and not path.startswith(("~/", "/")):
        path = "/" + path
    return _complete(Target(text, path, host, hops, via))


def _take_host(text: str) -> tuple[Host | None, str]:
    match = _HOST.match(text)
    if match is None or _HOP.match(text):
        return None, text
    return Host(match["v6"] or match["name"], match["user"]), text[match.end() :]


def _take_hops(text: str) -> tuple[tuple[Hop, ...], str]:
    hops: list[Hop] = []
    while match := _HOP.match(text):
        kind = match["kind"] or match["kubectl"] or match["tmux"]
        parts = (match["name"] or match["pod"] or match["pane"]).split("/")
        hops.append(Hop(kind, tuple(parts)))
        text = text[match.end() :]
    return tuple(hops), text


def _complete(target: Target) -> Target:
    if any(hop.kind == "tmux" for hop in target.hops[:-1]):
        raise TargetError(f"{target.text}: a tmux pane is the end of an address, nothing can follow it")
    if not target.path and not target.is_pane:
        raise TargetError(
            f"{target.text}: no path after {target.place}; add the log's, e.g. {target.text}/runs/train.jsonl"
        )
    return target
