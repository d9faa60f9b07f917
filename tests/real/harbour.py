"""Many simulated runs behind many aliases of one real sshd, one of which is dead and one dies."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.real.fixtures import Sshd, _free_port, running_sshd
from tests.waiting import eventually
from tui.app import MilepostApp
from tui.events import LinkState
from tui.feed import Feed, FeedOptions
from tui.roster import Roster
from tui.sources.open import open_source
from tui.sources.ssh import Connections, SshOptions
from tui.target import parse_target

PAST_ENTRIES = 200
PATIENCE_S = 180.0
"""How long a condition may take on a busy machine; nothing is measured by it."""

_ALIAS = """\
Host {alias}
    HostName 127.0.0.1
    HostKeyAlias {alias}
    Port {port}
    User {user}
"""


@dataclass
class Run:
    """A log that grows, and the feed that follows it."""

    alias: str
    path: Path
    feed: Feed
    entries: int = 0

    def log(self, count: int) -> None:
        """Write so many entries."""
        lines = [
            json.dumps({"step": step, "loss": 1 + 2 / (step + 9) + 0.01 * (step * 7919 % 101) / 101})
            for step in range(self.entries + 1, self.entries + count + 1)
        ]
        with self.path.open("a") as file:
            file.write("".join(f"{line}\n" for line in lines))
        self.entries += count

    @property
    def is_exact(self) -> bool:
        """Whether every entry has been read, and none twice."""
        return self.feed.run.entries == self.entries and self.feed.run.unique_steps == self.entries


@dataclass
class Harbour:
    """All runs, those behind the alias that is dead from the start, and those of the one that dies."""

    server: Sshd
    dying: Sshd
    connections: Connections
    runs: list[Run] = field(default_factory=list)

    @property
    def reachable(self) -> list[Run]:
        """Those that are never out of reach."""
        return [run for run in self.runs if run.alias not in ("dead", "dying")]

    def of(self, alias: str) -> list[Run]:
        """The runs behind an alias."""
        return [run for run in self.runs if run.alias == alias]

    def make_app(self) -> MilepostApp:
        """The application that follows all of them."""
        return MilepostApp(Roster([run.feed for run in self.runs]))

    async def all_read(self) -> None:
        """Wait until every run that can be reached has been read to its end, and the dead one is told."""
        await eventually(lambda: all(run.feed.is_caught_up for run in self.reachable), PATIENCE_S)
        gone = (LinkState.RETRYING, LinkState.REFUSED)
        await eventually(lambda: all(run.feed.link.state in gone for run in self.of("dead")), PATIENCE_S)

    async def all_exact(self, runs: list[Run]) -> None:
        """Wait until every entry of these runs has been read, and none twice."""
        await eventually(lambda: all(run.is_exact for run in runs), PATIENCE_S)

    async def sink(self) -> None:
        """Kill the server of the alias that dies, and wait until its runs are known to be out of reach."""
        self.dying.kill_sessions()  # and with no chance for our own loop to connect again before the server ends
        self.dying.stop()
        lost = (LinkState.RETRYING, LinkState.STALE)
        await eventually(lambda: all(run.feed.link.state in lost for run in self.of("dying")), PATIENCE_S)

    async def raise_again(self) -> None:
        """Start it again."""
        self.dying.start()
        await asyncio.sleep(0)
        for run in self.of("dying"):
            run.feed.retry_now()


@contextmanager
def harbour(folder: Path, commands: Path, runs: int, aliases: int) -> Iterator[Harbour]:
    """So many runs behind so many aliases, the last of which is dead and the one before dies."""
    for name in ("a", "b"):
        (folder / name).mkdir()
    with running_sshd(folder / "a", commands) as server, running_sshd(folder / "b", commands) as dying:
        names = [f"box-{number}" for number in range(aliases - 2)] + ["dying", "dead"]
        options = _know(server, dying, names)
        found = Harbour(server, dying, Connections(options))
        for number in range(runs):
            alias = names[number % aliases]
            path = folder / f"{alias}-{number}.jsonl"
            target = parse_target(f"{alias}:{path}")
            feed = Feed(target, open_source(target, found.connections), FeedOptions(name=path.stem))
            found.runs.append(Run(alias, path, feed))
            found.runs[-1].log(PAST_ENTRIES)
        yield found


def _know(server: Sshd, dying: Sshd, names: list[str]) -> SshOptions:
    """Write an ssh_config with the aliases, and their host keys."""
    ssh = server.home / ".ssh"
    ports = {"dying": dying.port, "dead": _free_port()}
    aliases = [
        _ALIAS.format(alias=name, port=ports.get(name, server.port), user=server.user) for name in names
    ]
    keys = f"    IdentityFile {server.folder}/user_key\n    IdentitiesOnly yes\n"
    dying_key = (server.folder / "user_key.pub").read_text()
    (dying.folder / "authorized_keys").write_text(dying_key)
    (ssh / "config").write_text("".join(aliases) + "Host *\n" + keys)
    keys_of = [
        f"{name} {((dying if name == 'dying' else server).folder / 'host_key.pub').read_text()}"
        for name in names
    ]
    (ssh / "known_hosts").write_text("".join(keys_of))
    return SshOptions((ssh / "config",), (ssh / "known_hosts",))
